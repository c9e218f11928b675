// Many answers that wait for a slow model at once, and what their prompts hold.
import { setTimeout as delay } from "node:timers/promises";
import type { createClient } from "#contract/client/client.ts";
import { readPrompt } from "#core/prompt/prompt.ts";
import type { OpenAiStandIn } from "#test/support/openai-stand-in/openai-stand-in.ts";

/** A caller that was refused waits so long. Otherwise many of them would keep a busy service from answering at all. */
const PAUSE_MS = 200;

/** Callers that each ask again as soon as they are answered. */
export function startCallers(
  { chat }: Pick<ReturnType<typeof createClient>, "chat">,
  { agentId, count }: { readonly agentId: string; readonly count: number },
) {
  const controller = new AbortController();
  const { signal } = controller;
  const refused = async () => void (signal.aborted || (await delay(PAUSE_MS)));
  const callers = Array.from({ length: count }, async () => {
    while (!signal.aborted) {
      await chat({ agentId, query: "What about dinner?" }, { signal }).catch(() => refused());
    }
  });
  return {
    async stop(): Promise<void> {
      controller.abort();
      await Promise.all(callers);
    },
  };
}

type Call = OpenAiStandIn["received"][number];

/** How many calls of the model wait for their answer and are like this. */
export const openCalls = (model: OpenAiStandIn, isLike: (call: Call) => boolean): number =>
  model.received.filter((call) => call.state === "open" && isLike(call)).length;

interface Held {
  readonly namespaces: ReadonlySet<string>;
  readonly contents: ReadonlySet<string>;
}

const heldByCall = new WeakMap<Call, Held>();

/** What the prompt of a call holds of memories. */
export function memoriesOf(call: Call): Held {
  const cached = heldByCall.get(call);
  if (cached !== undefined) return cached;
  const { messages } = call.json as { messages: readonly { readonly content: string }[] };
  const { memories } = readPrompt({ system: "", user: messages[1]?.content ?? "" });
  const held = {
    namespaces: new Set(memories.map(({ namespace }) => namespace)),
    contents: new Set(memories.map(({ content }) => content)),
  };
  heldByCall.set(call, held);
  return held;
}

export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await delay(2);
}
