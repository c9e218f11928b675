import type { LoggedTransaction } from "#ports.ts";
import type { TransactionLog } from "./chain.ts";

/** A log for as long as the process runs. `entries` may be looked at, and handed to the next one. */
export function memoryLog(
  entries: LoggedTransaction[] = [],
): TransactionLog & { readonly entries: LoggedTransaction[] } {
  return {
    entries,
    async append(transaction) {
      if (transaction.sequence !== entries.length + 1) throw new Error("The place in the log is taken.");
      entries.push(transaction);
    },
    page: async ({ after = 0, limit }) => entries.slice(after, after + limit),
  };
}
