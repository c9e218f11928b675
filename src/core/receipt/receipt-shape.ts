// Validates a JSON value as a receipt: the fields of the specification, within the limits of the API. Unknown fields may
// hold anything. The contract has the same rules in zod; core cannot import it, and a test holds both to the same result.
import { LIMITS, recordedNameFault, textFault } from "#core/encoding/text-validation.ts";
import type { ForeignReceipt } from "./receipt.ts";

/** The path from the validated value to the part that does not fit, and the reason. */
type Fault = { readonly path: string; readonly why: string } | undefined;
type Rule = (value: unknown) => Fault;

/** Why the value is not a receipt, for people; undefined if it is one. */
export function receiptFault(value: unknown): string | undefined {
  const fault = receipt(value);
  return fault && `${fault.path === "" ? "it" : `its ${fault.path.slice(1)}`} ${fault.why}`;
}

export function isReceipt(value: unknown): value is ForeignReceipt {
  return receipt(value) === undefined;
}

const here = (why: string | undefined): Fault => (why === undefined ? undefined : { path: "", why });

const string =
  (fault: (value: string) => string | undefined): Rule =>
  (value) =>
    here(typeof value === "string" ? fault(value) : "must be a string");

const name = string(recordedNameFault);
const text = (limit: number) => string((value) => textFault(value, limit));
const snippet = string((value) => (value === "" ? undefined : textFault(value, LIMITS.content)));
const time = string((value) => (isTime(value) ? undefined : "must be a time in ISO 8601"));
const flag: Rule = (value) => here(typeof value === "boolean" ? undefined : "must be true or false");

function listOf(rule: Rule, limit: number): Rule {
  return (value) => {
    if (!Array.isArray(value)) return here("must be a list");
    if (value.length > limit) return here(`must have at most ${limit} entries`);
    return firstFault(value.map((entry, i) => [i, rule, entry]));
  };
}

function fields(rules: Readonly<Record<string, Rule>>): Rule {
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return here("must be an object");
    const members = new Map(Object.entries(value));
    return firstFault(Object.entries(rules).map(([key, rule]) => [key, rule, members.get(key)]));
  };
}

function firstFault(members: readonly (readonly [key: string | number, rule: Rule, value: unknown])[]): Fault {
  for (const [key, rule, value] of members) {
    const fault = rule(value);
    if (fault !== undefined) return { ...fault, path: `/${key}${fault.path}` };
  }
  return undefined;
}

const receipt = fields({
  answerId: text(128),
  agentId: name,
  usedMemories: listOf(
    fields({ namespace: name, snippet, storeRef: text(256), authorized: flag, verified: flag }),
    256,
  ),
  blockedNamespaces: listOf(name, 1_000),
  createdAt: time,
});

/** A local time may omit the seconds; a time with an offset may not (RFC 3339). */
const TIME =
  /^(\d{4})-(\d\d)-(\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/;

function isTime(value: string): boolean {
  const [, year, month, day] = TIME.exec(value) ?? [];
  if (year === undefined) return false;
  const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
  // JavaScript reads 30 February as a day in March.
  return !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day);
}
