import { expect, test } from "vitest";
import { type Change, fromTo, wholeVersionsOf } from "./policy-versions.ts";

const change = (version: number, namespace: string): Change => ({
  version,
  agentId: "assistant",
  namespace,
  from: null,
  to: true,
  by: "http",
  at: "2026-05-01T00:00:00.000Z",
});

const CHANGES = [change(3, "health"), change(2, "diet"), change(2, "work"), change(1, "diet"), change(1, "work")];

test("changes of one version are one entry, in their order", () => {
  const versions = wholeVersionsOf(CHANGES, false);
  expect(versions.map(({ version, changes }) => [version, changes.map(({ namespace }) => namespace)])).toEqual([
    [3, ["health"]],
    [2, ["diet", "work"]],
    [1, ["diet", "work"]],
  ]);
});

test("a version that is only half there is not told of yet", () => {
  expect(wholeVersionsOf(CHANGES.slice(0, 4), true).map(({ version }) => version)).toEqual([3, 2]);
  expect(wholeVersionsOf(CHANGES.slice(0, 1), true)).toEqual([]);
});

test("never opened, revoked and no leaf are three different things", () => {
  expect(fromTo({ from: null, to: false })).toBe("never opened → revoked");
  expect(fromTo({ from: false, to: true })).toBe("revoked → open");
  expect(fromTo({ from: true, to: null })).toBe("open → no leaf any more");
});
