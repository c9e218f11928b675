// What a row of the decision log says, and what it is about, for whoever reads it as a timeline.
import type { RecallFilters } from "./memories/fact-filter.ts";
import type { ForgetCause } from "./tombstone.ts";

/** What was done, where the route does not say it. Ids, names and numbers, and no text. */
export interface DecisionDetails {
  /** Of a change of the policy: whether the gate was opened. Null: its rule was removed. */
  readonly allowed?: boolean | null;
  readonly cause?: ForgetCause;
  readonly memories?: number;
  /** Of an anchor: its blob, and what is on the ledger. */
  readonly blobId?: string;
  readonly receiptId?: string;
  readonly txDigest?: string;
  /** Of a proposal that was accepted or declined, and the places of the messages that say it. */
  readonly proposalId?: string;
  readonly derivedFrom?: readonly number[];
  /** Of a recall or an answer that was narrowed. Of metadata the names: its values are text. */
  readonly filters?: Omit<RecallFilters, "metadata"> & { readonly metadata?: readonly string[] | undefined };
}

export type Outcome =
  /** An answer, or memories of a recall. */
  | "answered"
  /** Memories were listed or read. */
  | "given"
  | "captured"
  /** The policy, a pin, a key, or all records by a reset. */
  | "changed"
  | "anchored"
  | "refused"
  /** Something else went wrong. What had left by then is in a row of its own: `broken-off`. */
  | "failed"
  /** An answer was begun, so that a prompt or a part of the answer may have left, and did not reach its end. */
  | "broken-off";

/** In the order in which a reader chooses among them. */
export const ACTIVITY_KINDS = [
  /** An answer, or memories of a recall, complete or broken off. */
  "answer",
  "read",
  "capture",
  "policy",
  "forgetting",
  "anchor",
  /** Pins, keys, settings of namespaces, a reset, an import. */
  "setting",
  "refusal",
  "failure",
] as const;

export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** In the place of a route, for what the service forgets by itself. */
export const EXPIRY = "expiry";

const FORGETTINGS: ReadonlySet<string> = new Set(["forgetMemory", "forgetMemories", "forgetByKey", EXPIRY]);

const BY_OUTCOME: ReadonlyMap<Outcome, ActivityKind> = new Map([
  ["answered", "answer"],
  ["broken-off", "answer"],
  ["given", "read"],
  ["captured", "capture"],
  ["anchored", "anchor"],
  ["refused", "refusal"],
  ["failed", "failure"],
]);

export function activityKind({ outcome, route }: { readonly outcome: Outcome; readonly route: string }): ActivityKind {
  const kind = BY_OUTCOME.get(outcome);
  if (kind !== undefined) return kind;
  if (route === "setAccess" || route === "setAccessBatch") return "policy";
  return FORGETTINGS.has(route) ? "forgetting" : "setting";
}
