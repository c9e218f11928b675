// What the ledger's receipt says, against the receipt itself: agent, policy version, claims and times.
import { byUtf8 } from "#core/encoding/utf8-order.ts";
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { AnswerReceipt, ForeignReceipt } from "#core/receipt/receipt.ts";
import { CLOCK_TOLERANCE_MS, SUPERSEDED_TOLERANCE, wasSuperseded } from "#core/receipt/superseded.ts";
import { type Check, fail, pass, quoteNames, unknown, withoutReceipt } from "#core/verify/check.ts";

export function checkAgent(chain: ChainReceipt | undefined, receipt: ForeignReceipt | undefined): Check {
  if (chain === undefined || receipt === undefined) return withoutReceipt("agent");
  const compared = { expected: chain.agent, actual: receipt.agentId };
  return compared.actual === compared.expected
    ? pass("agent", "The receipt and the ledger name the same agent.", compared)
    : fail("agent", "agent-differs", "The receipt names another agent than the ledger.", compared);
}

/** The claims must be judged by the policy that the answer was made under, and that must not be one of the past. */
export function checkPolicy(
  chain: ChainReceipt | undefined,
  receipt: ForeignReceipt | undefined,
  signed: AnswerReceipt | undefined,
): Check {
  if (chain === undefined || receipt === undefined) return withoutReceipt("policy");
  if (signed === undefined || chain.closedAtMs === undefined) {
    const sentence = "The receipt does not say which version of the policy on the ledger it was made under.";
    return unknown("policy", "policy-unstated", sentence);
  }
  const { ledgerVersion, policyVersion } = signed.evidence;
  const compared = { expected: String(ledgerVersion ?? policyVersion), actual: chain.policyVersion };
  if (compared.actual !== compared.expected) {
    const sentence = "The ledger judged the claims by another version of the policy than the answer was made under.";
    return fail("policy", "policy-differs", sentence, compared);
  }
  const { supersededAtMs = Number.POSITIVE_INFINITY } = chain;
  if (wasSuperseded(supersededAtMs, signed.createdAt)) {
    const expected = `at most ${isoTime(supersededAtMs)} and ${SUPERSEDED_TOLERANCE} minutes`;
    const sentence = `A later version of the policy was in force on the ledger when this was answered: the one after version ${chain.policyVersion} had been closed there, longer ago than clocks differ and an answer takes.`;
    return fail("policy", "policy-superseded", sentence, { expected, actual: signed.createdAt });
  }
  const when = isBeforeAnswer(chain, signed)
    ? "That version was on the ledger before the answer."
    : "It is the operator’s word, fixed when the receipt was anchored: nothing shows that the version was closed on the ledger before the answer.";
  const later =
    supersededAtMs < Date.parse(signed.createdAt)
      ? "The next version was closed there shortly before, within the time that an answer takes."
      : "No later version was in force there then.";
  return pass(
    "policy",
    `The claims were judged by the version of the policy that the receipt says it was made under. ${when} ${later}`,
    compared,
  );
}

/**
 * Whether the policy was fixed on the ledger before the answer was made. The operator's clock may be ahead, and no answer
 * is later than its anchor.
 */
export function isBeforeAnswer(
  { closedAtMs, anchoredAtMs }: ChainReceipt,
  { createdAt }: Pick<AnswerReceipt, "createdAt">,
): boolean {
  return closedAtMs !== undefined && closedAtMs < Math.min(Date.parse(createdAt), anchoredAtMs);
}

/** What the ledger decided, as of that version. Today's policy does not matter. */
export function checkClaims(
  chain: ChainReceipt | undefined,
  receipt: ForeignReceipt | undefined,
  signed: AnswerReceipt | undefined,
): Check {
  if (chain === undefined)
    return unknown("claims", "needs-object", "Not checked: only a receipt of ours says what is claimed.");
  const { agent, claimed, allAuthorized, policyVersion } = chain;
  if (claimed.some((name, i) => i > 0 && byUtf8(claimed[i - 1] ?? "", name) >= 0)) {
    const sentence = "The claims are not in their order, or one is there twice. The ledger’s rules do not allow that.";
    return fail("claims", "claims-unordered", sentence);
  }
  const policy = `Version ${policyVersion} of the policy on the ledger`;
  // Not `!allAuthorized`: the value comes from outside, and only `true` means authorized.
  if (allAuthorized !== true) {
    const sentence = `${policy} did not allow “${agent}” every claimed namespace: ${quoteNames(claimed)}.`;
    return fail("claims", "claims-refused", sentence);
  }
  if (receipt === undefined) return withoutReceipt("claims");
  const names = new Set(claimed);
  const unclaimed = [...new Set(receipt.usedMemories.map(({ namespace }) => namespace))].filter(
    (name) => !names.has(name),
  );
  if (unclaimed.length > 0) {
    const sentence = `Memories of namespaces were used that are not claimed, so the ledger did not judge them: ${quoteNames(unclaimed)}.`;
    return fail("claims", "used-not-claimed", sentence);
  }
  const blocked = blockedByTheSame(chain, signed).filter((name) => names.has(name));
  if (blocked.length > 0) {
    const sentence = `${policy} allowed namespaces that the receipt lists as blocked under the same version: ${quoteNames(blocked)}.`;
    return fail("claims", "claimed-blocked", sentence);
  }
  if (claimed.length === 0) {
    const sentence =
      "No namespace is claimed, so none had to be allowed. This is true of any receipt, and shows nothing.";
    return unknown("claims", "nothing-claimed", sentence);
  }
  return pass("claims", `${policy} allowed “${agent}” every claimed namespace: ${quoteNames(claimed)}.`);
}

/** What the service blocked by the policy that the ledger has. When another party keeps that one, the two may differ. */
function blockedByTheSame(chain: ChainReceipt, signed: AnswerReceipt | undefined): readonly string[] {
  if (signed === undefined || signed.evidence.ledgerVersion !== undefined || chain.closedAtMs === undefined) return [];
  return signed.blockedNamespaces;
}

export function checkTime(chain: ChainReceipt | undefined, receipt: ForeignReceipt | undefined): Check {
  if (chain === undefined || receipt === undefined) return withoutReceipt("time");
  const { anchoredAtMs, closedAtMs } = chain;
  if (closedAtMs !== undefined && closedAtMs > anchoredAtMs) {
    const compared = { expected: `at most ${anchoredAtMs}`, actual: String(closedAtMs) };
    const sentence =
      "The ledger says that the version was closed after the receipt was anchored, which its rules do not allow.";
    return fail("time", "closed-after-anchor", sentence, compared);
  }
  const answeredAtMs = /Z|[+-]\d\d:\d\d$/.test(receipt.createdAt) ? Date.parse(receipt.createdAt) : Number.NaN;
  if (Number.isNaN(answeredAtMs)) {
    const sentence = "The time of the answer has no time zone, so it cannot be compared with the ledger’s.";
    return unknown("time", "time-unclear", sentence);
  }
  if (answeredAtMs > anchoredAtMs + CLOCK_TOLERANCE_MS) {
    const compared = { expected: `at most ${isoTime(anchoredAtMs)} and 5 minutes`, actual: receipt.createdAt };
    const sentence = "The receipt says that it was answered after it had been anchored, by more than clocks differ.";
    return fail("time", "answered-after-anchor", sentence, compared);
  }
  return pass("time", "It was answered before it was anchored, within the tolerance of five minutes between clocks.");
}

/** The ledger's time is any u64, and a date may not hold it. */
function isoTime(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString();
}
