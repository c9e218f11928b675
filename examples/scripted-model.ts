// A model that needs no network: it repeats the memories that it was given.
import { MockLanguageModelV4 } from "ai/test";

const USAGE = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

export function scriptedModel(): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    provider: "scripted",
    modelId: "repeats-its-memories",
    async doGenerate({ prompt }) {
      const given = memoriesIn(JSON.stringify(prompt.at(-1)?.content));
      const text = given.length === 0 ? "I was given no memories." : `I was given: ${given.join(" ")}`;
      return {
        content: [{ type: "text", text }],
        finishReason: { unified: "stop", raw: undefined },
        usage: USAGE,
        warnings: [],
      };
    },
  });
}

/** Each memory is one line of JSON between <memories> and </memories>. */
function memoriesIn(content: string): string[] {
  const [{ text }] = JSON.parse(content) as [{ text: string }];
  const [, block = ""] = /^<memories>\n(.*?)<\/memories>/s.exec(text) ?? [];
  const lines = block.split("\n").filter((line) => line !== "");
  return lines.map((line) => (JSON.parse(line) as { content: string }).content).sort();
}
