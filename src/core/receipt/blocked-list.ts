// The blocked namespaces of an answer. A receipt lists the first ones, and stands for the rest by count and digest.
import { digestOf } from "#core/encoding/digest.ts";
import type { AnswerReceipt } from "./receipt.ts";

/** How many blocked namespaces a receipt lists. */
export const MOST_LISTED = 1_000;

type BlockedFields = Pick<AnswerReceipt, "blockedNamespaces" | "blockedCount" | "blockedDigest">;

/** An agent's list stays the same object until it changes, and its digest is derived once. */
const cut = new WeakMap<readonly string[], BlockedFields>();

/** The fields of a receipt for these namespaces, which are all that are blocked, in UTF-8 order. */
export function blockedFields(blocked: readonly string[]): BlockedFields {
  if (blocked.length <= MOST_LISTED) return { blockedNamespaces: blocked };
  const known = cut.get(blocked);
  if (known !== undefined) return known;
  const fields = {
    blockedCount: blocked.length,
    blockedDigest: digestOf(blocked),
    blockedNamespaces: blocked.slice(0, MOST_LISTED),
  };
  cut.set(blocked, fields);
  return fields;
}
