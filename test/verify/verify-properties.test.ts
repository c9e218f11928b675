// No change of a byte, and nothing missing, is ever verified.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Observation } from "#core/verify/observation.ts";
import { verifyReceipt } from "#core/verify/verify-receipt.ts";
import { anchored, walrusLike, withChain, withForgedChain, withMemory } from "#test/support/anchored-receipt.ts";
import { agentIds } from "#test/support/arbitraries.ts";
import { someOf } from "#test/support/runs.ts";

const good = anchored();
const flips = fc.integer({ min: 1, max: 255 });

const changed = (bytes: Uint8Array, at: number, by: number) => bytes.map((byte, i) => (i === at ? byte ^ by : byte));

/** The bytes with one of them changed, each in its turn, and each by another bit. */
function* changesOf(bytes: Uint8Array, end = bytes.length, by = (turn: number) => 2 ** (turn % 8)) {
  const places = someOf(Array.from({ length: end }, (_, at) => at));
  for (const [turn, at] of places.entries()) yield changed(bytes, at, by(turn));
}

function expectNotVerified(observation: Observation): void {
  expect(verifyReceipt(observation).verdict).not.toBe("verified");
}

test("the unchanged receipt is verified", () => {
  expect(verifyReceipt(good).verdict).toBe("verified");
});

test("a receipt is not verified after a change of any byte of its blob", () => {
  for (const blob of changesOf(good.blob)) expectNotVerified({ ...good, blob });
});

test("a receipt is not verified after a change of any byte of the digest on the ledger", () => {
  const digest = Buffer.from(good.object.receipt.digest, "hex");
  fc.assert(
    fc.property(fc.nat({ max: 31 }), flips, (at, by) => {
      expectNotVerified(withForgedChain(good, { digest: Buffer.from(changed(digest, at, by)).toString("hex") }));
    }),
  );
});

test("a receipt is not verified for another agent", () => {
  fc.assert(
    fc.property(fc.oneof(agentIds, fc.string()), (agent) => {
      fc.pre(agent.toWellFormed() !== good.object.receipt.agent);
      expectNotVerified(withChain(good, { agent: agent.toWellFormed() }));
    }),
  );
});

test("a receipt is not verified after a change of any byte of a memory's blob", () => {
  for (const [ref, bytes] of good.memories)
    for (const blob of changesOf(bytes)) expectNotVerified(withMemory(good, ref, blob));
});

test("a receipt is not verified after a change within the snippet, also if the store's ids cannot be derived", () => {
  const walrus = anchored({ idOf: walrusLike });
  for (const [ref, bytes] of walrus.memories) {
    const shown = Math.min('{"content":"'.length + 150, Buffer.from(bytes).indexOf('","namespace"'));
    // Not all bits: some turn a space into other white space, which a snippet does not show.
    for (const blob of changesOf(bytes, shown, () => 1)) expectNotVerified(withMemory(walrus, ref, blob));
  }
});

test("a receipt is not verified while anything is missing or unreachable", () => {
  for (const gone of ["missing", "unreachable"] as const) {
    expectNotVerified({ ...good, object: gone });
    expectNotVerified({ ...good, gate: gone });
    expectNotVerified({ ...good, blob: gone });
    for (const ref of good.memories.keys()) expectNotVerified(withMemory(good, ref, gone));
  }
  for (const left of good.memories.keys()) {
    expectNotVerified({ ...good, memories: new Map([...good.memories].filter(([ref]) => ref !== left)) });
  }
});

test("a receipt is not verified after a change of any byte of its object, or of its gate", () => {
  for (const part of ["object", "gate"] as const) {
    const { bcs = new Uint8Array(), content } = good[part];
    for (const other of changesOf(bcs)) expectNotVerified({ ...good, [part]: { ...good[part], bcs: other } });
    for (const other of changesOf(content)) expectNotVerified({ ...good, [part]: { ...good[part], content: other } });
  }
});
