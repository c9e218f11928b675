// The rules for the fields of a receipt of format 2, which its open form and its sealed form share.
import { count, flag, matching, oneOf, orNull, type Rule, string } from "#core/encoding/json-shape.ts";
import { LIMITS, recordedNameFault, textFault } from "#core/encoding/text-validation.ts";
import type { Evidence } from "#core/receipt/receipt.ts";

export const name = string(recordedNameFault);
export const text = (limit: number): Rule => string((value) => textFault(value, limit));
export const digest = matching(/^[0-9a-f]{64}$/, "64 hex digits");
/** As JavaScript writes it, with milliseconds and in UTC: so one time has one text. */
export const time = string((value) => {
  const date = new Date(value);
  return !Number.isNaN(date.getTime()) && date.toISOString() === value ? undefined : "must be a time in UTC";
});

export const MOST_MEMORIES = 256;

/** A used memory without its snippet. */
export const MEMORY_REST = {
  required: {
    authorized: flag,
    contentDigest: digest,
    given: count,
    intact: flag,
    memoryId: text(128),
    namespace: name,
    storeRef: text(256),
    verified: flag,
  },
  optional: { cited: flag, pinned: oneOf(true) },
} as const;

export const snippet = string((value) => (value === "" ? undefined : textFault(value, LIMITS.content)));

/** What both forms say of an answer, beside its private fields. */
export const HEAD = {
  required: {
    v: oneOf(2),
    kind: oneOf("answered", "recalled"),
    // As the model names itself.
    model: orNull(string(() => undefined)),
    template: orNull(text(128)),
    policyVersion: count,
    policyDigest: digest,
  },
  optional: { ledgerVersion: count },
} as const;

/** Why kind, model and template do not go together, or not with so many memories. */
export function headFault(
  { kind, model, template }: Pick<Evidence, "kind" | "model" | "template">,
  memories: number,
): string | undefined {
  if ((model === null) !== (template === null)) return "model and template must be null together";
  if (kind === "recalled" && model !== null) return "memories that were recalled need no model";
  if (kind === "answered" && model === null && memories > 0) return "an answer without a model uses no memories";
  return undefined;
}
