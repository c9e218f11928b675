// Lies of the operator about time: an answer under a version of the policy that the ledger had ended before, in which
// something was still allowed. All is signed, and anchored by the rules of the ledger.
import { type AnchoredOptions, anchored, goodReceipt } from "#test/support/anchored-receipt.ts";
import { type Forgery, forgery, without } from "./forgery.ts";

/** When the receipts of the test data say that they were answered. */
const ANSWERED_MS = Date.parse("2026-05-01T10:00:00.000Z");
const MINUTE_MS = 60_000;

/** Answered under a version that the ledger had closed the next one of, this long before. */
const outdated = (name: string, before: number, { chain, ...options }: AnchoredOptions = {}): Forgery =>
  forgery(
    `operator: ${name}`,
    anchored({
      gate: { version: 900 },
      ...options,
      chain: { closedAtMs: 1, supersededAtMs: ANSWERED_MS - before, ...chain },
    }),
    "policy-superseded",
  );
/** Under this version. */
const under = (version: number): AnchoredOptions => ({
  evidence: { policyVersion: version },
  chain: { policyVersion: String(version) },
});

export const outdatedForgeries: Forgery[] = [
  outdated("under the first version, 900 changes later", 365 * 1_440 * MINUTE_MS, under(1)),
  outdated("under a version that one change had ended an hour before", 60 * MINUTE_MS, { gate: { version: 8 } }),
  outdated("under a version that had ended a moment more than 15 minutes before", 15 * MINUTE_MS + 1),
  outdated("under the version before a reset", 16 * MINUTE_MS, { ...under(8), gate: { version: 9 } }),
  outdated("under a version far behind, of which the next ones were passed over", 1_440 * MINUTE_MS, under(3)),
  outdated("under an old version, anchored months later", 60 * MINUTE_MS, {
    chain: { anchoredAtMs: ANSWERED_MS + 90 * 1_440 * MINUTE_MS },
  }),
  outdated("under an old version, anchored before it was answered by the clocks' difference", 30 * MINUTE_MS, {
    chain: { anchoredAtMs: ANSWERED_MS - 4 * MINUTE_MS },
  }),
  outdated("under an old version of another party's policy", 60 * MINUTE_MS, {
    evidence: { policyVersion: 900, ledgerVersion: 7 },
  }),
  outdated("memories recalled under an old version", 60 * MINUTE_MS, {
    evidence: {
      kind: "recalled",
      model: null,
      template: null,
      commitments: without(goodReceipt().evidence.commitments, "/prompt"),
    },
  }),
  outdated("under an old version, with more claims than it used", 60 * MINUTE_MS, {
    claimed: ["diet", "sports", "travel"],
  }),
  outdated("under version 0, in which it used nothing", 60 * MINUTE_MS, {
    facts: [],
    evidence: { policyVersion: 0 },
    chain: { policyVersion: "0", closedAtMs: 0 },
  }),
  outdated("under a version that the next one ended at once", 20 * MINUTE_MS, {
    chain: { closedAtMs: ANSWERED_MS - 20 * MINUTE_MS },
  }),
];
