// A check: one thing that a verifier examined, and its result. Unknown is not a kind of pass: it shows nothing.

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

/**
 * For each check, in their order, why it did not pass, and what that makes of it. The codes are stable: programs and
 * documents name them.
 */
export const CHECK_CODES = {
  object: {
    "ledger-unreachable": "unknown",
    "object-missing": "fail",
    "object-other-id": "fail",
    "object-other-type": "fail",
    "object-not-frozen": "fail",
    "object-malformed": "fail",
  },
  identity: {
    "needs-object": "unknown",
    "id-not-derived": "fail",
    "object-bytes-absent": "unknown",
    "object-bytes-differ": "fail",
    "object-digest-differs": "fail",
  },
  gate: {
    "needs-object": "unknown",
    "gate-unreachable": "unknown",
    "gate-missing": "fail",
    "gate-other-id": "fail",
    "gate-other-type": "fail",
    "gate-not-shared": "fail",
    "gate-malformed": "fail",
    "gate-bytes-absent": "unknown",
    "gate-bytes-differ": "fail",
    "gate-behind": "unknown",
  },
  closing: {
    "needs-gate": "unknown",
    "closing-unreachable": "unknown",
    "closing-missing": "unknown",
    "closing-bytes-absent": "unknown",
    "closing-malformed": "fail",
    "closing-differs": "fail",
    "closing-behind": "unknown",
  },
  blob: { "needs-object": "unknown", "blob-unreachable": "unknown", "blob-missing": "fail" },
  digest: { "needs-blob": "unknown", "digest-differs": "fail" },
  receipt: { "needs-blob": "unknown", "receipt-malformed": "fail" },
  evidence: {
    "needs-receipt": "unknown",
    "evidence-absent": "unknown",
    "evidence-malformed": "fail",
    "template-unknown": "unknown",
  },
  /** Only for a sealed receipt, and where a reader has an opening. */
  opening: {
    "needs-receipt": "unknown",
    sealed: "unknown",
    "opening-malformed": "fail",
    "opening-too-large": "fail",
    "opening-other-field": "fail",
    "opening-differs": "fail",
    "opening-value-malformed": "fail",
    "opening-blob-differs": "fail",
    "opening-name-differs": "fail",
  },
  statements: {
    "needs-receipt": "unknown",
    sealed: "unknown",
    "namespace-blocked": "fail",
    "not-authorized": "fail",
    "blocked-twice": "fail",
    "blocked-unordered": "fail",
    "memory-twice": "fail",
    "memory-contradicted": "fail",
  },
  agent: { "needs-receipt": "unknown", sealed: "unknown", "agent-pseudonym": "unknown", "agent-differs": "fail" },
  policy: {
    "needs-receipt": "unknown",
    "policy-unstated": "unknown",
    "policy-differs": "fail",
    "policy-superseded": "fail",
    "policy-own": "unknown",
    "policy-holder-unknown": "unknown",
  },
  claims: {
    "needs-object": "unknown",
    "needs-receipt": "unknown",
    sealed: "unknown",
    "claims-pseudonyms": "unknown",
    "claims-unordered": "fail",
    "claims-refused": "fail",
    "used-not-claimed": "fail",
    "claimed-blocked": "fail",
    "policy-holder-unknown": "unknown",
    "nothing-claimed": "unknown",
  },
  time: {
    "needs-receipt": "unknown",
    "time-unclear": "unknown",
    "answered-after-anchor": "fail",
    "closed-after-anchor": "fail",
    "answered-before-ledger": "unknown",
  },
  stored: { "needs-receipt": "unknown", sealed: "unknown", "not-verified": "unknown", "not-intact": "unknown" },
  signature: {
    "needs-receipt": "unknown",
    "signature-absent": "unknown",
    "signature-malformed": "fail",
    "keys-unknown": "unknown",
    "key-not-on-gate": "fail",
    "key-ended": "fail",
    "key-ended-unanchored": "unknown",
    "key-later": "unknown",
    "signature-wrong": "fail",
  },
  memory: {
    "needs-receipt": "unknown",
    sealed: "unknown",
    "memory-unreachable": "unknown",
    "memory-missing": "unknown",
    "tombstone-malformed": "unknown",
    "tombstone-not-signed": "unknown",
    "tombstone-key-ended": "unknown",
    "tombstone-later": "unknown",
    "memory-forgotten": "unknown",
    "memory-forgotten-before": "fail",
    "memory-other-id": "fail",
    "memory-malformed": "fail",
    "memory-digest-differs": "fail",
    "memory-differs": "fail",
    "memory-given-too-much": "fail",
    "memory-given-in-part": "fail",
  },
  /** Only in a deep verification. */
  id: { "id-unknown": "unknown", "id-differs": "fail" },
  /** Only where a reader has pinned something. */
  pins: {
    "needs-object": "unknown",
    "pinned-package-differs": "fail",
    "pinned-gate-differs": "fail",
    "pinned-key-differs": "unknown",
  },
} as const satisfies Record<string, Record<string, "fail" | "unknown">>;
