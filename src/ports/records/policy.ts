// The policy, its change log and its fence.
import type { RuleChange, VersionedPolicy, WantedRule } from "#core/gate/policy.ts";
import type { ReadSet } from "#core/gate/read-set.ts";
import type { Decision } from "./logs.ts";
import type { Page } from "./paging.ts";

export type { ReadSet };

export interface PolicyRecords {
  /** The whole policy. It may be large: recalls and answers follow the change feed instead. */
  current(): Promise<VersionedPolicy>;
  version(): Promise<number>;
  /**
   * Sets or removes one rule, and answers with the policy's version. Setting the value that a rule has already changes
   * nothing, the version included, and so does closing what has no rule. Rejects with `limit-reached` when there are too
   * many rules, and with `confusable-name` when it allows, and the agent or the namespace is new and looks like another.
   *
   * Changes that are asked for at the same time share a commit, in turns of those who ask (`stamp.by`). Each has a version
   * of its own, and fails or succeeds by itself.
   */
  set(rule: WantedRule, stamp: Stamp, options?: SetOptions): Promise<{ readonly version: number }>;
  /**
   * Sets rules of different gates as one change, in their order: all of them in one version, or none. When one of them is
   * refused, the error's `fields` point to it (`#/rules/<position>`). Each changed rule has a row of the decision log:
   * `stamp.decision` with its agent, namespace and value.
   */
  setAll(rules: readonly WantedRule[], stamp: Stamp, options?: SetOptions): Promise<{ readonly version: number }>;
  /**
   * Makes the policy's version the one after `past`, or after its own if that is greater, in a change of no rule. The
   * gate already has versions up to `past` that are not ours; ours up to `after` are on it.
   */
  moveBeyond(past: number, gate: { readonly gateId: string; readonly after: number }, stamp: Stamp): Promise<void>;
  /** The change log from a position on, oldest version first; the rules of a version by agent id and namespace. */
  changesFrom(from: ChangePosition, limit: number): Promise<readonly PolicyChange[]>;
  /** The change log, newest version first; the rules of a version by agent id and namespace. */
  changes(page: PolicyChangeQuery): Promise<PolicyChangePage>;
  /**
   * The fence, a readers-writer lock: actions share it; a change of the policy, and the forgetting or superseding of
   * memories, takes it alone. Runs `action` if, at that moment, the agent may use all namespaces of the read set, and all
   * its memories are current and have not expired by the database's clock. Answers whether it ran. A change is
   * acknowledged only after every action that an older state let pass has ended, in every process. So `action` must be
   * short. Rejects with `records-unavailable` when the lock was lost before the action had ended.
   */
  passFence(readSet: ReadSet, action: FencedAction): Promise<boolean>;
  /** Calls `listener` soon after every change of the policy, and every removal of memories, whichever process made it. It may be called more often. */
  onChange(listener: () => void): void;
}

/** A full admin, or one of the namespace. */
export type PolicyAdmin = "admin" | "namespace-admin";

export interface SetOptions {
  /** Whose limits hold: a full admin's, unless it is given. */
  readonly admin?: PolicyAdmin;
  /** A new name may look like another. */
  readonly allowConfusable?: boolean | undefined;
  /** Rejects with `policy-changed` when the policy has another version by then. */
  readonly ifVersion?: number | undefined;
}

/**
 * What runs behind the fence. The signal aborts when the lock may be lost, and when others have waited for long enough.
 * Then the action must end at once, and nothing more of it may leave: it cuts the connection that it writes to, and throws
 * the signal's reason.
 */
export type FencedAction = (signal: AbortSignal) => void | Promise<void>;

/** Who changed something, and when. */
export interface Stamp {
  readonly by: string;
  readonly at: string;
  /** The row of the decision log, recorded in the same step. */
  readonly decision?: Decision | undefined;
}

/** When names are empty and values null, no rule changed: the version moved past that of a gate. */
export interface PolicyChange extends Omit<Stamp, "decision">, RuleChange {
  readonly version: number;
}

/** Which changes a page may hold. A field that is left out lets all pass. */
export interface PolicyChangeFilter {
  readonly agentId?: string | undefined;
  readonly namespace?: string | undefined;
}

export interface PolicyChangeQuery extends PolicyChangeFilter {
  readonly from?: ChangePosition | undefined;
  readonly limit: number;
}

/** A position in the change log, among the changes that pass its filter. No rule is added to a version later, so the number of rules is a stable offset. */
export interface ChangePosition {
  readonly version: number;
  /** How many of the version's rules come before this position. */
  readonly rules: number;
}

export type PolicyChangePage = Page<"changes", PolicyChange, ChangePosition>;
