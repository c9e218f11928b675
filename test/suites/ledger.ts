// What anchoring must do, whatever the transport to the chain is. Each transport's test file runs this.
import type { CoreClient } from "@mysten/sui/client";
import type { Signer } from "@mysten/sui/cryptography";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type SuiLedgerOptions, suiLedger } from "#adapters/ledger/sui/index.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { policyFrom } from "#core/gate/policy.ts";
import type { ChainAnchorRequest, Ledger, RecordStore } from "#ports.ts";

export interface ChainUnderTest {
  readonly client: CoreClient;
  readonly signer: Signer;
  readonly packageId: string;
  readonly gateId: string;
  /** How many transactions the chain has executed. */
  executed(): Promise<number>;
  stop(): Promise<void>;
}

const STAMP = { by: "suite", at: "2026-01-02T03:04:05.678Z" };

export function ledgerSuite(name: string, start: () => Promise<ChainUnderTest>): void {
  describe(`anchoring on ${name}`, () => {
    let chain: ChainUnderTest;
    let records: RecordStore;
    let ledger: Ledger;

    beforeEach(async () => {
      chain = await start();
      records = sqliteRecords({ path: ":memory:" });
      ledger = ledgerOver(chain, records);
      await allow("a", "diet", "health");
    });
    afterEach(async () => {
      await ledger.close();
      await records.close();
      await chain.stop();
    });

    async function allow(agentId: string, ...namespaces: string[]): Promise<void> {
      for (const namespace of namespaces) await records.policy.set({ agentId, namespace, allowed: true }, STAMP);
    }

    const anchor = async (fields: Partial<ChainAnchorRequest> = {}, over = { ledger, records }) =>
      over.ledger.anchor(await over.records.chainAnchors.request(request(fields), STAMP.at));

    it("mints a frozen receipt that says what was asked and what was judged", async () => {
      const anchored = await anchor({ claimed: ["diet", "health"] });
      expect(anchored).toMatchObject({ allAuthorized: true, ledgerVersion: "2" });
      const found = await ledger.find(anchored.receiptId);
      expect(found).toMatchObject({
        objectId: anchored.receiptId,
        type: `${chain.packageId}::gate::Receipt`,
        isFrozen: true,
        previousTransaction: anchored.txDigest,
        receipt: {
          gate: chain.gateId,
          agent: "a",
          blobId: "blob",
          digest: request().digest,
          claimed: ["diet", "health"],
          allAuthorized: true,
          issued: true,
          policyVersion: "2",
        },
      });
    });

    it("answers the same request under the same policy with the same receipt, and mints nothing", async () => {
      const first = await anchor();
      const executed = await chain.executed();
      expect(await anchor()).toEqual(first);
      expect(await chain.executed()).toBe(executed);
    });

    it("mints one receipt for the same request made many times at once", async () => {
      const all = await Promise.all(Array.from({ length: 20 }, () => anchor()));
      expect(new Set(all.map(({ receiptId }) => receiptId)).size).toBe(1);
    });

    it("judges claims by the policy of the moment; what was judged stays", async () => {
      expect((await anchor({ claimed: [] })).allAuthorized).toBe(true);
      expect((await anchor({ claimed: ["diet", "work"] })).allAuthorized).toBe(false);
      const before = await anchor({ claimed: ["health"] });
      await records.policy.set({ agentId: "a", namespace: "health", allowed: false }, STAMP);
      const after = await anchor({ claimed: ["health"] });
      expect([before.allAuthorized, after.allAuthorized]).toEqual([true, false]);
      expect(after.receiptId).not.toBe(before.receiptId);
      expect((await ledger.find(before.receiptId))?.receipt?.allAuthorized).toBe(true);
    });

    it("keeps agent and namespace apart, whatever characters they have", async () => {
      await allow("a.b", "c");
      await allow("__proto__", "constructor");
      expect((await anchor({ agentId: "a", claimed: ["b.c"] })).allAuthorized).toBe(false);
      const odd = { digest: "1".repeat(64), agentId: "__proto__", claimed: ["constructor"] };
      expect((await anchor(odd)).allAuthorized).toBe(true);
    });

    it("sends what waits together, and the policy's changes once", async () => {
      const digests = Array.from({ length: 300 }, (_, i) => i.toString(16).padStart(64, "0"));
      const all = await Promise.all(digests.map((digest) => anchor({ digest })));
      expect(new Set(all.map(({ receiptId }) => receiptId)).size).toBe(300);
      expect(all.every(({ ledgerVersion }) => ledgerVersion === "2")).toBe(true);
      expect(await chain.executed()).toBeLessThanOrEqual(3);
    });

    it("brings over a policy too large for one transaction before it anchors", async () => {
      const rules = Array.from({ length: 1_100 }, (_, i) => ({ agentId: `agent ${i}`, namespace: "n", allowed: true }));
      await records.reset([], policyFrom(rules), STAMP);
      const anchored = await anchor({ agentId: "agent 1099", claimed: ["n"] });
      expect(anchored).toMatchObject({ allAuthorized: true, ledgerVersion: "1100" });
      expect(await ledger.drift()).toEqual({ leaves: 0, isOursToMend: true });
    });

    it("tells how far the chain's policy is from ours", async () => {
      expect(await ledger.drift()).toEqual({ leaves: 2, isOursToMend: true });
      await anchor();
      await records.policy.set({ agentId: "a", namespace: "diet", allowed: false }, STAMP);
      expect(await ledger.drift()).toEqual({ leaves: 1, isOursToMend: true });
    });

    it("names the abort of a request that the gate does not take, and anchors the others", async () => {
      const good = Array.from({ length: 5 }, (_, i) => anchor({ digest: String(i).repeat(64) }));
      const bad = anchor({ digest: "f".repeat(64), blobId: "x".repeat(129) });
      await expect(bad).rejects.toMatchObject({
        code: "ledger-refused",
        message: expect.stringContaining("EInvalidBlobId"),
      });
      expect((await Promise.all(good)).length).toBe(5);
      expect(await records.chainAnchors.pending()).toEqual([]);
    });

    it("takes over a receipt that is on the chain and not in its records", async () => {
      const first = await anchor();
      const emptied = sqliteRecords({ path: ":memory:" });
      for (const namespace of ["diet", "health"]) {
        await emptied.policy.set({ agentId: "a", namespace, allowed: true }, STAMP);
      }
      const other = { records: emptied, ledger: ledgerOver(chain, emptied) };
      const { receiptId, txDigest, allAuthorized } = await anchor({}, other);
      expect({ receiptId, txDigest, allAuthorized }).toMatchObject({
        receiptId: first.receiptId,
        txDigest: first.txDigest,
        allAuthorized: true,
      });
      await other.ledger.close();
      await emptied.close();
    });

    it("shares its key with another process, though not gladly", async () => {
      const theirs = sqliteRecords({ path: ":memory:" });
      for (const namespace of ["diet", "health"])
        await theirs.policy.set({ agentId: "a", namespace, allowed: true }, STAMP);
      const other = { records: theirs, ledger: ledgerOver(chain, theirs) };
      const ours = Array.from({ length: 6 }, (_, i) => anchor({ digest: `${i}`.padStart(64, "a") }));
      const others = Array.from({ length: 6 }, (_, i) => anchor({ digest: `${i}`.padStart(64, "b") }, other));
      const all = await Promise.all([...ours, ...others]);
      expect(new Set(all.map(({ receiptId }) => receiptId)).size).toBe(12);
      await other.ledger.close();
      await theirs.close();
    });

    it("finds no object where there is none", async () => {
      expect(await ledger.find(`0x${"12".repeat(32)}`)).toBeUndefined();
    });

    it("finds objects that are no receipts, as what they are", async () => {
      const gate = await ledger.find(chain.gateId);
      expect(gate).toMatchObject({ type: `${chain.packageId}::gate::Gate`, isFrozen: false });
      expect(gate?.receipt).toBeUndefined();
    });
  });
}

export function ledgerOver(
  chain: Omit<ChainUnderTest, "executed" | "stop">,
  records: RecordStore,
  options: Partial<SuiLedgerOptions> = {},
): Ledger {
  const { client, signer, packageId, gateId } = chain;
  return suiLedger({
    client,
    signer,
    packageId,
    gateId,
    records,
    network: "local",
    explorerUrl: (digest) => `/ledger/tx/${digest}`,
    patience: { callMs: 5_000, totalMs: 10_000, pauseMs: 5 },
    ...options,
  });
}

export function request(fields: Partial<ChainAnchorRequest> = {}): ChainAnchorRequest {
  const standard = { agentId: "a", blobId: "blob", digest: "ab".repeat(32), claimed: ["diet"], issued: true };
  return { ...standard, ...fields };
}
