// Event streams through nginx as it comes: the first bytes arrive at once, pieces arrive as they are made, and a stream
// outlives the 60 s after which nginx gives up on a silent service.
import { setTimeout as delay } from "node:timers/promises";
import { withDeadline } from "#async/with-deadline.ts";
import { createClient } from "#contract/client/client.ts";
import type { LanguageModel } from "#ports.ts";
import { startService } from "#test/support/start-service.ts";
import { startNginx } from "./nginx.ts";

interface StreamOptions {
  /** How long both streams are silent. */
  readonly idleMs: number;
  readonly onStatus: (status: string) => void;
}

const AT_ONCE_MS = 5_000;

export async function streamThroughNginx({ idleMs, onStatus }: StreamOptions) {
  const heard = Promise.withResolvers<void>();
  /** Says one piece, waits until the client has it, thinks for long, and says the rest. */
  const model: LanguageModel = {
    name: "thoughtful",
    async complete(_, { onText }) {
      onText?.("Fish, ");
      await heard.promise;
      await delay(idleMs);
      onText?.("my friend.");
      return { text: "Fish, my friend.", model: "thoughtful" };
    },
  };
  const service = await startService({ overrides: { model } });
  const nginx = await startNginx(service.url);
  const client = createClient({ baseUrl: nginx.url });
  const violations: string[] = [];
  const numbers: Record<string, string | number> = {};
  const timed = async <T>(what: string, work: () => Promise<T>, withinMs: number): Promise<T | undefined> => {
    const began = performance.now();
    try {
      const result = await withDeadline(withinMs, work);
      numbers[what] = `after ${Math.round(performance.now() - began)} ms`;
      return result;
    } catch (error) {
      violations.push(`${what}: ${error}`);
      return undefined;
    }
  };

  async function feed(): Promise<void> {
    const stream = await timed("first bytes of the events", () => openFeed(nginx.url), AT_ONCE_MS);
    if (stream === undefined) return;
    const capture = async (content: string) => {
      const { memory } = await client.capture({ content, namespace: "diet", sourceAgent: "assistant" });
      await stream.until(memory.memoryId);
    };
    await timed("an event", () => capture("Fish on Fridays."), AT_ONCE_MS);
    onStatus(`silence of ${idleMs / 1_000} s`);
    await delay(idleMs);
    await timed("an event on the same connection, after the silence", () => capture("No peanuts."), AT_ONCE_MS);
    await stream.close();
  }

  async function chat(): Promise<void> {
    const question = { agentId: "assistant", query: "What is for dinner?" };
    const asking = { onText: () => heard.resolve() };
    await timed(
      "first piece of an answer whose rest is yet to come",
      async () => {
        void timed(
          "the whole answer, of a model that thinks for long",
          () => client.chat(question, asking),
          idleMs + AT_ONCE_MS,
        ).then(answered.resolve);
        await heard.promise;
      },
      AT_ONCE_MS,
    );
    heard.resolve();
    await answered.promise;
  }
  const answered = Promise.withResolvers<unknown>();

  try {
    await Promise.all([feed(), chat()]);
    return { numbers, violations };
  } finally {
    await nginx.stop();
    await service.stop();
  }
}

/** Resolves when the first bytes of the body are here. */
async function openFeed(url: string) {
  const response = await fetch(`${url}/api/events`);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = (await reader?.read())?.value ?? "";
  return {
    async until(expected: string): Promise<void> {
      while (!text.includes(expected)) {
        const piece = await reader?.read();
        if (piece === undefined || piece.done) throw new Error("The stream ended.");
        text += piece.value;
      }
    },
    close: async () => reader?.cancel(),
  };
}
