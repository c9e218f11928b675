import { describe, expect, test } from "vitest";
import { citedCount, memoriesSummary } from "./citations.ts";

const MODEL = { evidence: { model: "m" } };

describe("the citations of a receipt", () => {
  test.each([
    ["some are cited", [{ cited: true }, { cited: false }, { cited: true }], 2],
    ["the model cites none", [{ cited: false }], 0],
    ["the model does not say", [{}, {}], undefined],
    ["there is no memory", [], undefined],
    ["the field holds anything else", [{ cited: "yes" }, { cited: 1 }, { cited: null }], undefined],
  ])("are counted when %s", (_, usedMemories, count) => {
    expect(citedCount({ usedMemories })).toBe(count);
  });

  test.each([
    [
      "with citations",
      { usedMemories: [{ cited: true }, { cited: false }], ...MODEL },
      "given to the model: 2, cited: 1",
    ],
    ["without", { usedMemories: [{}], ...MODEL }, "given to the model: 1"],
    ["of a recall", { usedMemories: [{}], evidence: { kind: "recalled", model: null } }, "recalled: 1"],
    ["when no model was asked", { usedMemories: [{}, {}], evidence: { model: null } }, "used: 2"],
    ["of a receipt from elsewhere", { usedMemories: [{}] }, "used: 1"],
    ["of a receipt with other evidence", { usedMemories: [], evidence: "none" }, "used: 0"],
  ])("are told in words: %s", (_, receipt, words) => {
    expect(memoriesSummary(receipt)).toBe(words);
  });
});
