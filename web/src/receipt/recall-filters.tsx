// What a recall was limited to, in words. A receipt only commits to it: the decision log has it, or an opening does.
import { useQuery } from "@tanstack/react-query";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import type { ViewedReceipt } from "#core/receipt/receipt.ts";
import { FILTERS } from "#core/receipt/sealed-form.ts";
import { client, queryKeys } from "#web/api/client.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { Name } from "#web/ui/text.tsx";

const WORDS: ReadonlyMap<string, string> = new Map([
  ["namespacePrefix", "namespaces within"],
  ["sourceAgent", "captured by"],
  ["occurredFrom", "from"],
  ["occurredTo", "until"],
  ["metadata", "metadata"],
  ["asOf", "known at"],
  ["minRelevance", "relevance of at least"],
]);

const NAMES = [...WORDS.keys()];

/** "namespaces within trips, from 2025-01-01". An opening may disclose any object. */
export const filtersInWords = (filters: object): string =>
  Object.entries(filters)
    .toSorted(([one], [other]) => NAMES.indexOf(one) - NAMES.indexOf(other))
    .map(([name, value]) => `${WORDS.get(name) ?? name} ${textOf(value)}`)
    .join(", ");

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(" and ");
  return typeof value === "string" ? value : canonicalJson(value);
}

/** A line for a receipt whose recall was limited. */
export function LimitedTo({ receipt }: { readonly receipt: ViewedReceipt }) {
  const { answerId, agentId, createdAt, evidence } = receipt;
  const isLimited = Object.hasOwn(evidence.commitments, FILTERS);
  // The log has a complete answer with the time of its receipt.
  const to = new Date(Date.parse(createdAt) + 1).toISOString();
  const { data } = useQuery({
    queryKey: [...queryKeys.decisions, "of", answerId],
    queryFn: () => client.listDecisions({ agentId, kind: "answer", from: createdAt, to }),
    enabled: usePermissions().may("listDecisions") && isLimited,
  });
  if (!isLimited) return null;
  const filters = data?.decisions.find((decision) => decision.answerId === answerId)?.details?.filters;
  return (
    <p className="px-5 pb-1 text-soft text-sm">
      Limited to: {filters === undefined ? "what the request named" : <Name>{filtersInWords(filters)}</Name>}
    </p>
  );
}
