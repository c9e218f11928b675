// Validates a JSON value as a receipt: the fields of the specification, within the limits of the API. Unknown fields may
// hold anything. The contract has the same rules in zod; core cannot import it, and a test holds both to the same result.
import { faultText, fields, flag, listOf, string } from "#core/encoding/json-shape.ts";
import { LIMITS, recordedNameFault, textFault } from "#core/encoding/text-validation.ts";
import type { ForeignReceipt } from "./receipt.ts";

/** Why the value is not a receipt, for people; undefined if it is one. */
export function receiptFault(value: unknown): string | undefined {
  const fault = receipt(value);
  return fault && faultText(fault);
}

export function isReceipt(value: unknown): value is ForeignReceipt {
  return receipt(value) === undefined;
}

const name = string(recordedNameFault);
const text = (limit: number) => string((value) => textFault(value, limit));
const snippet = string((value) => (value === "" ? undefined : textFault(value, LIMITS.content)));
const time = string((value) => (isTime(value) ? undefined : "must be a time in ISO 8601"));
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
