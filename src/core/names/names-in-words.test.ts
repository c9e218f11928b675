import { expect, test } from "vitest";
import { namesInWords } from "./names-in-words.ts";

const many = Array.from({ length: 9_015 }, (_, i) => `n${i}`);

test.for([
  [[], undefined, "none"],
  [["a", "b"], undefined, "a, b"],
  [many, undefined, "n0, n1, .* n19 and 8,995 more"],
  [many.slice(0, 1_000), 9_015, "n0, .* n19 and 8,995 more"],
] as const)("names are listed, and of many the first ones with how many more there are", ([names, total, expected]) => {
  expect(namesInWords(names, total)).toMatch(new RegExp(`^${expected}$`));
});
