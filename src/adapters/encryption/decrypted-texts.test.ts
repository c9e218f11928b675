import { expect, test } from "vitest";
import { createDecryptedTexts } from "./memory-cipher.ts";

const fact = (content: string) => ({ namespace: "n", sourceAgent: "s", content });

test("the texts that were not used for longest make room, and a deleted one is gone", () => {
  // Room for three short texts, with 200 characters for each entry.
  const decrypted = createDecryptedTexts(700);
  for (const id of ["a", "b", "c"]) decrypted.put(id, fact(id));
  expect(decrypted.get("a")).toEqual(fact("a"));
  decrypted.put("d", fact("d"));
  expect(["a", "b", "c", "d"].map((id) => decrypted.get(id)?.content)).toEqual(["a", undefined, "c", "d"]);
  decrypted.delete("a");
  expect(decrypted.get("a")).toBeUndefined();
  decrypted.put("long", fact("x".repeat(400)));
  expect(["c", "d", "long"].map((id) => decrypted.get(id) !== undefined)).toEqual([false, false, true]);
  decrypted.put("too long", fact("x".repeat(1_000)));
  expect(["long", "too long"].map((id) => decrypted.get(id))).toEqual([undefined, undefined]);
});
