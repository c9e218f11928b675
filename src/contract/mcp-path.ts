/** Where the service speaks MCP. It is another protocol, so it is no row of the route table. */
export const MCP_PATH = "/mcp";
