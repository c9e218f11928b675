// What every record store must do. The test file of each adapter runs this with its own way to make a store.
import { describe } from "vitest";
import { anchorSuite } from "./records/anchors.ts";
import { auditSuite } from "./records/audit.ts";
import { blobSuite } from "./records/blobs.ts";
import { boundSuite } from "./records/bounds.ts";
import { chainAnchorSuite } from "./records/chain-anchors.ts";
import { changeFeedSuite } from "./records/change-feed.ts";
import { decisionSuite } from "./records/decisions.ts";
import { eventSuite } from "./records/events.ts";
import { fenceSuite } from "./records/fence.ts";
import { followingSuite } from "./records/following.ts";
import { idempotencySuite } from "./records/idempotency.ts";
import { indexSnapshotSuite } from "./records/index-snapshots.ts";
import { keySuite } from "./records/keys.ts";
import { memorySuite } from "./records/memories.ts";
import { nameSuite } from "./records/names.ts";
import { openedReceiptSuite } from "./records/opened-receipts.ts";
import { pageSuite } from "./records/pages.ts";
import { pinSuite } from "./records/pins.ts";
import { policySuite } from "./records/policy.ts";
import { proofFactSuite } from "./records/proof-facts.ts";
import { quotaSuite } from "./records/quotas.ts";
import { receiptSuite } from "./records/receipts.ts";
import { retentionSuite } from "./records/retention.ts";
import { sameFactSuite } from "./records/same-fact.ts";
import { snapshotRegisterSuite } from "./records/snapshot-register.ts";
import type { StoreUnderTest } from "./records/store-under-test.ts";

export function recordStoreSuite(name: string, prepare: () => Promise<StoreUnderTest>): void {
  describe(`records in ${name}`, () => {
    describe("memories", () => memorySuite(prepare));
    describe("the same fact", () => sameFactSuite(prepare));
    describe("names", () => nameSuite(prepare));
    describe("requests with an Idempotency-Key", () => idempotencySuite(prepare));
    describe("the change feed", () => changeFeedSuite(prepare));
    describe("indices that follow", () => followingSuite(prepare));
    describe("pins", () => pinSuite(prepare));
    describe("the policy", () => policySuite(prepare));
    describe("the fence", () => fenceSuite(prepare));
    describe("receipts", () => receiptSuite(prepare));
    describe("opened receipts", () => openedReceiptSuite(prepare));
    describe("the decision log", () => decisionSuite(prepare));
    describe("retention", () => retentionSuite(prepare));
    describe("events", () => eventSuite(prepare));
    describe("blob anchors", () => anchorSuite(prepare));
    describe("chain anchors and the local ledger's log", () => chainAnchorSuite(prepare));
    describe("leases, blob texts and write-once values", () => blobSuite(prepare));
    describe("facts that are kept for proofs", () => proofFactSuite(prepare));
    describe("the register of snapshots", () => snapshotRegisterSuite(prepare));
    describe("snapshots of the index", () => indexSnapshotSuite(prepare));
    describe("keys and sessions", () => keySuite(prepare));
    describe("quotas", () => quotaSuite(prepare));
    describe("pages", () => pageSuite(prepare));
    describe("bounds", () => boundSuite(prepare));
    describe("an audit", () => auditSuite(prepare));
  });
}
