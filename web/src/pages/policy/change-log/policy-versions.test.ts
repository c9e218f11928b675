import { expect, test } from "vitest";
import { policyFrom } from "#core/gate/policy.ts";
import { type Change, completeVersionsOf, netOf, transitionOf, undoingOf, versionsWithCut } from "./policy-versions.ts";

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

test("changes of one version are one entry, in the order in which they came", () => {
  const versions = completeVersionsOf(CHANGES, false);
  expect(versions.map(({ version, changes }) => [version, changes.map(({ namespace }) => namespace)])).toEqual([
    [3, ["health"]],
    [2, ["diet", "work"]],
    [1, ["diet", "work"]],
  ]);
});

test("a version that may be incomplete is left out", () => {
  expect(completeVersionsOf(CHANGES.slice(0, 4), true).map(({ version }) => version)).toEqual([3, 2]);
  expect(completeVersionsOf(CHANGES.slice(0, 1), true)).toEqual([]);
});

test("a version that is cut says so, and no other", () => {
  const versions = versionsWithCut(CHANGES.slice(0, 4));
  expect(versions.map(({ version, isCut }) => [version, isCut])).toEqual([
    [3, undefined],
    [2, undefined],
    [1, true],
  ]);
});

test("a gate is open or closed, and its rule may be removed", () => {
  expect(transitionOf({ from: null, to: false })).toBe("closed");
  expect(transitionOf({ from: true, to: false })).toBe("open → closed");
  expect(transitionOf({ from: false, to: true })).toBe("closed → open");
  expect(transitionOf({ from: true, to: null })).toBe("open → removed");
});

const gate = (namespace: string, from: boolean | null, to: boolean | null) => ({ agentId: "a", namespace, from, to });

test("changes make together what differs between the first state of a gate and the last", () => {
  const newestFirst = [
    gate("diet", false, true),
    gate("work", true, null),
    gate("diet", true, false),
    gate("work", null, true),
  ];
  expect(netOf(newestFirst)).toEqual([]);
  expect(netOf(newestFirst.slice(0, 3))).toEqual([gate("work", true, null)]);
  expect(netOf([gate("diet", false, true), gate("diet", null, false)])).toEqual([gate("diet", null, true)]);
  expect(netOf([{ agentId: "", namespace: "", from: null, to: null }])).toEqual([]);
});

test("to undo changes is to change what is not as it was before them", () => {
  const changes = [gate("diet", false, true), gate("work", true, null), gate("__proto__", null, true)];
  const rule = (namespace: string, allowed: boolean) => ({ agentId: "a", namespace, allowed });
  expect(undoingOf(changes, policyFrom([rule("diet", true), rule("__proto__", true)]))).toEqual([
    gate("diet", true, false),
    gate("work", null, true),
    gate("__proto__", true, null),
  ]);
  expect(undoingOf(changes, policyFrom([rule("diet", false), rule("work", true)]))).toEqual([]);
});
