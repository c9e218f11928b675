// A check: one thing that a verifier examined, and its result. Unknown is not a kind of pass: it shows nothing.

export type CheckName = "object" | "blob" | "digest" | "receipt" | "agent" | "claims" | "memory" | "id";

export interface Compared {
  readonly expected: string;
  readonly actual: string;
}

export interface Check {
  readonly name: CheckName;
  /** For a used memory, its index in the receipt. */
  readonly index?: number;
  readonly status: "pass" | "fail" | "unknown";
  /** For people: what was compared, and what it means. May hold names from outside: show it as text, never as markup. */
  readonly sentence: string;
  readonly compared?: Compared;
}

export type Verdict = "verified" | "failed" | "unknown";

export function verdictOf(checks: readonly Check[]): Verdict {
  if (checks.some(({ status }) => status === "fail")) return "failed";
  return checks.length > 0 && checks.every(({ status }) => status === "pass") ? "verified" : "unknown";
}

export function check(name: CheckName, status: Check["status"], sentence: string, compared?: Compared): Check {
  return { name, status, sentence, ...(compared !== undefined && { compared }) };
}

export const NEEDS_RECEIPT = "Not checked: the check needs a receipt whose bytes are the ones that were anchored.";

const NAMES_SHOWN = 8;

/** The names in quotes. A receipt may have hundreds, and the sentence must stay readable. */
export function quoteNames(names: readonly string[]): string {
  if (names.length === 0) return "none";
  const shown = names.slice(0, NAMES_SHOWN).map((name) => `“${name}”`);
  const rest = names.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
}
