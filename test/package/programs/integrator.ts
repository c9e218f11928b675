// An integrator's file: it must compile with `tsc --strict`, and an editor must know what everything is.
import {
  type Client,
  ConnectionError,
  createClient,
  isProblem,
  type Memory,
  type Policy,
  type Problem,
  type RecalledMemory,
  type Receipt,
  type Reply,
} from "portcullis/client";
import { isAllowed, type Observation, recall, type Verdict, verifyReceipt } from "portcullis/core";

const client: Client = createClient({
  baseUrl: "http://127.0.0.1:3000",
  bearer: "key",
  retries: 3,
  timeoutMs: 10_000,
});

export async function remember(content: string, signal: AbortSignal): Promise<Memory> {
  const { memory } = await client.capture({ namespace: "notes", content, ttl: 60 }, { signal, idempotencyKey: "once" });
  return memory;
}

export async function ask(query: string): Promise<[string, Receipt]> {
  try {
    const { answer, receipt }: Reply<"chat"> = await client.chat({ query }, { onText: (piece) => piece.length });
    await client.anchorOnChain({ receipt, claimNamespaces: ["notes"] });
    await client.anchorReceipt({ answerId: receipt.answerId });
    return [answer, receipt];
  } catch (error) {
    if (isProblem(error, "in-progress", "policy-changed")) {
      const code: "in-progress" | "policy-changed" = error.code;
      const { requestId }: Problem = error.problem;
      throw new Error(`${code} ${requestId ?? ""}`);
    }
    if (error instanceof ConnectionError && error.code === "timeout") throw error;
    throw error;
  }
}

export async function* everything(): AsyncGenerator<Memory | RecalledMemory> {
  for await (const memory of client.listMemories.all({ namespace: "notes" })) yield memory;
  for await (const { uses, nextCursor } of client.listUses.pages({ memoryId: "mem_1" }))
    if (nextCursor === undefined && uses[0]?.status === "issued") return;
  const { memories } = await client.recall({ query: "?", limit: 3 });
  for (const memory of memories) if (memory.score > 0 && memory.why.pinned) yield memory;
}

export async function listen(): Promise<string> {
  for await (const { name, data } of client.listenToEvents()) if (name === "policy-changed") return data.agentId ?? "";
  return "";
}

export function decide(policy: Policy, memories: readonly Memory[]): string[] {
  const found = recall({ agentId: "planner", query: "?", now: new Date() }, memories, policy);
  return isAllowed(policy, "planner", "notes") ? found.memories.map(({ content }) => content) : [];
}

export const verdictOf = (observation: Observation): Verdict => verifyReceipt(observation).verdict;

// @ts-expect-error: a question is needed.
export const noQuestion = () => client.chat({ agentId: "planner" });
// @ts-expect-error: a receipt or an id, and not both.
export const both = (receipt: Receipt) => client.anchorReceipt({ receipt, answerId: "ans_1" });
// @ts-expect-error: there is no such code.
export const isUnknown = (error: unknown) => isProblem(error, "no-such-code");
