// The hash chain over the log. Signatures bind the bytes of transactions, but neither their order nor their times. Each
// row has the digest of itself and of the link before it, so that a row that was changed, moved or left out is noticed.
import { digestOf } from "#core/encoding/digest.ts";
import type { LoggedTransaction } from "#ports.ts";

const DOMAIN = "portcullis/ledger-log/v1";

/** `previous` is the link of the row before. For the first row it is the digest of the genesis. */
export function linkOf(previous: string, row: Omit<LoggedTransaction, "link" | "bytes">): string {
  const { sequence, txDigest, signatures, timestampMs } = row;
  return digestOf([DOMAIN, previous, sequence, txDigest, signatures, timestampMs]);
}
