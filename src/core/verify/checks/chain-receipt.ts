// What the ledger's receipt says, against the receipt itself: agent, policy version, claims and times.
import { byUtf8 } from "#core/encoding/utf8-order.ts";
import type { GateKey } from "#core/ledger/gate-object.ts";
import {
  type ChainReceipt,
  CLOCK_TOLERANCE_MS,
  SUPERSEDED_TOLERANCE,
  wasSuperseded,
} from "#core/receipt/chain-receipt.ts";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import { type Check, fail, pass, quoteNames, unknown, whileSealed, withoutReceipt } from "#core/verify/check.ts";
import { type Disclosed, knownMemories, type LedgerNames, unlessSealed } from "#core/verify/disclosed.ts";
import type { Observation } from "#core/verify/observation.ts";
import type { SignedForm } from "./evidence.ts";

export function checkAgent(
  chain: ChainReceipt | undefined,
  known: Disclosed | undefined,
  { nameOf }: LedgerNames,
): Check {
  if (chain === undefined || known === undefined) return withoutReceipt("agent");
  if (known.agentId === undefined) return whileSealed("agent", "Not checked: the receipt’s agent is sealed.");
  const onLedger = nameOf(chain.agent);
  if (onLedger === undefined) {
    const sentence =
      "The ledger has a pseudonym for the agent. An opening with the salt of its name shows whose it is.";
    return unknown("agent", "agent-pseudonym", sentence, { expected: known.agentId, actual: chain.agent });
  }
  const compared = { expected: onLedger, actual: known.agentId };
  return compared.actual === compared.expected
    ? pass("agent", "The receipt and the ledger name the same agent.", compared)
    : fail("agent", "agent-differs", "The receipt names another agent than the ledger.", compared);
}

/** The claims must be judged by the policy that the answer was made under, and that must not be one of the past. */
export function checkPolicy(
  chain: ChainReceipt | undefined,
  known: Disclosed | undefined,
  signed: SignedForm | undefined,
  policyHolder: Observation["policyHolder"],
): Check {
  if (chain === undefined || known === undefined) return withoutReceipt("policy");
  if (signed === undefined) {
    const sentence = "The receipt does not say which version of the policy on the ledger it was made under.";
    return unknown("policy", "policy-unstated", sentence);
  }
  const { ledgerVersion, policyVersion } = signed.form;
  const compared = { expected: String(ledgerVersion ?? policyVersion), actual: chain.policyVersion };
  if (compared.actual !== compared.expected) {
    const sentence = "The ledger judged the claims by another version of the policy than the answer was made under.";
    return fail("policy", "policy-differs", sentence, compared);
  }
  const { supersededAtMs = Number.POSITIVE_INFINITY } = chain;
  if (wasSuperseded(supersededAtMs, signed.form.createdAt)) {
    const expected = `at most ${isoTime(supersededAtMs)} and ${SUPERSEDED_TOLERANCE} minutes`;
    const sentence = `A later version of the policy was in force on the ledger when this was answered: the one after version ${chain.policyVersion} had been closed there, longer ago than clocks differ and an answer takes.`;
    return fail("policy", "policy-superseded", sentence, { expected, actual: signed.form.createdAt });
  }
  if (ledgerVersion !== undefined && policyHolder !== "another")
    return policyHolder === "signer"
      ? unknown("policy", "policy-own", OWN_POLICY, compared)
      : unknown("policy", "policy-holder-unknown", HOLDER_UNKNOWN, compared);
  const when = isBeforeAnswer(chain, signed.form)
    ? "That version was on the ledger before the answer."
    : "It is the operator’s word, fixed when the receipt was anchored: nothing shows that the version was closed on the ledger before the answer.";
  const later =
    supersededAtMs < Date.parse(signed.form.createdAt)
      ? "The next version was closed there shortly before, within the time that an answer takes."
      : "No later version was in force there then.";
  const whose = ledgerVersion === undefined ? "" : ` ${ANOTHERS_POLICY}`;
  return pass(
    "policy",
    `The claims were judged by the version of the policy that the receipt says it was made under. ${when} ${later}${whose}`,
    compared,
  );
}

const OWN_POLICY =
  "The receipt says that another party keeps the policy on the ledger. But whoever signed the anchor holds the PolicyCap: the service’s own version of the policy should be there.";
const HOLDER_UNKNOWN =
  "The receipt says that another party keeps the policy on the ledger, and the ledger did not say who holds the PolicyCap.";
const ANOTHERS_POLICY =
  "Another address than the signer’s keeps that policy, so the service’s own policy, and what it blocked, may differ from it.";

/** Whether the policy was on the ledger before the answer. No answer is later than its anchor, whatever the clock. */
export function isBeforeAnswer(
  { closedAtMs, anchoredAtMs }: ChainReceipt,
  { createdAt }: Pick<AnswerReceipt, "createdAt">,
): boolean {
  return closedAtMs < Math.min(Date.parse(createdAt), anchoredAtMs);
}

interface Judging {
  readonly signed: SignedForm | undefined;
  readonly names: LedgerNames;
  readonly policyHolder: Observation["policyHolder"];
}

/** What the ledger decided, as of that version. Today's policy does not matter. */
export function checkClaims(chain: ChainReceipt | undefined, known: Disclosed | undefined, judging: Judging): Check {
  const { nameOf } = judging.names;
  if (chain === undefined)
    return unknown("claims", "needs-object", "Not checked: only a receipt of ours says what is claimed.");
  const { claimed, allAuthorized, policyVersion } = chain;
  if (claimed.some((name, i) => i > 0 && byUtf8(claimed[i - 1] ?? "", name) >= 0)) {
    const sentence = "The claims are not in their order, or one is there twice. The ledger’s rules do not allow that.";
    return fail("claims", "claims-unordered", sentence);
  }
  const names = claimed.map(nameOf);
  const agent = nameOf(chain.agent) ?? chain.agent;
  const shown = quoteNames(names.map((name, i) => name ?? claimed[i] ?? ""));
  const policy = `Version ${policyVersion} of the policy on the ledger`;
  // Not `!allAuthorized`: the value comes from outside, and only `true` means authorized.
  if (allAuthorized !== true) {
    const sentence = `${policy} did not allow “${agent}” every claimed namespace: ${shown}.`;
    return fail("claims", "claims-refused", sentence);
  }
  if (known === undefined) return withoutReceipt("claims");
  const allowed = `${policy} allowed “${agent}” every claimed namespace: ${shown}.`;
  if (names.includes(undefined) && known.isWhole) {
    const sentence = `${allowed} The ledger has pseudonyms for them. An opening with the salts of the names shows whether they are the ones that were used.`;
    return unknown("claims", "claims-pseudonyms", sentence);
  }
  const judged = names.includes(undefined)
    ? pass("claims", allowed)
    : judgeClaims(chain, known, judging, new Set(names), allowed);
  return unlessSealed("claims", known, judged, `${allowed} Whether it used others is sealed.`);
}

/** `names` are those of the claims. */
function judgeClaims(
  chain: ChainReceipt,
  known: Disclosed,
  { signed, policyHolder }: Judging,
  names: ReadonlySet<string | undefined>,
  allowed: string,
): Check {
  const used = new Set(knownMemories(known).map(({ namespace }) => namespace));
  const unclaimed = [...used].filter((name) => !names.has(name));
  if (unclaimed.length > 0) {
    const sentence = `Memories of namespaces were used that are not claimed, so the ledger did not judge them: ${quoteNames(unclaimed)}.`;
    return fail("claims", "used-not-claimed", sentence);
  }
  // When another party keeps the policy on the ledger, it may allow what the service's own policy blocks.
  const isAnothers = signed?.form.ledgerVersion !== undefined && policyHolder !== "signer";
  const blocked = signed !== undefined ? known.blockedNamespaces.filter((name) => names.has(name)) : [];
  if (blocked.length > 0 && isAnothers && policyHolder !== "another")
    return unknown("claims", "policy-holder-unknown", HOLDER_UNKNOWN);
  if (blocked.length > 0 && !isAnothers) {
    const sentence = `Version ${chain.policyVersion} of the policy on the ledger allowed namespaces that the receipt lists as blocked under the same version: ${quoteNames(blocked)}.`;
    return fail("claims", "claimed-blocked", sentence);
  }
  if (names.size === 0) {
    const sentence =
      "No namespace is claimed, so none had to be allowed. This is true of any receipt, and shows nothing.";
    return unknown("claims", "nothing-claimed", sentence);
  }
  return pass("claims", allowed);
}

/** The ledger may learn of a key and a version long after they were made. An answer may be older, but not by years. */
const LATEST_TOLD_MS = 366 * 86_400_000;

/** `key` is the one on the gate that signed the receipt. */
export function checkTime(
  chain: ChainReceipt | undefined,
  receipt: Pick<Disclosed, "createdAt"> | undefined,
  key: Pick<GateKey, "addedAtMs"> | undefined,
): Check {
  if (chain === undefined || receipt === undefined) return withoutReceipt("time");
  const { anchoredAtMs, closedAtMs } = chain;
  if (closedAtMs > anchoredAtMs) {
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
  // Version 0 has been closed since ever.
  const knownSinceMs = Math.min(key?.addedAtMs ?? 0, closedAtMs || Number.POSITIVE_INFINITY);
  if (answeredAtMs < knownSinceMs - LATEST_TOLD_MS) {
    const compared = { expected: `at least ${isoTime(knownSinceMs)} less a year`, actual: receipt.createdAt };
    const sentence =
      "The receipt says that it was answered more than a year before the ledger knew the key that signed it, or the version of the policy.";
    return unknown("time", "answered-before-ledger", sentence, compared);
  }
  return pass("time", "It was answered before it was anchored, within the tolerance of five minutes between clocks.");
}

/** The ledger's time is any u64, and a date may not hold it. */
export function isoTime(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString();
}
