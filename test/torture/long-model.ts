import type { LanguageModel } from "#ports.ts";

/** Says one piece, so long that no client takes it at once. */
export const longModel = (bytes: number): LanguageModel => ({
  name: "long",
  async complete(_, { fence, onText }) {
    await fence(() => undefined);
    const text = "word ".repeat(bytes / 5);
    onText?.(text);
    return { text, model: "long" };
  },
});
