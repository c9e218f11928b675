// A check: one thing that a verifier examined, and its result. Unknown is not a kind of pass: it shows nothing.
import type { Words } from "#core/encoding/words.ts";

type Codes = typeof CHECK_CODES;
export type CheckName = keyof Codes;
type CodeOf<N extends CheckName> = { [M in N]: keyof Codes[M] & string }[N];
export type CheckCode = { [N in CheckName]: CodeOf<N> }[CheckName];
/** The codes of a check that make it fail, or that make it unknown. */
type CodeFor<N extends CheckName, Status> = CheckCode &
  { [C in CodeOf<N>]: Codes[N][C & keyof Codes[N]] extends Status ? C : never }[CodeOf<N>];
export type FailCode<N extends CheckName> = CodeFor<N, "fail">;

export interface Compared {
  readonly expected: string;
  readonly actual: string;
}

export interface Check {
  readonly name: CheckName;
  /** For a used memory, its index in the receipt. */
  readonly index?: number;
  readonly status: "pass" | "fail" | "unknown";
  /** Why it did not pass. Absent if it did. */
  readonly code?: CheckCode;
  /** For people: what was compared, and what it means. May hold names from outside: show it as text, never as markup. */
  readonly sentence: string;
  readonly compared?: Compared;
  /** Of a used memory: its blob is encrypted, so that only its digest was compared. */
  readonly isEncrypted?: true;
}

export type Verdict = "verified" | "failed" | "unknown";

export function verdictOf(checks: readonly Check[]): Verdict {
  if (checks.some(({ status }) => status === "fail")) return "failed";
  return checks.length > 0 && checks.every(({ status }) => status === "pass") ? "verified" : "unknown";
}

export function pass(name: CheckName, sentence: string, compared?: Compared): Check {
  return { name, status: "pass", sentence, ...(compared !== undefined && { compared }) };
}

export function fail<N extends CheckName>(name: N, code: FailCode<N>, sentence: string, compared?: Compared): Check {
  return { name, status: "fail", code, sentence, ...(compared !== undefined && { compared }) };
}

export function unknown<N extends CheckName>(
  name: N,
  code: CodeFor<N, "unknown">,
  sentence: string,
  compared?: Compared,
): Check {
  return { name, status: "unknown", code, sentence, ...(compared !== undefined && { compared }) };
}

type NeedsReceipt = { [N in CheckName]: "needs-receipt" extends CodeOf<N> ? N : never }[CheckName];

export function withoutReceipt(name: NeedsReceipt): Check {
  const sentence = "Not checked: the check needs a receipt whose bytes are the ones that were anchored.";
  return { name, status: "unknown", code: "needs-receipt", sentence };
}

type Sealable = { [N in CheckName]: "sealed" extends CodeOf<N> ? N : never }[CheckName];

export function whileSealed(name: Sealable, sentence: string): Check {
  return { name, status: "unknown", code: "sealed", sentence };
}

const NAMES_SHOWN = 8;

/** The names in quotes. A receipt may have hundreds, and the sentence must stay readable. */
export function quoteNames(names: readonly string[]): string {
  if (names.length === 0) return "none";
  const shown = names.slice(0, NAMES_SHOWN).map((name) => `“${name}”`);
  const rest = names.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
}

// The codes of the checks: why one did not pass. A code always fails its check, or always leaves it unknown.

/** The codes of one check, with a space between. */
function codes<const Fail extends string = never, const Unknown extends string = never>(of: {
  readonly fail?: Fail;
  readonly unknown?: Unknown;
}) {
  const each = Object.entries(of).flatMap(([status, names]) => names.split(" ").map((name) => [name, status]));
  return Object.fromEntries(each) as Readonly<Record<Words<Fail>, "fail"> & Record<Words<Unknown>, "unknown">>;
}

/** For each check, in their order, why it did not pass, and what that makes of it. Codes never change. */
export const CHECK_CODES = {
  object: codes({
    fail: "object-missing object-other-id object-other-type object-not-frozen object-malformed",
    unknown: "not-anchored ledger-unreachable",
  }),
  identity: codes({
    fail: "id-not-derived object-bytes-differ object-digest-differs",
    unknown: "needs-object object-bytes-absent",
  }),
  gate: codes({
    fail: "gate-missing gate-other-id gate-other-type gate-not-shared gate-malformed gate-bytes-differ",
    unknown: "needs-object gate-unreachable gate-bytes-absent gate-behind",
  }),
  closing: codes({
    fail: "closing-malformed closing-differs",
    unknown: "needs-gate closing-unreachable closing-missing closing-bytes-absent closing-behind",
  }),
  blob: codes({ fail: "blob-missing", unknown: "needs-object blob-unreachable" }),
  digest: codes({ fail: "digest-differs", unknown: "needs-blob" }),
  receipt: codes({ fail: "receipt-malformed", unknown: "needs-blob" }),
  evidence: codes({ fail: "evidence-malformed", unknown: "needs-receipt evidence-absent template-unknown" }),
  /** Only for a sealed receipt, and where a reader has an opening. */
  opening: codes({
    fail: "opening-malformed opening-too-large opening-other-field opening-differs opening-value-malformed opening-blob-differs opening-name-differs",
    unknown: "needs-receipt sealed",
  }),
  statements: codes({
    fail: "namespace-blocked not-authorized blocked-twice blocked-unordered memory-twice memory-contradicted",
    unknown: "needs-receipt sealed",
  }),
  agent: codes({ fail: "agent-differs", unknown: "needs-receipt sealed agent-pseudonym" }),
  policy: codes({
    fail: "policy-differs policy-superseded",
    unknown: "needs-receipt policy-unstated policy-own policy-holder-unknown",
  }),
  claims: codes({
    fail: "claims-unordered claims-refused used-not-claimed claimed-blocked",
    unknown: "needs-object needs-receipt sealed claims-pseudonyms policy-holder-unknown nothing-claimed",
  }),
  time: codes({
    fail: "answered-after-anchor closed-after-anchor",
    unknown: "needs-receipt time-unclear answered-before-ledger",
  }),
  stored: codes({ unknown: "needs-receipt sealed not-verified not-intact" }),
  signature: codes({
    fail: "signature-malformed key-not-on-gate key-ended signature-wrong",
    unknown: "needs-receipt signature-absent keys-unknown key-ended-unanchored key-later",
  }),
  memory: codes({
    fail: "tombstone-after-key memory-forgotten-before memory-other-id memory-malformed memory-digest-differs memory-differs memory-given-too-much memory-given-in-part",
    unknown:
      "needs-receipt sealed memory-unreachable memory-missing tombstone-malformed tombstone-not-signed tombstone-key-ended tombstone-later memory-forgotten",
  }),
  /** Only with a proof of the transparency log, or a policy of witnesses. */
  log: codes({
    fail: "log-malformed log-checkpoint-wrong log-cosignature-wrong log-forked log-entry-differs log-opened-differs log-key-differs log-key-later log-dated-differs log-key-ended log-not-included log-promise-broken log-late log-checkpoint-early log-anchor-wrong log-anchor-differs",
    unknown:
      "needs-receipt log-absent log-entry-absent log-anchor-absent log-other-origin log-untrusted log-not-witnessed",
  }),
  /** Only in a deep verification. */
  id: codes({ fail: "id-differs", unknown: "id-unknown" }),
  /** Only where a reader named what it trusts. */
  trust: {
    "needs-object": "unknown",
    "trusted-package-differs": "fail",
    "trusted-gate-differs": "fail",
    "trusted-key-differs": "unknown",
  },
} as const satisfies Record<string, Record<string, "fail" | "unknown">>;
