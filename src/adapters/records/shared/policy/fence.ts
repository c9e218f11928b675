// The fence: a readers-writer lock. Actions share it; a change of the policy, and a removal of memories, takes it alone. With
// SQLite it is in the process, with PostgreSQL in the database.
import type { Plan, RowsOf, Statement, TransactionOptions } from "#adapters/records/shared/sql.ts";
import { PortcullisError } from "#core/errors.ts";
import type { PolicyRecords } from "#ports.ts";

export interface FencedPlan<T> extends Plan<T> {
  /** Whether listeners are to hear of it, in every process. */
  readonly isChange: boolean;
}

export type Fenced = <T, const Reads extends readonly Statement[]>(
  reads: Reads,
  decide: (rows: RowsOf<Reads>) => FencedPlan<T>,
  options?: FencedOptions,
) => Promise<T>;

interface FencedOptions extends Pick<TransactionOptions, "timeoutMs"> {
  /** To run in the same transaction, before the fence is taken. */
  readonly before?: readonly Statement[];
}

export interface Fence {
  readonly pass: PolicyRecords["passFence"];
  readonly onChange: PolicyRecords["onChange"];
  /**
   * Takes the fence alone: runs `reads` when nobody else can change what they read, and then the statements that `decide`
   * makes of their rows, in one transaction. Changes of the policy may use the reserve of the disk.
   */
  readonly change: Fenced;
  /** The same for what removes memories. One at a time waits, so that a change of the policy does not wait for all of them. */
  readonly removal: Fenced;
}

/**
 * How many share a turn behind the fence, and its commit: some ten milliseconds. A longer batch has a turn of its own.
 */
export const CHANGES_A_TURN = 32;

/** How long others wait for an action behind the fence, about a millisecond long, before its signal aborts. */
export const FENCE_PATIENCE_MS = 100;

export const policyAwaits = () =>
  new PortcullisError("policy-changed", "The policy is about to change, and this took too long to send. Ask again.");

export const othersAwait = () =>
  new PortcullisError("overloaded", "This took too long to send while others waited. Ask again in a moment.");
