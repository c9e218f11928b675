// One byte of anything changed, or anything left out: never verified.
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Seen, verifyReceipt } from "#core/verify/verify-receipt.ts";
import { anchored, walrusLike, withChain, withMemory } from "#test/support/anchored-receipt.ts";
import { agentIds } from "#test/support/arbitraries.ts";

const good = anchored();
const flips = fc.integer({ min: 1, max: 255 });

const changed = (bytes: Uint8Array, at: number, by: number) => bytes.map((byte, i) => (i === at ? byte ^ by : byte));

function expectNever(seen: Seen): void {
  expect(verifyReceipt(seen).verdict).not.toBe("verified");
}

test("It would be verified otherwise", () => {
  expect(verifyReceipt(good).verdict).toBe("verified");
});

test("One byte of the blob changed, at every place", () => {
  for (let at = 0; at < good.blob.length; at++) {
    fc.assert(
      fc.property(flips, (by) => expectNever({ ...good, blob: changed(good.blob, at, by) })),
      { numRuns: 5 },
    );
  }
});

test("One byte of the digest changed", () => {
  const digest = Buffer.from(good.object.receipt.digest, "hex");
  fc.assert(
    fc.property(fc.nat({ max: 31 }), flips, (at, by) => {
      expectNever(withChain(good, { digest: Buffer.from(changed(digest, at, by)).toString("hex") }));
    }),
  );
});

test("Another agent", () => {
  fc.assert(
    fc.property(fc.oneof(agentIds, fc.string()), (agent) => {
      fc.pre(agent !== good.object.receipt.agent);
      expectNever(withChain(good, { agent }));
    }),
  );
});

test("One byte of a memory's blob changed, at every place", () => {
  for (const [ref, bytes] of good.memories) {
    for (let at = 0; at < bytes.length; at++) {
      fc.assert(
        fc.property(flips, (by) => {
          expectNever(withMemory(good, ref, changed(bytes, at, by)));
        }),
        { numRuns: 5 },
      );
    }
  }
});

test("One byte changed in what the receipt shows of a memory, where the store's ids cannot be derived", () => {
  const walrus = anchored({ idOf: walrusLike });
  for (const [ref, bytes] of walrus.memories) {
    const shown = '{"content":"'.length + 150;
    for (let at = 0; at < Math.min(shown, Buffer.from(bytes).indexOf('","namespace"')); at++) {
      // Not all flips: some make a space into white space of another kind, which no snippet shows.
      expectNever(withMemory(walrus, ref, changed(bytes, at, 1)));
    }
  }
});

test("Anything left out", () => {
  for (const gone of ["missing", "unreachable"] as const) {
    expectNever({ ...good, object: gone });
    expectNever({ ...good, blob: gone });
    for (const ref of good.memories.keys()) expectNever(withMemory(good, ref, gone));
  }
  for (const left of good.memories.keys()) {
    expectNever({ ...good, memories: new Map([...good.memories].filter(([ref]) => ref !== left)) });
  }
});

test("Any field of the object changed that a check speaks of", () => {
  const changes = [{ isFrozen: false }, { type: good.object.type.replace("gate", "date") }, { objectId: "0x1" }];
  for (const change of changes) expectNever({ ...good, object: { ...good.object, ...change } });
  for (const change of [{ allAuthorized: false }, { issued: false }]) expectNever(withChain(good, change));
});
