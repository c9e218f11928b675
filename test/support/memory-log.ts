import type { LedgerLog, LoggedTransaction } from "#ports.ts";

/** A transaction log in memory. Tests read `entries`, and open another log with them. */
export function memoryLog(entries: LoggedTransaction[] = []): LedgerLog & { readonly entries: LoggedTransaction[] } {
  return {
    entries,
    async append(transaction) {
      if (transaction.sequence !== entries.length + 1) throw new Error("The place in the log is taken.");
      entries.push(transaction);
    },
    head: async () => entries.at(-1),
    page: async ({ after = 0, limit }) => entries.slice(after, after + limit),
  };
}
