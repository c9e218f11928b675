import { expect, test } from "vitest";
import { nearestName } from "./nearest-name.ts";

test.for([
  ["recal", "recall"],
  ["reclal", "recall"],
  ["RECALL", "recall"],
  ["recept", "receipts"],
  ["fsk", "fsck"],
  ["x", undefined],
  ["", undefined],
  ["delete-everything", undefined],
] as const)("%s suggests %s", ([typed, expected]) => {
  expect(nearestName(typed, ["recall", "receipts", "remember", "fsck", "forget"])).toBe(expected);
});
