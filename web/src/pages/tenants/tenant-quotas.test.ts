import { expect, test } from "vitest";
import { changesOf } from "./tenant-quotas.tsx";

const EMPTY = {
  memories: "",
  textBytes: "",
  namespaces: "",
  policyRules: "",
  receipts: "",
  answersPerMinute: "",
  writesPerMinute: "",
};

test("Only quotas that were changed are sent, and null for one that is the default again", () => {
  const quotas = { memories: 100, namespaces: 5, receipts: 7 };
  const draft = { ...EMPTY, memories: "100", namespaces: "", receipts: "8", writesPerMinute: "0" };
  expect(changesOf(quotas, draft)).toEqual({ namespaces: null, receipts: 8, writesPerMinute: 0 });
  expect(changesOf({}, EMPTY)).toEqual({});
});
