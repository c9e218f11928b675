import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import type { OldReceipt, RecordStore } from "#ports.ts";
import { LONGEST_PAUSE_MS, pruneRecords } from "./prune-records.ts";

test("a pause follows each step, as long as the step if that is short, in which others write", async () => {
  const steps: { readonly began: number; readonly ended: number }[] = [];
  const retention: Partial<RecordStore["retention"]> = {
    oldReceipts: async ({ kind, after }) =>
      kind === "complete" && after !== "3"
        ? { receipts: [receipt], next: String(Number(after) + 1) }
        : { receipts: [] },
    oldDecisions: async () => [],
    removeUnusedLists: async () => 0,
    async remove({ answerIds = [] }) {
      const began = performance.now();
      await delay(20);
      steps.push({ began, ended: performance.now() });
      return answerIds.length;
    },
  };
  const records = {
    retention,
    locks: { exclusively: (_: string, job: () => unknown) => job() },
  } as unknown as RecordStore;
  const at = "2026-01-02T03:04:05.678Z";
  expect(await pruneRecords(records, { before: at, now: new Date(at) })).toMatchObject({ receipts: 3 });
  expect(steps).toHaveLength(3);
  for (const [i, { began, ended }] of steps.slice(0, -1).entries()) {
    const pause = (steps[i + 1]?.began ?? 0) - ended;
    // A timer may fire a little early by this clock.
    expect(pause).toBeGreaterThan(Math.min(ended - began, LONGEST_PAUSE_MS) - 3);
  }
});

const receipt: OldReceipt = {
  answerId: "ans_1",
  createdAt: "2026-01-01T00:00:00.000Z",
  reason: null,
  blockedDigest: null,
  body: "{}",
};
