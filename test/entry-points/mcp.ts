// MCP over HTTP and over a process, by clients as hosts have them.
import type { Reply } from "#contract/routes.ts";
import { CLIENTS, type McpClient } from "#test/mcp/clients.ts";
import { type EntryPoint, type OpenEntryPoint, type Outcome, outcomeOrError } from "./entry-point.ts";

const query = "What is the secret word?";

const entryPointOf =
  (connect: (typeof CLIENTS)[string] | undefined): EntryPoint =>
  async (visitor) => {
    if (connect === undefined) throw new Error("There is no such client.");
    return openEntryPoint(await connect(visitor));
  };

function openEntryPoint(client: McpClient): OpenEntryPoint {
  /** The whole result, in words and in fields, and its receipt. */
  async function answered(name: "ask" | "recall"): Promise<Outcome> {
    const result = await client.callTool(name, { query });
    const { receipt } = (result.structuredContent ?? {}) as Partial<Reply<"chat">>;
    return { text: JSON.stringify(result), ...(receipt && { receipt }) };
  }
  return {
    reads: {
      ask: () => answered("ask"),
      recall: () => answered("recall"),
      "memories as a resource": async () => ({
        text: JSON.stringify(await client.readResource("portcullis://memories")),
      }),
    },
    probes: {
      "explanation of access": () => outcomeOrError(() => client.callTool("explain_access")),
      "list of namespaces": () => outcomeOrError(() => client.readResource("portcullis://namespaces")),
      "fact in a namespace that it may not write": () =>
        outcomeOrError(() => client.callTool("remember", { namespace: "x", content: "The secret word?" })),
      "another agent's name": () => outcomeOrError(() => client.callTool("recall", { query, agentId: "a" })),
    },
    close: () => client.close(),
  };
}

export const mcpOverHttp = entryPointOf(CLIENTS["the SDK over HTTP"]);
export const mcpOverProcess = entryPointOf(CLIENTS["the first SDK over a process"]);
