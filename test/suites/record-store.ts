// What every record store must do. The test file of each adapter runs this with its own way to make a store.
import { describe } from "vitest";
import { anchorSuite } from "./records/anchors.ts";
import { auditSuite } from "./records/audit.ts";
import { begunReceiptSuite } from "./records/begun-receipts.ts";
import { blobSuite } from "./records/blobs.ts";
import { boundSuite } from "./records/bounds.ts";
import { chainAnchorSuite } from "./records/chain-anchors.ts";
import { changeFeedSuite } from "./records/change-feed.ts";
import { decisionSuite } from "./records/decisions.ts";
import { encryptSuite } from "./records/encryption.ts";
import { eventSuite } from "./records/events.ts";
import { expirySuite } from "./records/expiry.ts";
import { factKeySuite } from "./records/fact-keys.ts";
import { fenceSuite } from "./records/fence.ts";
import { memoryFenceSuite } from "./records/fence-of-memories.ts";
import { followingSuite } from "./records/following.ts";
import { forgettingSuite } from "./records/forgetting.ts";
import { idempotencySuite } from "./records/idempotency.ts";
import { indexSnapshotSuite } from "./records/index-snapshots.ts";
import { keySuite } from "./records/keys.ts";
import { lifeOfMemoriesSuite } from "./records/life-of-memories.ts";
import { memorySuite } from "./records/memories.ts";
import { nameSuite } from "./records/names.ts";
import { namespaceSuite } from "./records/namespaces.ts";
import { pageSuite } from "./records/pages.ts";
import { pinSuite } from "./records/pins.ts";
import { policySuite } from "./records/policy.ts";
import { policyBatchSuite } from "./records/policy-batches.ts";
import { questionSuite } from "./records/questions.ts";
import { quotaSuite } from "./records/quotas.ts";
import { receiptSuite } from "./records/receipts.ts";
import { retentionSuite } from "./records/retention.ts";
import { sameFactSuite } from "./records/same-fact.ts";
import { sharedTurnSuite } from "./records/shared-turns.ts";
import { snapshotRegisterSuite } from "./records/snapshot-register.ts";
import type { StoreUnderTest } from "./records/store-under-test.ts";
import { supersedingSuite } from "./records/superseding.ts";
import { transferSuite } from "./records/transfer.ts";
import { useSuite } from "./records/uses.ts";

/** `prepareAlone` is for what the tenants of a database share: its stores have a database of their own. */
export function recordStoreSuite(
  name: string,
  prepare: () => Promise<StoreUnderTest>,
  prepareAlone: () => Promise<StoreUnderTest> = prepare,
): void {
  describe(`records in ${name}`, () => {
    describe("memories", () => memorySuite(prepare));
    describe("the same fact", () => sameFactSuite(prepare));
    describe("forgetting", () => forgettingSuite(prepare));
    describe("superseding", () => supersedingSuite(prepare));
    describe("keys of facts", () => factKeySuite(prepare));
    describe("expiry", () => expirySuite(prepare));
    describe("the life of memories", () => lifeOfMemoriesSuite(prepare));
    describe("settings of namespaces", () => namespaceSuite(prepare));
    describe("uses of memories", () => useSuite(prepare));
    describe("names", () => nameSuite(prepare));
    describe("requests with an Idempotency-Key", () => idempotencySuite(prepare));
    describe("the change feed", () => changeFeedSuite(prepare));
    describe("indices that follow", () => followingSuite(prepare));
    describe("encrypted memories", () => encryptSuite(prepare));
    describe("pins", () => pinSuite(prepare));
    describe("the policy", () => policySuite(prepare));
    describe("batches of rules", () => policyBatchSuite(prepare));
    describe("the fence", () => fenceSuite(prepare));
    describe("the fence and memories", () => memoryFenceSuite(prepare));
    describe("turns behind the fence", () => sharedTurnSuite(prepare));
    describe("receipts", () => receiptSuite(prepare));
    describe("begun receipts", () => begunReceiptSuite(prepare));
    describe("kept questions", () => questionSuite(prepare));
    describe("the decision log", () => decisionSuite(prepare));
    describe("retention", () => retentionSuite(prepare));
    describe("events", () => eventSuite(prepare));
    describe("blob anchors", () => anchorSuite(prepare));
    describe("chain anchors and the local ledger's log", () => chainAnchorSuite(prepare));
    describe("leases, blob texts and write-once values", () => blobSuite(prepare));
    describe("the register of snapshots", () => snapshotRegisterSuite(prepare));
    describe("snapshots of the index", () => indexSnapshotSuite(prepare));
    describe("keys and sessions", () => keySuite(prepareAlone));
    describe("quotas", () => quotaSuite(prepareAlone));
    describe("records of another database", () => transferSuite(prepare));
    describe("pages", () => pageSuite(prepare));
    describe("bounds", () => boundSuite(prepare));
    describe("an audit", () => auditSuite(prepare));
  });
}
