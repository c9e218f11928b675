import fc from "fast-check";
import { expect, test } from "vitest";
import { type FenceLookup, type FenceState, hasAllMemories, holds, isOfPolicy, type ReadSet } from "./read-set.ts";

const NAMES = ["a", "b", "c"];
const some = fc.subarray(NAMES);
const number = fc.integer({ min: 0, max: 2 });
const time = fc.constantFrom("2026-01-01", "2026-01-02", "2026-01-03");
const digest = fc.option(fc.constantFrom("d1", "d2"), { nil: undefined });

const readSets: fc.Arbitrary<ReadSet> = fc
  .record({
    policyVersion: number,
    policyDigest: digest,
    namespaces: some,
    removals: number,
    memoryIds: some,
    allowsSuperseded: fc.boolean(),
    expiresAt: fc.option(time, { nil: undefined }),
  })
  .map(({ policyDigest, ...all }) => ({ agentId: "agent", ...all, ...(policyDigest && { policyDigest }) }));
const states: fc.Arbitrary<FenceState> = fc
  .record({ policy: number, removal: number, now: time, digest })
  .map(({ digest, ...all }) => ({ ...all, ...(digest && { digest }) }));

interface Records {
  readonly allowed: readonly string[];
  readonly current: readonly string[];
  readonly superseded: readonly string[];
}

const records = fc.record({ allowed: some, current: some, superseded: some });
const lookupIn = ({ allowed, current, superseded }: Records): FenceLookup => ({
  isAllowed: (agentId, namespace) => agentId === "agent" && allowed.includes(namespace),
  isOnRecord: (id, orSuperseded) => current.includes(id) || (orSuperseded && superseded.includes(id)),
});

test("what passes is allowed, on record and not expired, or of the state that it was read in", () => {
  const property = fc.property(readSets, states, records, (readSet, state, found) => {
    const isAllowed = readSet.namespaces.every((name) => found.allowed.includes(name));
    const usable = readSet.allowsSuperseded ? [...found.current, ...found.superseded] : found.current;
    const isOnRecord = readSet.memoryIds.every((id) => usable.includes(id));
    const hasExpired = readSet.expiresAt !== undefined && readSet.expiresAt <= state.now;
    const expected =
      !hasExpired && (isOfPolicy(readSet, state) || isAllowed) && (hasAllMemories(readSet, state) || isOnRecord);
    expect(holds(readSet, state, lookupIn(found))).toBe(expected);
  });
  fc.assert(property, { numRuns: 2_000 });
});

test("a version is another policy's when the digests differ, and one without a digest goes by its version", () => {
  const readSet = { agentId: "a", policyVersion: 4, namespaces: [], removals: 0, memoryIds: [] };
  const state = { policy: 4, removal: 0, now: "", digest: "d1" };
  expect(isOfPolicy(readSet, state)).toBe(true);
  expect(isOfPolicy({ ...readSet, policyDigest: "d1" }, state)).toBe(true);
  expect(isOfPolicy({ ...readSet, policyDigest: "d2" }, state)).toBe(false);
  expect(isOfPolicy({ ...readSet, policyDigest: "d2" }, { policy: 4, removal: 0, now: "" })).toBe(true);
  expect(isOfPolicy({ ...readSet, policyVersion: 3 }, state)).toBe(false);
});

test("nothing is looked up for a read set of the state itself", () => {
  const refuse = () => {
    throw new Error("looked up");
  };
  const readSet = { agentId: "a", policyVersion: 4, namespaces: ["n"], removals: 2, memoryIds: ["m"] };
  const lookup = { isAllowed: refuse, isOnRecord: refuse };
  expect(holds(readSet, { policy: 4, removal: 2, now: "" }, lookup)).toBe(true);
});
