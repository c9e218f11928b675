// What a row of the decision log is about, for whoever reads it as a timeline.

/** In the order in which a reader chooses among them. */
export const ACTIVITY_KINDS = [
  /** An answer, or memories of a recall, complete or broken off. */
  "answer",
  /** Memories were listed or read. */
  "read",
  "capture",
  /** A gate was opened or closed. */
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

const BY_OUTCOME: ReadonlyMap<string, ActivityKind> = new Map([
  ["answered", "answer"],
  ["broken-off", "answer"],
  ["given", "read"],
  ["captured", "capture"],
  ["anchored", "anchor"],
  ["refused", "refusal"],
  ["failed", "failure"],
]);

export function activityKind({ outcome, route }: { readonly outcome: string; readonly route: string }): ActivityKind {
  const kind = BY_OUTCOME.get(outcome);
  if (kind !== undefined) return kind;
  if (route === "setAccess") return "policy";
  return FORGETTINGS.has(route) ? "forgetting" : "setting";
}
