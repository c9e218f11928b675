// A check: one thing that a verifier examined, and its result. Unknown is not a kind of pass: it shows nothing. Each result
// has its code and its sentence in sentences.json; a code always fails its check, or always leaves it unknown.
import sentences from "./sentences.json" with { type: "json" };

type Sentences = typeof sentences;
export type CheckName = keyof Sentences;
type Status = "pass" | "fail" | "unknown";
/** A code, or behind a slash which sentence of the code, where it has several. Of a pass, how it passed. */
type Key<N extends CheckName, S extends Status> = Sentences[N] extends { readonly [K in S]: infer Keyed }
  ? keyof Keyed & string
  : never;
type CodeIn<K extends string> = K extends `${infer Code}/${string}` ? Code : K;
export type CheckCode = { [N in CheckName]: CodeIn<Key<N, "fail"> | Key<N, "unknown">> }[CheckName];
export type FailCode<N extends CheckName> = CodeIn<Key<N, "fail">>;

export interface Compared {
  readonly expected: string;
  readonly actual: string;
}

export interface Check {
  readonly name: CheckName;
  /** For a used memory, its index in the receipt. */
  readonly index?: number;
  readonly status: Status;
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

type Table = Readonly<Record<CheckName, Readonly<Partial<Record<Status, Readonly<Record<string, string | null>>>>>>>;
/** For each check, in their order, the sentence of each result. */
const TABLE: Table = sentences;

/** For each check, why it did not pass, and what that makes of it. Codes never change. */
export const CHECK_CODES = Object.fromEntries(
  Object.entries(TABLE).map(([name, { fail = {}, unknown = {} }]) => {
    const each = Object.entries({ fail, unknown }).flatMap(([status, keyed]) =>
      Object.keys(keyed).map((key) => [codeIn(key), status]),
    );
    return [name, Object.fromEntries(each)];
  }),
) as Readonly<Record<CheckName, Readonly<Record<string, "fail" | "unknown">>>>;

function codeIn(key: string): CheckCode {
  return key.split("/")[0] as CheckCode;
}

/** What several checks, or several codes of one, say alike. */
const SHARED: Readonly<Record<string, string>> = {
  "needs-receipt": "Not checked: the check needs a receipt whose bytes are the ones that were anchored.",
  sealed: "Not checked: what the check needs is sealed. The opening shows it.",
  opening: "The opening is not one of this receipt: {fault}.",
};

/** What stands in the braces of a sentence, and what was compared. */
export interface Told {
  readonly compared?: Compared | undefined;
  readonly [value: string]: Compared | string | number | undefined;
}

/** Makes the results of a check. */
export function checkOf<N extends CheckName>(name: N) {
  const made =
    <S extends Status>(status: S) =>
    (key: Key<N, S>, { compared, ...values }: Told = {}): Check => {
      const template = TABLE[name][status]?.[key] ?? SHARED[key] ?? SHARED[name] ?? "";
      return {
        name,
        status,
        ...(status !== "pass" && { code: codeIn(key) }),
        sentence: template.replace(/\{(\w+)\}/g, (_, value: string) => String(values[value])),
        ...(compared !== undefined && { compared }),
      };
    };
  return { pass: made("pass"), fail: made("fail"), unknown: made("unknown") };
}

type Having<Code extends string> = {
  [N in CheckName]: Code extends Key<N, "unknown"> ? N : never;
}[CheckName];

export const withoutReceipt = (name: Having<"needs-receipt">): Check =>
  checkOf<"evidence">(name as "evidence").unknown("needs-receipt");

export const whileSealed = (name: Having<"sealed">, told?: Told): Check =>
  checkOf<"agent">(name as "agent").unknown("sealed", told);

const NAMES_SHOWN = 8;

/** The names in quotes. A receipt may have hundreds, and the sentence must stay readable. */
export function quoteNames(names: readonly string[]): string {
  if (names.length === 0) return "none";
  const shown = names.slice(0, NAMES_SHOWN).map((name) => `“${name}”`);
  const rest = names.length - shown.length;
  return rest > 0 ? `${shown.join(", ")} and ${rest} more` : shown.join(", ");
}
