// Plans the next transaction: first the policy changes that the gate lacks, in order, then keys, then anchors.
import type { ChainState } from "#adapters/ledger/sui/chain-reader.ts";
import type { UnsentChanges } from "#adapters/ledger/sui/gate/unsent-changes.ts";
import type { AccessRule } from "#core/gate/policy.ts";
import type { ChangePosition, PendingChainAnchor } from "#ports.ts";

export interface TransactionPlan {
  readonly usesPseudonyms: boolean;
  readonly changes: readonly PolicyStep[];
  readonly keys: readonly KeyChange[];
  readonly anchors: readonly PlannedAnchor[];
  /** The last closed version when the gate judges the anchors. */
  readonly closed: number;
  /** Where the changes end, if that is in the middle of a version. */
  readonly position: ChangePosition | undefined;
  readonly isAll: boolean;
}

export type PolicyStep =
  | (AccessRule & { readonly kind: "set"; readonly version: number })
  | { readonly kind: "close"; readonly version: number };

export interface KeyChange {
  readonly kind: "add" | "end";
  readonly publicKey: Uint8Array;
}

export interface PlannedAnchor {
  readonly request: PendingChainAnchor;
  readonly version: number;
}

// Sui limits one transaction to 1,023 commands, 128 KiB, 2,048 objects, 1,024 events, and 1,000 dynamic fields that it
// reads (object_runtime_max_num_cached_objects). The last is the narrowest. The budgets below keep clear of all.
const MAX_FIELDS = 900;
const MAX_BYTES = 100 * 1024;
/** The size of a Move call with its references and the BCS around its arguments. */
const CALL_BYTES = 110;

interface PlannedDue {
  readonly unsent: UnsentChanges;
  readonly keys: readonly KeyChange[];
  readonly isHeld?: boolean;
  /** Whether the gate is new, and does not know yet that its names are pseudonyms. */
  readonly areNamesDue?: boolean;
  readonly isPolicyPrivate?: boolean;
}

/**
 * An anchor travels when its version is closed, at the latest by this transaction. One that is judged by the newest version
 * waits until the gate was told everything. Where the policy is private, keys and anchors wait until no change is left
 * for this transaction: the bytes of theirs are public.
 */
export function planTransaction(
  state: ChainState,
  { unsent, keys, isHeld = false, isPolicyPrivate = false, areNamesDue = false }: PlannedDue,
  pending: readonly PendingChainAnchor[],
  maxCalls = Number.POSITIVE_INFINITY,
): TransactionPlan {
  // A version of one rule takes two calls: the rule, and the end of the version.
  const budget = createBudget(unsent.versions.length > 0 ? Math.max(maxCalls, 2) : maxCalls);
  const { changes, closed, position } = planChanges(state, unsent, budget);
  const isAll = unsent.isAll && position === undefined && closed === (unsent.versions.at(-1)?.version ?? closed);
  if (isPolicyPrivate && changes.length > 0) {
    const isLast = isAll && !isHeld && keys.length === 0;
    return { usesPseudonyms: areNamesDue, changes, keys: [], anchors: [], closed, position, isAll: isLast };
  }
  const eligible = pending.flatMap((request): PlannedAnchor[] => {
    if (request.policyVersion === "newest") return isAll ? [{ request, version: closed }] : [];
    const isClosed = request.policyVersion <= closed || state.policyCap === undefined;
    return isClosed ? [{ request, version: request.policyVersion }] : [];
  });
  const anchors = takeWhile(eligible, ({ request, version }) => {
    const { agentId, blobId, digest, claimed } = request;
    const own = ["", digest, String(version), ...claimed];
    const fields = [own, ["closed", String(version)], ...claimed.map((namespace) => [agentId, namespace])];
    return budget.spend(fields, agentId + blobId + digest + claimed.join(" "));
  });
  return { usesPseudonyms: areNamesDue, changes, keys, anchors, closed, position, isAll: isAll && !isHeld };
}

function planChanges(state: ChainState, { versions }: UnsentChanges, budget: ReturnType<typeof createBudget>) {
  const steps: PolicyStep[] = [];
  let closed = state.version;
  for (const { version, changes, rules, isWhole } of versions) {
    const fitting = takeWhile(changes, ({ agentId, namespace }) =>
      budget.spend([[agentId, namespace]], agentId + namespace),
    );
    for (const { agentId, namespace, allowed } of fitting) {
      steps.push({ kind: "set", agentId, namespace, allowed, version });
    }
    // The end of a version also writes the entry of the last closed one.
    const ended = [closed, version].map((entry) => ["closed", String(entry)]);
    if (fitting.length < changes.length || !isWhole || !budget.spend(ended, "")) {
      // The last rule is sent again, which changes nothing. So the next transaction finds the version, and closes it.
      const sent = fitting.length === changes.length && !isWhole ? rules : (fitting.at(-1)?.rules ?? 1) - 1;
      return { changes: steps, closed, position: sent > 0 ? { version, rules: sent } : undefined };
    }
    steps.push({ kind: "close", version });
    closed = version;
  }
  return { changes: steps, closed, position: undefined };
}

/** Counts calls, bytes, and dynamic fields. A field counts once, however often the transaction reads it. */
function createBudget(maxCalls: number) {
  let calls = 0;
  const fields = new Set<string>();
  let bytes = 0;
  return {
    /** False, and nothing is spent, when it does not fit. */
    spend(names: readonly (readonly string[])[], text: string): boolean {
      const added = names.map((name) => JSON.stringify(name)).filter((name) => !fields.has(name));
      const size = CALL_BYTES + Buffer.byteLength(text);
      if (calls >= maxCalls) return false;
      if (fields.size + added.length > MAX_FIELDS || bytes + size > MAX_BYTES) return false;
      for (const name of added) fields.add(name);
      bytes += size;
      calls += 1;
      return true;
    },
  };
}

function takeWhile<T>(items: readonly T[], fits: (item: T) => boolean): T[] {
  const end = items.findIndex((item) => !fits(item));
  return end === -1 ? [...items] : items.slice(0, end);
}
