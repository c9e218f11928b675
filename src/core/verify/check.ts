// A check: one thing that a verifier examined, and its result. Unknown is not a kind of pass: it shows nothing.

/** For each check, in their order, why it did not pass. The codes are stable: programs and documents name them. */
export const CHECK_CODES = {
  object: [
    "ledger-unreachable",
    "object-missing",
    "object-other-id",
    "object-other-type",
    "object-not-frozen",
    "object-malformed",
  ],
  identity: ["needs-object", "id-not-derived", "object-bytes-absent", "object-bytes-differ", "object-digest-differs"],
  gate: [
    "needs-object",
    "gate-unreachable",
    "gate-missing",
    "gate-other-id",
    "gate-other-type",
    "gate-not-shared",
    "gate-malformed",
    "gate-bytes-absent",
    "gate-bytes-differ",
    "gate-behind",
  ],
  blob: ["needs-object", "blob-unreachable", "blob-missing"],
  digest: ["needs-blob", "digest-differs"],
  receipt: ["needs-blob", "receipt-malformed"],
  evidence: ["needs-receipt", "evidence-absent", "evidence-former", "evidence-malformed", "template-unknown"],
  statements: [
    "needs-receipt",
    "namespace-blocked",
    "not-authorized",
    "blocked-twice",
    "blocked-unordered",
    "memory-twice",
    "memory-contradicted",
  ],
  agent: ["needs-receipt", "agent-differs"],
  policy: ["needs-receipt", "policy-unstated", "policy-differs", "policy-superseded"],
  claims: [
    "needs-object",
    "needs-receipt",
    "claims-unordered",
    "claims-refused",
    "used-not-claimed",
    "claimed-blocked",
    "nothing-claimed",
  ],
  time: ["needs-receipt", "time-unclear", "answered-after-anchor", "closed-after-anchor"],
  stored: ["needs-receipt", "not-verified", "not-intact"],
  signature: [
    "needs-receipt",
    "signature-absent",
    "signature-malformed",
    "keys-unknown",
    "key-not-on-gate",
    "key-ended",
    "key-later",
    "signature-wrong",
  ],
  memory: [
    "needs-receipt",
    "memory-unreachable",
    "memory-missing",
    "tombstone-not-signed",
    "tombstone-key-ended",
    "memory-forgotten-before",
    "memory-other-id",
    "memory-malformed",
    "memory-digest-differs",
    "memory-differs",
    "memory-given-too-much",
    "memory-given-in-part",
  ],
  /** Only in a deep verification. */
  id: ["id-unknown", "id-differs"],
  /** Only where a reader has pinned something. */
  pins: ["needs-object", "pinned-package-differs", "pinned-gate-differs", "pinned-key-differs"],
} as const;

export type CheckName = keyof typeof CHECK_CODES;
export type CheckCode = (typeof CHECK_CODES)[CheckName][number];
type CodeOf<N extends CheckName> = (typeof CHECK_CODES)[N][number];

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
  /** Of a used memory: its blob is gone, and the service's signed word is that it was forgotten. */
  readonly isForgotten?: true;
}

export type Verdict = "verified" | "failed" | "unknown";

export function verdictOf(checks: readonly Check[]): Verdict {
  if (checks.some(({ status }) => status === "fail")) return "failed";
  return checks.length > 0 && checks.every(({ status }) => status === "pass") ? "verified" : "unknown";
}

export function pass(name: CheckName, sentence: string, compared?: Compared): Check {
  return { name, status: "pass", sentence, ...(compared !== undefined && { compared }) };
}

export function fail<N extends CheckName>(name: N, code: CodeOf<N>, sentence: string, compared?: Compared): Check {
  return { name, status: "fail", code, sentence, ...(compared !== undefined && { compared }) };
}

export function unknown<N extends CheckName>(name: N, code: CodeOf<N>, sentence: string, compared?: Compared): Check {
  return { name, status: "unknown", code, sentence, ...(compared !== undefined && { compared }) };
}

type NeedsReceipt = { [N in CheckName]: "needs-receipt" extends CodeOf<N> ? N : never }[CheckName];

/** The check cannot be made without the receipt. */
export function withoutReceipt(name: NeedsReceipt): Check {
  const sentence = "Not checked: the check needs a receipt whose bytes are the ones that were anchored.";
  return { name, status: "unknown", code: "needs-receipt", sentence };
}

const NAMES_SHOWN = 8;

/** The names in quotes. A receipt may have hundreds, and the sentence must stay readable. */
export function quoteNames(names: readonly string[]): string {
  if (names.length === 0) return "none";
  const shown = names.slice(0, NAMES_SHOWN).map((name) => `“${name}”`);
  const rest = names.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
}
