// All records but those that a database keeps in its own way.
import type { MemoryRecords, RecordLimits, RecordStore } from "#ports.ts";
import { anchorRecords } from "./anchoring/anchors.ts";
import { chainAnchorRecords, ledgerGateRecords } from "./anchoring/chain-anchors.ts";
import { blobTexts, leaseRecords } from "./anchoring/leases.ts";
import { ledgerLog } from "./anchoring/ledger-log.ts";
import { idempotencyRecords } from "./identity/idempotency.ts";
import { keyRecords, sessionRecords, signingKeyRecords } from "./identity/keys.ts";
import { decisionRecords } from "./logs/decisions.ts";
import { eventRecords } from "./logs/events.ts";
import { nameLists } from "./logs/name-lists.ts";
import { reportRecords } from "./logs/reports.ts";
import { retentionRecords } from "./logs/retention.ts";
import { type Correct, corrections } from "./memories/captures.ts";
import { changeFeed } from "./memories/change-feed.ts";
import { encryptionRecords } from "./memories/encryption.ts";
import { memoriesAt, memoryRecords } from "./memories/memories.ts";
import { namespaceRecords } from "./memories/namespaces.ts";
import { snapshotRegister } from "./memories/snapshot-register.ts";
import type { Fence } from "./policy/fence.ts";
import { policyRecords } from "./policy/policy.ts";
import type { Counters } from "./policy/policy-statements.ts";
import { receiptRecords } from "./receipts/receipts.ts";
import type { Database } from "./sql/database.ts";
import { transferRecords } from "./transfer.ts";
import { writeOnceValues } from "./write-once.ts";

interface Parts<D extends Database> {
  readonly limits: RecordLimits;
  readonly fence: Fence;
  /** How captures are recorded that need no fence. */
  readonly captures: (database: D, limits: RecordLimits, correct: Correct) => MemoryRecords["add"];
  readonly at?: MemoryRecords["at"];
  readonly counters?: () => Counters;
  readonly onForgotten?: () => void;
}

export function recordsIn<D extends Database>(
  database: D,
  { limits, fence, captures, at = memoriesAt(database), counters, onForgotten = () => {} }: Parts<D>,
): Omit<RecordStore, "locks" | "quotas" | "reset" | "audit" | "ping" | "close"> {
  const lists = nameLists(database);
  const add = captures(database, limits, corrections(database, limits, fence));
  return {
    memories: memoryRecords(database, { add, at, limits, fence, onForgotten }),
    namespaces: namespaceRecords(database, limits, fence),
    changeFeed: changeFeed(database, counters),
    policy: policyRecords(database, limits, fence),
    receipts: receiptRecords(database, limits, lists),
    decisions: decisionRecords(database, lists),
    events: eventRecords(database),
    retention: retentionRecords(database),
    reports: reportRecords(database),
    anchors: anchorRecords(database),
    chainAnchors: chainAnchorRecords(database),
    ledgerGates: ledgerGateRecords(database),
    ledgerLog: ledgerLog(database),
    leases: leaseRecords(database),
    blobTexts: blobTexts(database),
    writeOnce: writeOnceValues(database),
    snapshots: snapshotRegister(database),
    idempotency: idempotencyRecords(database),
    keys: keyRecords(database),
    sessions: sessionRecords(database),
    signingKeys: signingKeyRecords(database),
    encryption: encryptionRecords(database, { fence, onForgotten }),
    transfer: transferRecords(database, { limits, lists, fence }),
  };
}
