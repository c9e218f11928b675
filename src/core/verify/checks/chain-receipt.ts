// What the ledger's receipt says, against the receipt itself: agent, policy version, claims and times.
import { byUtf8 } from "#core/encoding/utf8-order.ts";
import type { GateKey } from "#core/ledger/gate-object.ts";
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import { CLOCK_TOLERANCE_MS, SUPERSEDED_TOLERANCE, wasSuperseded } from "#core/receipt/chain-receipt.ts";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import { type Check, checkOf, quoteNames, withoutReceipt } from "#core/verify/check.ts";
import { type Disclosed, knownMemories, type LedgerNames, unlessSealed } from "#core/verify/disclosed.ts";
import type { Observation } from "#core/verify/observation.ts";
import type { SignedForm } from "./evidence.ts";

const [ofAgent, ofPolicy] = [checkOf("agent"), checkOf("policy")];
const [ofClaims, ofTime] = [checkOf("claims"), checkOf("time")];

export function checkAgent(
  chain: ChainReceipt | undefined,
  known: Disclosed | undefined,
  { nameOf }: LedgerNames,
): Check {
  if (chain === undefined || known === undefined) return withoutReceipt("agent");
  if (known.agentId === undefined) return ofAgent.unknown("sealed");
  const onLedger = nameOf(chain.agent);
  if (onLedger === undefined)
    return ofAgent.unknown("agent-pseudonym", { compared: { expected: known.agentId, actual: chain.agent } });
  const compared = { expected: onLedger, actual: known.agentId };
  return compared.actual === compared.expected
    ? ofAgent.pass("same", { compared })
    : ofAgent.fail("agent-differs", { compared });
}

/** The claims must be judged by the policy that the answer was made under, and that must not be one of the past. */
export function checkPolicy(
  chain: ChainReceipt | undefined,
  known: Disclosed | undefined,
  signed: SignedForm | undefined,
  policyHolder: Observation["policyHolder"],
): Check {
  if (chain === undefined || known === undefined) return withoutReceipt("policy");
  if (signed === undefined) return ofPolicy.unknown("policy-unstated");
  const { ledgerVersion, policyVersion } = signed.form;
  const compared = { expected: String(ledgerVersion ?? policyVersion), actual: chain.policyVersion };
  if (compared.actual !== compared.expected) return ofPolicy.fail("policy-differs", { compared });
  const { supersededAtMs = Number.POSITIVE_INFINITY } = chain;
  if (wasSuperseded(supersededAtMs, signed.form.createdAt)) {
    const expected = `at most ${isoTime(supersededAtMs)} and ${SUPERSEDED_TOLERANCE} minutes`;
    const times = { expected, actual: signed.form.createdAt };
    return ofPolicy.fail("policy-superseded", { compared: times, version: chain.policyVersion });
  }
  if (ledgerVersion !== undefined && policyHolder !== "another")
    return ofPolicy.unknown(policyHolder === "signer" ? "policy-own" : "policy-holder-unknown", { compared });
  const when = isBeforeAnswer(chain, signed.form)
    ? "That version was on the ledger before the answer."
    : "It is the operator’s word, fixed when the receipt was anchored: nothing shows that the version was closed on the ledger before the answer.";
  const later =
    supersededAtMs < Date.parse(signed.form.createdAt)
      ? "The next version was closed there shortly before, within the time that an answer takes."
      : "No later version was in force there then.";
  const whose = ledgerVersion === undefined ? "" : ` ${ANOTHERS_POLICY}`;
  return ofPolicy.pass("same", { compared, when, later, whose });
}

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
  if (chain === undefined) return ofClaims.unknown("needs-object");
  const { claimed, allAuthorized, policyVersion } = chain;
  if (claimed.some((name, i) => i > 0 && byUtf8(claimed[i - 1] ?? "", name) >= 0))
    return ofClaims.fail("claims-unordered");
  const names = claimed.map(nameOf);
  const agent = nameOf(chain.agent) ?? chain.agent;
  const shown = quoteNames(names.map((name, i) => name ?? claimed[i] ?? ""));
  const policy = `Version ${policyVersion} of the policy on the ledger`;
  // Not `!allAuthorized`: the value comes from outside, and only `true` means authorized.
  if (allAuthorized !== true) return ofClaims.fail("claims-refused", { policy, agent, shown });
  if (known === undefined) return withoutReceipt("claims");
  const allowed = `${policy} allowed “${agent}” every claimed namespace: ${shown}.`;
  if (names.includes(undefined) && known.isWhole) return ofClaims.unknown("claims-pseudonyms", { allowed });
  const judged = names.includes(undefined)
    ? ofClaims.pass("allowed", { allowed })
    : judgeClaims(chain, known, judging, new Set(names), allowed);
  return unlessSealed("claims", known, judged, { allowed });
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
  if (unclaimed.length > 0) return ofClaims.fail("used-not-claimed", { names: quoteNames(unclaimed) });
  // When another party keeps the policy on the ledger, it may allow what the service's own policy blocks.
  const isAnothers = signed?.form.ledgerVersion !== undefined && policyHolder !== "signer";
  const blocked = signed !== undefined ? known.blockedNamespaces.filter((name) => names.has(name)) : [];
  if (blocked.length > 0 && isAnothers && policyHolder !== "another") return ofClaims.unknown("policy-holder-unknown");
  if (blocked.length > 0 && !isAnothers)
    return ofClaims.fail("claimed-blocked", { version: chain.policyVersion, names: quoteNames(blocked) });
  return names.size === 0 ? ofClaims.unknown("nothing-claimed") : ofClaims.pass("allowed", { allowed });
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
    return ofTime.fail("closed-after-anchor", { compared });
  }
  const answeredAtMs = /Z|[+-]\d\d:\d\d$/.test(receipt.createdAt) ? Date.parse(receipt.createdAt) : Number.NaN;
  if (Number.isNaN(answeredAtMs)) return ofTime.unknown("time-unclear");
  if (answeredAtMs > anchoredAtMs + CLOCK_TOLERANCE_MS) {
    const compared = { expected: `at most ${isoTime(anchoredAtMs)} and 5 minutes`, actual: receipt.createdAt };
    return ofTime.fail("answered-after-anchor", { compared });
  }
  // Version 0 has been closed since ever.
  const knownSinceMs = Math.min(key?.addedAtMs ?? 0, closedAtMs || Number.POSITIVE_INFINITY);
  if (answeredAtMs >= knownSinceMs - LATEST_TOLD_MS) return ofTime.pass("before");
  const compared = { expected: `at least ${isoTime(knownSinceMs)} less a year`, actual: receipt.createdAt };
  return ofTime.unknown("answered-before-ledger", { compared });
}

/** The ledger's time is any u64, and a date may not hold it. */
export function isoTime(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? String(ms) : date.toISOString();
}
