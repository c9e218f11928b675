// Clients of MCP as hosts have them: the SDK of today, with both of its versions of the protocol, and the first SDK, which
// most hosts still have; each over HTTP and over a process.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as FirstClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as FirstStdioTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as FirstHttpTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport as FirstTransport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { COMMAND_MAIN } from "#test/support/built-service.ts";
import { COMPILE_CACHE } from "#test/support/compile-cache.ts";

export interface Server {
  readonly url: string;
  readonly key?: string;
  readonly agentId?: string;
}

export interface ToolResult {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}

export interface McpClient {
  callTool(name: string, given?: Record<string, unknown>): Promise<ToolResult>;
  readResource(uri: string): Promise<unknown>;
  listTools(): Promise<{
    tools: {
      name: string;
      description?: string | undefined;
      inputSchema: { properties?: object | undefined };
      annotations?: object | undefined;
    }[];
  }>;
  /** Everything that it lists, as one text. */
  listings(): Promise<string>;
  getPrompt(name: string, given: Record<string, string>): Promise<unknown>;
  close(): Promise<void>;
}

const INFO = { name: "test", version: "1" };

const overHttp = ({ url, key, agentId }: Server) => ({
  url: new URL(`${url}/mcp`),
  init: {
    requestInit: {
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(agentId !== undefined && { "portcullis-agent": agentId }),
      },
    },
  },
});

/** `portcullis mcp`, as a host starts it. */
export const asProcess = ({ url, key, agentId }: Server) => ({
  command: process.execPath,
  args: [COMMAND_MAIN, "mcp", "--url", url, ...(agentId === undefined ? [] : ["--agent", agentId])],
  env: { ...COMPILE_CACHE, ...(key !== undefined && { PORTCULLIS_KEY: key }) },
});

type AnyClient = Pick<
  Client,
  | "callTool"
  | "readResource"
  | "listTools"
  | "listResources"
  | "listResourceTemplates"
  | "listPrompts"
  | "getPrompt"
  | "close"
>;

async function current(transport: StreamableHTTPClientTransport | StdioClientTransport, mode: "auto" | "legacy") {
  const client = new Client(INFO, { versionNegotiation: { mode } });
  await client.connect(transport);
  return adapted(client);
}

async function first(transport: FirstHttpTransport | FirstStdioTransport) {
  const client = new FirstClient(INFO);
  await client.connect(transport as FirstTransport);
  return adapted(client as unknown as AnyClient);
}

function adapted(client: AnyClient): McpClient {
  return {
    callTool: async (name, given = {}) => (await client.callTool({ name, arguments: given })) as ToolResult,
    readResource: (uri) => client.readResource({ uri }),
    listTools: () => client.listTools(),
    async listings() {
      const lists = [client.listTools(), client.listResources(), client.listResourceTemplates(), client.listPrompts()];
      return JSON.stringify(await Promise.all(lists));
    },
    getPrompt: (name, given) => client.getPrompt({ name, arguments: given }),
    close: () => client.close(),
  };
}

export const CLIENTS: Readonly<Record<string, (server: Server) => Promise<McpClient>>> = {
  "the SDK over HTTP": (server) => {
    const { url, init } = overHttp(server);
    return current(new StreamableHTTPClientTransport(url, init), "auto");
  },
  "the SDK over HTTP, with the protocol of 2025": (server) => {
    const { url, init } = overHttp(server);
    return current(new StreamableHTTPClientTransport(url, init), "legacy");
  },
  "the SDK over a process": (server) => current(new StdioClientTransport(asProcess(server)), "auto"),
  "the first SDK over HTTP": (server) => {
    const { url, init } = overHttp(server);
    return first(new FirstHttpTransport(url, init));
  },
  "the first SDK over a process": (server) => first(new FirstStdioTransport(asProcess(server))),
};
