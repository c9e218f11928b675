import type { LedgerExplorer } from "#ports.ts";
import type { FsckContext } from "#service/operations/fsck/context.ts";

/**
 * Checks the rows of the local ledger's log: none is missing, and their times do not go back. What a row says is checked
 * when the ledger is opened, which executes all of them again.
 */
export async function checkLedgerLog({ rows, report }: FsckContext): Promise<void> {
  let last = { sequence: 0, timestampMs: 0 };
  for await (const { sequence, txDigest, timestampMs } of rows("logged")) {
    if (sequence !== last.sequence + 1)
      report("ledger", txDigest, `${missing(last.sequence + 1, sequence - 1)} in the ledger's log before it`);
    if (timestampMs < last.timestampMs)
      report("ledger", txDigest, `its time in the ledger's log is before that of transaction ${last.sequence}`);
    last = { sequence, timestampMs };
  }
  for await (const { sequence } of rows("ledgerHead")) {
    if (sequence > last.sequence)
      report("ledger", "", `${missing(last.sequence + 1, sequence)} at the end of the ledger's log`);
  }
}

/** Checks that an open ledger still is what its log says. Somebody may have changed the log since it was opened. */
export async function compareWithLog({ rows, report }: FsckContext, explorer: LedgerExplorer): Promise<void> {
  for await (const { sequence, txDigest, timestampMs } of rows("logged")) {
    const executed = await explorer.readTransaction(txDigest);
    if (executed?.sequence !== sequence) report("ledger", txDigest, "the ledger has executed another one in its place");
    else if (executed.timestampMs !== timestampMs)
      report("ledger", txDigest, "the ledger has executed it at another time than its log says");
  }
}

function missing(first: number, last: number): string {
  return first === last ? `transaction ${first} is missing` : `the transactions ${first} to ${last} are missing`;
}
