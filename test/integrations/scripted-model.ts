// A model of the AI SDK that says what it was told to say, and keeps every prompt that it was given.
import { convertArrayToReadableStream, MockLanguageModelV4 } from "ai/test";

type Generated = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>;
type Part = { type: "text"; text: string } | { type: "tool-call"; toolCallId: string; toolName: string; input: string };

const USAGE = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** Each call says the next part; the last one is said again and again. */
export function scriptedModel(...script: readonly Part[]): MockLanguageModelV4 & { prompts(): unknown[] } {
  let calls = 0;
  const next = (): Part => {
    calls += 1;
    return script[Math.min(calls, script.length) - 1] ?? { type: "text", text: "Said." };
  };
  const reasonOf = (part: Part) =>
    ({ unified: part.type === "tool-call" ? "tool-calls" : "stop", raw: undefined }) as const;
  const model = new MockLanguageModelV4({
    async doGenerate(): Promise<Generated> {
      const part = next();
      return {
        content: [part],
        finishReason: reasonOf(part),
        usage: USAGE,
        warnings: [],
        providerMetadata: { provider: { own: "kept" } },
      };
    },
    async doStream() {
      const part = next();
      const text = part.type === "text" ? part.text : "";
      return {
        stream: convertArrayToReadableStream([
          { type: "stream-start" as const, warnings: [] },
          { type: "text-start" as const, id: "1" },
          { type: "text-delta" as const, id: "1", delta: text },
          { type: "text-end" as const, id: "1" },
          { type: "finish" as const, finishReason: reasonOf(part), usage: USAGE },
        ]),
      };
    },
  });
  return Object.assign(model, {
    prompts: () => [...model.doGenerateCalls, ...model.doStreamCalls].map(({ prompt }) => prompt),
  });
}
