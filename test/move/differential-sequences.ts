// Random sequences of transactions for the differential test. They use few names, so that calls affect each other, and
// values at and just beyond the limits of the module.
import fc from "fast-check";
import { anchorReceipt, setAccess, type TestCall } from "#test/adapters/local-ledger/fixture.ts";

export type Sequence = readonly (readonly TestCall[])[];

/** A failure can be reproduced with its seed: `DIFFERENTIAL_SEED=… npx vitest run test/move`. */
// biome-ignore lint/style/noProcessEnv: only this test takes a seed, and config.ts is the service's.
export const SEED = Number(process.env.DIFFERENTIAL_SEED ?? 20261115);
export const SEQUENCES = 220;

export function sequences(): Sequence[] {
  return fc.sample(sequence, { seed: SEED, numRuns: SEQUENCES });
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
const digest = mostly(
  fc.integer({ min: 1, max: 2 }).map((byte) => new Uint8Array(32).fill(byte)),
  fc.constantFrom(0, 31, 33).map((length) => new Uint8Array(length).fill(1)),
);

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

const call: fc.Arbitrary<TestCall> = fc.oneof(
  fc.record({ agent, namespace, allowed: fc.boolean(), capOf }).map(({ capOf, ...rule }) => ({
    ...setAccess(rule.agent, rule.namespace, rule.allowed),
    capOf,
  })),
  fc.record({ agent, blobId, digest, claimed, issued: fc.boolean(), capOf }).map(({ capOf, ...fields }) => ({
    ...anchorReceipt(fields),
    capOf,
  })),
);

const sequence = fc.array(fc.array(call, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 });
