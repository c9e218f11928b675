import { describe, expect, test } from "vitest";
import { memoryBlobsToFetch, namedByObject } from "#core/verify/next-fetches.ts";
import type { Observation } from "#core/verify/observation.ts";
import { NOTHING_PENDING, progressOf, verifyReceipt } from "#core/verify/verify-receipt.ts";
import { anchored, statuses, withMemory } from "#test/support/anchored-receipt.ts";

const good = anchored();
const refs = [...good.memories.keys()];
const [first = "", ...rest] = refs;
const nothing = {
  ...good,
  object: "unreachable",
  gate: "unreachable",
  blob: "unreachable",
  memories: new Map(),
} as const;
const allPending = (checks: readonly { readonly status: string }[]) =>
  checks.every(({ status }) => status === "pending");

describe("a verification in progress", () => {
  test("has only pending checks before anything was fetched", () => {
    const progress = progressOf(nothing, { ...NOTHING_PENDING, object: true });
    expect(allPending(progress.checks)).toBe(true);
    expect(progress.verdict).toBeUndefined();
    expect([namedByObject(nothing), memoryBlobsToFetch(nothing)]).toEqual([undefined, []]);
  });

  test("checks the object while gate and blob are pending", () => {
    const observation = { ...nothing, object: good.object };
    const progress = progressOf(observation, { ...NOTHING_PENDING, gate: true, blob: true });
    expect(statuses(progress.checks)).toMatchObject({
      object: "pass",
      identity: "pass",
      gate: "pending",
      digest: "pending",
      signature: "pending",
    });
    expect(progress.verdict).toBeUndefined();
    const { blobId, gate } = good.object.receipt;
    expect(namedByObject(observation)).toEqual({ blobId, gate });
  });

  test("waits for the gate before it checks the signature", () => {
    const progress = progressOf({ ...good, gate: "unreachable" }, { ...NOTHING_PENDING, gate: true });
    expect(statuses(progress.checks)).toMatchObject({ statements: "pass", gate: "pending", signature: "pending" });
  });

  test("checks each memory as soon as its blob arrives", () => {
    const observation: Observation = { ...good, memories: new Map([[first, good.memories.get(first) ?? "missing"]]) };
    const progress = progressOf(observation, { ...NOTHING_PENDING, memories: new Set(rest) });
    expect(statuses(progress.checks)).toMatchObject({
      digest: "pass",
      memory: ["pass", ...rest.map(() => "pending")].join(" "),
    });
    expect(progress.verdict).toBeUndefined();
    expect(memoryBlobsToFetch({ ...nothing, object: good.object, blob: good.blob })).toEqual(refs);
  });

  test("equals the verification once nothing is pending", () => {
    for (const observation of [good, withMemory(good, first, "unreachable"), { ...good, object: "missing" } as const]) {
      expect(progressOf(observation, NOTHING_PENDING)).toEqual(verifyReceipt(observation));
    }
  });

  test("needs no blob for a verdict if the ledger has no object", () => {
    const progress = progressOf({ ...nothing, object: "missing" }, NOTHING_PENDING);
    expect(progress.verdict).toBe("failed");
  });
});
