import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

/** What the protocol says in headers. Nothing else of the request is handed on: no credentials, no address. */
const PROTOCOL_HEADERS = ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name"];

/**
 * Has the server answer one message, with a response of one piece. Both kinds of the protocol are stateless here: since
 * 2026-07-28 each request says its version; before that, one after `initialize` needs no session either.
 */
export async function answerMessage(server: Server, headers: Headers, message: unknown): Promise<Response> {
  const request = new Request("http://localhost/mcp", { method: "POST", headers: protocolHeadersIn(headers) });
  if (!(await isLegacyRequest(request, message))) {
    const handler = createMcpHandler(() => server, { legacy: "reject", maxSubscriptions: 0 });
    return handler.fetch(request, { parsedBody: message });
  }
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  return transport.handleRequest(request, { parsedBody: message });
}

function protocolHeadersIn(headers: Headers): [string, string][] {
  return PROTOCOL_HEADERS.flatMap((name) => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
}
