import { describe, expect, test } from "vitest";
import { blobToSee, memoriesToSee } from "#core/verify/next-blobs.ts";
import { NOTHING_AWAITED, progressOf } from "#core/verify/progress.ts";
import { type Seen, verifyReceipt } from "#core/verify/verify-receipt.ts";
import { anchored, statuses, withMemory } from "#test/support/anchored-receipt.ts";

const good = anchored();
const refs = [...good.memories.keys()];
const [first = "", ...rest] = refs;
const nothing = { ...good, object: "unreachable", blob: "unreachable", memories: new Map() } as const;
const allPending = (checks: readonly { readonly status: string }[]) =>
  checks.every(({ status }) => status === "pending");

describe("A verification under way", () => {
  test("has every check pending before anybody looked", () => {
    const progress = progressOf(nothing, { object: true, blob: true, memories: new Set() });
    expect(allPending(progress.checks)).toBe(true);
    expect(progress.verdict).toBeUndefined();
    expect([blobToSee(nothing), memoriesToSee(nothing)]).toEqual([undefined, []]);
  });

  test("knows what the object says while the blob is on its way", () => {
    const seen = { ...nothing, object: good.object };
    const progress = progressOf(seen, { object: false, blob: true, memories: new Set() });
    expect(statuses(progress.checks)).toMatchObject({ object: "pass", issued: "pass", digest: "pending" });
    expect(progress.verdict).toBeUndefined();
    expect(blobToSee(seen)).toBe(good.object.receipt.blobId);
  });

  test("shows each memory when it came", () => {
    const seen: Seen = { ...good, memories: new Map([[first, good.memories.get(first) ?? "missing"]]) };
    const progress = progressOf(seen, { object: false, blob: false, memories: new Set(rest) });
    expect(statuses(progress.checks)).toMatchObject({
      digest: "pass",
      memory: ["pass", ...rest.map(() => "pending")].join(" "),
    });
    expect(progress.verdict).toBeUndefined();
    expect(memoriesToSee({ ...nothing, object: good.object, blob: good.blob })).toEqual(refs);
  });

  test("ends in the verdict that the checks have", () => {
    for (const seen of [good, withMemory(good, first, "unreachable"), { ...good, object: "missing" } as const]) {
      expect(progressOf(seen, NOTHING_AWAITED)).toEqual(verifyReceipt(seen));
    }
  });

  test("awaits nothing from a store that the ledger does not name", () => {
    const progress = progressOf({ ...nothing, object: "missing" }, NOTHING_AWAITED);
    expect(progress.verdict).toBe("failed");
  });
});
