import { expect, test } from "vitest";
import { createOpenedTexts } from "./opened-texts.ts";

const fact = (content: string) => ({ namespace: "n", sourceAgent: "s", content });

test("the texts that were not used for longest make room, and a deleted one is gone", () => {
  // Room for three short texts, with 200 characters for each entry.
  const opened = createOpenedTexts(700);
  for (const id of ["a", "b", "c"]) opened.put(id, fact(id));
  expect(opened.get("a")).toEqual(fact("a"));
  opened.put("d", fact("d"));
  expect(["a", "b", "c", "d"].map((id) => opened.get(id)?.content)).toEqual(["a", undefined, "c", "d"]);
  opened.delete("a");
  expect(opened.get("a")).toBeUndefined();
  opened.put("long", fact("x".repeat(400)));
  expect(["c", "d", "long"].map((id) => opened.get(id) !== undefined)).toEqual([false, false, true]);
  opened.put("too long", fact("x".repeat(1_000)));
  expect(["long", "too long"].map((id) => opened.get(id))).toEqual([undefined, undefined]);
});
