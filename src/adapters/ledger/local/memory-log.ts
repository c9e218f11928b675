import type { LoggedTransaction } from "../../../ports.ts";
import type { TransactionLog } from "./chain.ts";

/** A log for as long as the process runs. `entries` may be looked at, and handed to the next one. */
export function memoryLog(
  entries: LoggedTransaction[] = [],
): TransactionLog & { readonly entries: LoggedTransaction[] } {
  return {
    entries,
    append: async (transaction) => void entries.push(transaction),
    page: async ({ after = 0, limit }) =>
      entries.slice(after, after + limit).map((entry, i) => ({ ...entry, sequence: after + i + 1 })),
  };
}
