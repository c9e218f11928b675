// Random sequences of transactions for the differential test. They use few names and versions, so that calls affect each
// other, and values at and just beyond the limits of the module.
import fc from "fast-check";
import {
  anchorCheckpoint,
  anchorReceipt,
  closeVersion,
  keyCall,
  newGate,
  setAccess,
  type TestCall,
  usePseudonyms,
} from "#test/adapters/local-ledger/fixture.ts";

export type Sequence = readonly (readonly TestCall[])[];

/** A failure can be reproduced with its seed: `DIFFERENTIAL_SEED=… npx vitest run test/move`. */
// biome-ignore lint/style/noProcessEnv: only this test takes a seed, and config.ts is the service's.
export const SEED = Number(process.env.DIFFERENTIAL_SEED ?? 20261115);
export const SEQUENCES = 200;

/** The last ones reach the limits of what a gate keeps. */
export function sequences(): Sequence[] {
  return [
    ...fc.sample(sequence, { seed: SEED, numRuns: SEQUENCES - 12 }),
    ...fc.sample(longHistory, { seed: SEED, numRuns: 7 }),
    ...fc.sample(manyKeys, { seed: SEED, numRuns: 2 }),
    ...Array.from({ length: 2 }, () => SAME_GATE),
    LOGS,
  ];
}

/** `a` + `b.c` and `a.b` + `c` are equal when joined. U+FF5E comes before U+1F512 in UTF-8, and after it in UTF-16. */
export const AGENTS = ["a", "a.b", "chef"] as const;
export const NAMESPACES = ["b.c", "c", "health", "～", "🔒"] as const;

const edges = (limit: number) => fc.constantFrom("", "é".repeat(limit / 2), `${"é".repeat(limit / 2)}x`);
const mostly = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 30, arbitrary: usual }, { weight: 1, arbitrary: odd });

const agent = mostly(fc.constantFrom(...AGENTS), edges(256));
const namespace = mostly(fc.constantFrom(...NAMESPACES), edges(256));
const blobId = mostly(fc.constantFrom("kBFEfZbGmm3xHVj0n1Nd8vXUvBJ4H2Ppy4yDbT7lEvM", "b"), edges(128));
const bytes = (count: number, others: readonly number[]) =>
  mostly(
    fc.integer({ min: 1, max: count }).map((byte) => new Uint8Array(32).fill(byte)),
    fc.constantFrom(...others).map((length) => new Uint8Array(length).fill(1)),
  );
const digest = bytes(2, [0, 31, 33]);
const publicKey = bytes(3, [0, 31, 33]);

const sorted = (names: readonly string[]) => names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
const many = (count: number) => Array.from({ length: count }, (_, i) => `n${String(i).padStart(2, "0")}`);

const claimed: fc.Arbitrary<string[]> = fc.oneof(
  { weight: 12, arbitrary: fc.subarray([...NAMESPACES], { maxLength: 2 }).map(sorted) },
  { weight: 6, arbitrary: fc.subarray([...NAMESPACES]).map(sorted) },
  { weight: 1, arbitrary: fc.array(namespace, { maxLength: 4 }) },
  // In JavaScript's order, which is not the order of the bytes.
  { weight: 1, arbitrary: fc.subarray([...NAMESPACES], { minLength: 2 }).map((names) => names.toSorted()) },
  { weight: 1, arbitrary: fc.constantFrom(64, 65).map(many) },
);

/** Mostly the right capability. */
const capOf = mostly(fc.constant(0), fc.constant(1));

/** A call that has not chosen its version yet: how far it is from the last closed one. */
type Draft = (closed: number) => TestCall;

/** Mostly the next version. */
const ahead = fc.oneof(
  { weight: 20, arbitrary: fc.constant(1) },
  { weight: 4, arbitrary: fc.constant(2) },
  { weight: 1, arbitrary: fc.constantFrom(0, -1, 7) },
);
/** Mostly a version that is or may be closed. */
const back = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 0, max: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom(-1, -5) },
);
const version = (closed: number, distance: number) => Math.max(0, closed + distance);

const draft: fc.Arbitrary<Draft> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ agent, namespace, allowed: fc.boolean(), ahead, capOf }).map((call) => (closed: number) => ({
      ...setAccess(call.agent, call.namespace, call.allowed, version(closed, call.ahead)),
      capOf: call.capOf,
    })),
  },
  {
    weight: 4,
    arbitrary: fc
      .record({ ahead, capOf })
      .map((call) => (closed: number) => ({ ...closeVersion(version(closed, call.ahead)), capOf: call.capOf })),
  },
  {
    weight: 8,
    arbitrary: fc
      .record({ agent, blobId, digest, claimed, back, capOf })
      .map(({ capOf, back, ...fields }) => (closed: number) => ({
        ...anchorReceipt({ ...fields, policyVersion: version(closed, -back) }),
        capOf,
      })),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ name: fc.constantFrom("add_key" as const, "end_key" as const), publicKey, capOf })
      .map(({ name, publicKey, capOf }) => () => ({ ...keyCall(name, publicKey), capOf })),
  },
);

const origin = mostly(fc.constantFrom("log.example/a", "log.example/b"), edges(256));
/** Of few sizes, so that many are not larger than the last one. */
const checkpoint: fc.Arbitrary<Draft> = fc
  .record({ origin, size: fc.integer({ min: 0, max: 12 }), root: bytes(3, [0, 31, 33]), capOf })
  .map(({ origin, size, root, capOf }) => () => ({ ...anchorCheckpoint(origin, size, root), capOf }));

/** In the middle of any sequence it mostly comes too late. */
const pseudonyms: fc.Arbitrary<Draft> = capOf.map((of) => () => ({ ...usePseudonyms, capOf: of }));

/** With few keys, so that one comes twice. */
const gateMade: fc.Arbitrary<Draft> = fc
  .record({ length: fc.constantFrom(32, 32, 31, 33), byte: fc.integer({ min: 1, max: 2 }), capOf })
  .map(({ length, byte, capOf }) => () => ({ ...newGate(new Uint8Array(length).fill(byte)), capOf }));

/** Gives the calls their versions. A transaction that aborts closes nothing, so these are guesses, which is enough. */
function withVersions(drafts: readonly (readonly Draft[])[]): Sequence {
  let closed = 0;
  return drafts.map((transaction) =>
    transaction.map((make) => {
      const call = make(closed);
      if (call.function === "close_version" && call.capOf === 0) closed = Math.max(closed, call.version);
      return call;
    }),
  );
}

const calls = fc.array(mostly(draft, fc.oneof(pseudonyms, gateMade, checkpoint)), { minLength: 1, maxLength: 4 });
const sequence = fc
  .tuple(fc.boolean(), fc.array(calls, { minLength: 1, maxLength: 10 }))
  .map(([isFirst, drafts]) => withVersions(isFirst ? [[() => usePseudonyms], ...drafts] : drafts));

/** An entry that changes more often than the gate remembers, and anchors at old and new versions. */
const longHistory = fc
  .record({
    changes: fc.integer({ min: 60, max: 70 }),
    at: fc.array(fc.integer({ min: 0, max: 72 }), { minLength: 3, maxLength: 6 }),
    reopen: fc.boolean(),
  })
  .map(({ changes, at, reopen }): Sequence => {
    const history = Array.from({ length: changes }, (_, i) => [
      setAccess("a", "c", i % 2 === 0, i + 1),
      // Twice in one version: the last one counts.
      ...(reopen && i === changes - 1 ? [setAccess("a", "c", i % 2 !== 0, i + 1)] : []),
      closeVersion(i + 1),
    ]);
    const anchors = at.map((policyVersion, i) => [
      anchorReceipt({ agent: "a", claimed: ["c"], digest: new Uint8Array(32).fill(i + 1), policyVersion }),
    ]);
    return [history.flat(), ...anchors];
  });

const manyKeys = fc.integer({ min: 31, max: 33 }).map((count): Sequence => {
  const keys = Array.from({ length: count }, (_, i) => keyCall("add_key", new Uint8Array(32).fill(i)));
  const first = keys[0]?.publicKey ?? new Uint8Array(32);
  return [...keys.map((call) => [call]), [keyCall("end_key", first)], [keyCall("add_key", first)]];
});

/** Checkpoints that grow, and some that the gate refuses. */
const LOGS: Sequence = [
  [anchorCheckpoint("a", 3), anchorCheckpoint("b", 1)],
  [anchorCheckpoint("a", 3)],
  [anchorCheckpoint("a", 2)],
  [anchorCheckpoint("", 4)],
  [anchorCheckpoint("é".repeat(129), 4)],
  [anchorCheckpoint("a", 4, new Uint8Array(31))],
  [anchorCheckpoint("é".repeat(128), 2 ** 53 - 1), anchorCheckpoint("a", 4)],
];

/** The same key twice, and keys that are too short and too long. */
const SAME_GATE: Sequence = [
  [newGate()],
  [newGate(), setAccess("a", "c")],
  ...[31, 33].map((length) => [newGate(new Uint8Array(length))]),
  [newGate(new Uint8Array(32)), setAccess("a", "c"), closeVersion(1)],
];
