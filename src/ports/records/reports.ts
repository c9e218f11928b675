// What reports are made of. Each read looks at a bounded number of rows.
import type { AccessRule } from "#core/gate/policy.ts";
import type { QuotaName } from "#core/identity/tenant.ts";
import type { After, Page } from "./paging.ts";

export interface ReportRecords {
  /** What counts against the tenant's quotas. */
  usage(): Promise<Usage>;
  /** Counts decisions by day and agent, newest first, from `before` on. */
  tally(slice: DecisionSlice): Promise<DecisionTally>;
  addRevoke(revoke: { readonly at: string; readonly tookMs: number }): Promise<void>;
  /** In milliseconds, of the newest revokes of this time. */
  revokeTimes(range: TimeRange & { readonly limit: number }): Promise<readonly number[]>;
  /** Of receipts that were issued here and anchored: how many are on the ledger. Ids begin with the time. */
  countOnLedger(slice: AnswerSlice): Promise<LedgerCount>;
  /** The agents that were ever given memories, and of which namespaces, in UTF-8 order, after this pair. */
  usedGates(page: { readonly after?: UsedGate | undefined; readonly limit: number }): Promise<readonly UsedGate[]>;
}

export type Usage = Readonly<Record<Exclude<QuotaName, `${string}PerMinute`>, number>>;

interface TimeRange {
  /** Inclusive. */
  readonly from: string;
  /** Exclusive. */
  readonly to: string;
}

export interface DecisionSlice extends TimeRange {
  /** Where the slice before ended. */
  readonly before?: DecisionPosition | undefined;
  readonly limit: number;
}

export interface DecisionPosition {
  readonly at: string;
  readonly sequence: number;
}

/** The next slice begins before the last decision that was looked at. */
export type DecisionTally = Page<"days", DayOfAgent, DecisionPosition>;

export interface DayOfAgent {
  /** `2026-01-02`, UTC. */
  readonly day: string;
  /** Null: no agent's. */
  readonly agentId: string | null;
  /** Complete answers and recalls. */
  readonly answers: number;
  readonly refused: number;
}

export interface AnswerSlice extends After<string> {
  /** The smallest answer id, and the one behind the last. */
  readonly since: string;
  readonly before: string;
}

export interface LedgerCount {
  readonly onLedger: number;
  /** The last answer that was looked at; absent when there are no further ones. */
  readonly next?: string;
}

export type UsedGate = Omit<AccessRule, "allowed">;
