// The tables that have the same SQL in both databases.
import type { Sql } from "#adapters/records/shared/sql.ts";
import type { RecordStore } from "#ports.ts";
import { anchorRecords } from "./anchors.ts";
import { blobTexts } from "./blob-texts.ts";
import { type ChainDialect, chainAnchorRecords } from "./chain-anchors.ts";
import { leaseRecords } from "./leases.ts";
import { ledgerLog } from "./ledger-log.ts";
import { writeOnceValues } from "./write-once.ts";

type Tables = "anchors" | "blobTexts" | "chainAnchors" | "leases" | "ledgerLog" | "writeOnce";

export function sharedTables(sql: Sql, dialect: ChainDialect): Pick<RecordStore, Tables> {
  return {
    anchors: anchorRecords(sql),
    blobTexts: blobTexts(sql),
    chainAnchors: chainAnchorRecords(sql, dialect),
    leases: leaseRecords(sql),
    ledgerLog: ledgerLog(sql),
    writeOnce: writeOnceValues(sql),
  };
}
