// How versions of the policy, and signing keys, reach the gate. Part of the ledger suite.

import { bcs } from "@mysten/sui/bcs";
import { deriveDynamicFieldID } from "@mysten/sui/utils";
import { expect, onTestFinished, test } from "vitest";
import { ClosedField, Gate } from "#adapters/ledger/gate-module.ts";
import type { SuiLedgerOptions } from "#adapters/ledger/sui/sui-ledger.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { policyFrom } from "#core/gate/policy.ts";
import type { ChainAnchorRequest, Ledger, RecordStore } from "#ports.ts";
import { type ChainUnderTest, ledgerOver, request } from "./ledger-fixture.ts";

const STAMP = { by: "suite", at: "2026-01-02T03:04:05.678Z" };

interface Under {
  readonly chain: ChainUnderTest;
  readonly records: RecordStore;
  readonly ledger: Ledger;
}

/** The records of the suite allow agent `a` the namespaces `diet` and `health`, in versions 1 and 2. */
export function versionTests(under: () => Under): void {
  let digests = 0;

  async function anchor(fields: Partial<ChainAnchorRequest>, { records, ledger }: Omit<Under, "chain"> = under()) {
    digests += 1;
    const digest = digests.toString(16).padStart(64, "0");
    return ledger.anchor(await records.chainAnchors.request(request({ digest, ...fields }), STAMP.at));
  }

  const set = (namespace: string, allowed: boolean, { records } = under()) =>
    records.policy.set({ agentId: "a", namespace, allowed }, STAMP);

  async function gate() {
    const { chain } = under();
    const { object } = await chain.client.getObject({ objectId: chain.gateId, include: { content: true } });
    return Gate.parse(object.content);
  }

  /** When the gate closed the version; undefined when it did not. */
  async function closedAt(version: number): Promise<number | undefined> {
    const { client } = under().chain;
    const { closed } = await gate();
    const id = deriveDynamicFieldID(closed.id, "u64", bcs.u64().serialize(version).toBytes());
    const [object] = (await client.getObjects({ objectIds: [id], include: { content: true } })).objects;
    if (object === undefined || object instanceof Error) return undefined;
    return Number(ClosedField.parse(object.content).value.closed_at_ms);
  }

  /** Other records on the same gate, with a policy of their own. */
  function otherRecords(options: Partial<SuiLedgerOptions> = {}) {
    const records = sqliteRecords({ path: ":memory:" });
    const ledger = ledgerOver(under().chain, records, options);
    onTestFinished(async () => {
      await ledger.close();
      await records.close();
    });
    return { records, ledger };
  }

  test("closes every recorded version on the gate, also when nothing is anchored and no gate opened or closed", async () => {
    const { ledger, records } = under();
    await set("work", true);
    await set("work", false);
    await ledger.sync();
    expect((await gate()).version).toBe("4");
    for (const version of [1, 2, 3, 4]) expect(await closedAt(version)).toBeGreaterThan(0);
    const executed = await under().chain.executed();
    await ledger.sync();
    expect(await under().chain.executed()).toBe(executed);
    expect(await records.ledgerGates.find(under().chain.gateId)).toEqual({ greatest: 4, moves: [] });
  });

  test("judges an anchor by its own version, whatever changed since", async () => {
    await set("diet", false);
    await set("work", true);
    const judged = async (policyVersion: number, ...claimed: string[]) =>
      (await anchor({ policyVersion, claimed })).allAuthorized;
    expect(await judged(2, "diet", "health")).toBe(true);
    expect(await judged(3, "diet", "health")).toBe(false);
    expect(await judged(3, "work")).toBe(false);
    expect(await judged(4, "health", "work")).toBe(true);
    expect(await judged(0, "diet")).toBe(false);
    expect(await judged(1, "diet")).toBe(true);
  });

  test("sends a reset over several transactions under one version, and an anchor of it waits until it is closed", async () => {
    const { records, ledger, chain } = under();
    const rules = Array.from({ length: 2_000 }, (_, i) => ({
      agentId: `agent ${i}`,
      namespace: "n",
      allowed: i > 900,
    }));
    await records.reset([], policyFrom(rules), STAMP);
    const anchored = await anchor({ agentId: "agent 1999", claimed: ["n"], policyVersion: 3 });
    expect(anchored).toMatchObject({ allAuthorized: true, ledgerVersion: "3" });
    expect((await anchor({ agentId: "agent 900", claimed: ["n"], policyVersion: 3 })).allAuthorized).toBe(false);
    expect(await chain.executed()).toBeGreaterThan(1);
    expect(await ledger.drift()).toEqual({ rules: 0, isOursToMend: true });
  });

  test("moves a database past a gate that knows later versions, with the net difference, and names what is not anchored", async () => {
    for (let i = 0; i < 6; i++) await set("diet", i % 2 === 1);
    await set("work", true);
    await under().ledger.sync();
    expect((await gate()).version).toBe("9");

    const moves: number[] = [];
    const other = otherRecords({ onMove: (past) => void moves.push(past) });
    await set("travel", true, { ...under(), ...other });
    await set("diet", true, { ...under(), ...other });
    const before = await other.records.policy.current();
    await other.ledger.sync();
    expect(moves).toEqual([9]);
    expect(await other.records.policy.current()).toEqual({ ...before, version: 10 });
    expect((await other.records.policy.changes({ limit: 1 })).changes).toEqual([
      { version: 10, agentId: "", namespace: "", from: null, to: null, by: "ledger", at: expect.any(String) },
    ]);
    expect((await gate()).version).toBe("10");

    const judged = async (policyVersion: number | "newest", ...claimed: string[]) =>
      (await anchor({ policyVersion, claimed }, other)).allAuthorized;
    expect(await judged(10, "diet", "travel")).toBe(true);
    expect(await judged(10, "health")).toBe(false);
    expect(await judged("newest", "work")).toBe(false);
    for (const version of [1, 2, 9]) {
      await expect(anchor({ policyVersion: version, claimed: [] }, other)).rejects.toMatchObject({
        code: "version-not-on-ledger",
      });
    }
    expect(await other.records.chainAnchors.pending()).toEqual([]);
    await set("health", true, { ...under(), ...other });
    expect(await judged(11, "health")).toBe(true);
  });

  test("refuses an answer of a database that was behind its gate when it was made, and anchors older ones", async () => {
    await under().ledger.sync();
    // A new database, whose first answers are made under version 0. The gate closed version 1 a moment ago.
    const other = otherRecords();
    await set("diet", true, { ...under(), ...other });
    const answered = async (minutes: number) => {
      const blobId = `blob ${minutes}`;
      const createdAt = new Date(Date.now() + minutes * 60_000).toISOString();
      const body = JSON.stringify({ createdAt });
      const anchored = { blobId, digest: "", answerId: blobId, issued: false, anchoredAt: STAMP.at, body };
      await other.records.anchors.add(anchored);
      return anchor({ blobId, claimed: [], policyVersion: 0 }, other);
    };
    await expect(answered(16)).rejects.toMatchObject({
      code: "version-not-on-ledger",
      message: expect.stringContaining("a later version of the policy was in force there"),
    });
    expect(await other.records.chainAnchors.pending()).toEqual([]);
    const { receiptId } = await answered(14);
    expect((await other.ledger.find(receiptId))?.receipt).toMatchObject({
      policyVersion: "0",
      supersededAtMs: await closedAt(1),
    });
  });

  test("moves past versions of which the gate was told and that nobody closed", async () => {
    const { records, chain } = under();
    await under().ledger.sync();
    // A database that is lost in the middle of a large reset: the gate was told half of version 3.
    const lost = { ...records.chainAnchors };
    let sent = 0;
    const doomed = ledgerOver(chain, {
      ...records,
      chainAnchors: {
        ...lost,
        async addTransaction() {
          sent += 1;
          if (sent > 1) throw new Error("lost");
          // Nothing of it stays on record.
        },
        openTransactions: async () => [],
        closeTransaction: async () => undefined,
      },
    });
    const rules = Array.from({ length: 1_200 }, (_, i) => ({ agentId: `agent ${i}`, namespace: "n", allowed: true }));
    const current = (await records.policy.current()).policy;
    await records.reset([], policyFrom(rules), STAMP);
    await doomed.sync();
    await doomed.close();
    expect((await gate()).version).toBe("2");

    // The same database without that reset.
    const restored = otherRecords();
    await restored.records.reset([], current, STAMP);
    await restored.ledger.sync();
    expect(await restored.records.policy.version()).toBeGreaterThan(3);
    const judged = await anchor({ agentId: "agent 0", claimed: ["n"] }, restored);
    expect(judged.allAuthorized).toBe(false);
    expect((await anchor({ claimed: ["diet", "health"] }, restored)).allAuthorized).toBe(true);
  });

  test("puts signing keys on the gate with the next transaction, and ends them", async () => {
    const [first, second] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    let keys: { publicKey: Uint8Array; endedAt?: string }[] = [{ publicKey: first }];
    const { chain, records } = under();
    const ledger = ledgerOver(chain, records, { signingKeys: async () => keys });
    await ledger.sync();
    const hex = (key: Uint8Array) => Buffer.from(key).toString("hex");
    const added = { publicKey: hex(first), addedAtMs: expect.any(Number) };
    expect(await ledger.keys()).toEqual([added]);
    keys = [{ publicKey: first, endedAt: "2026-01-01T00:00:00.000Z" }, { publicKey: second }];
    await ledger.sync();
    expect(await ledger.keys()).toEqual([
      { ...added, endedAtMs: expect.any(Number) },
      { publicKey: hex(second), addedAtMs: expect.any(Number) },
    ]);
    const executed = await chain.executed();
    await ledger.sync();
    expect(await chain.executed()).toBe(executed);
    await ledger.close();
  });

  test("ends a key after the anchors that were requested before", async () => {
    const key = { publicKey: new Uint8Array(32).fill(3) };
    let keys: { publicKey: Uint8Array; endedAt?: string }[] = [key];
    const { chain, records } = under();
    const ledger = ledgerOver(chain, records, { signingKeys: async () => keys });
    await ledger.sync();
    const pending = await records.chainAnchors.request(request({ digest: "d".repeat(64) }), STAMP.at);
    keys = [{ ...key, endedAt: "2026-01-01T00:00:00.000Z" }];
    const { receiptId } = await ledger.anchor(pending);
    await ledger.sync();
    const { receipt } = (await ledger.find(receiptId)) ?? {};
    const [ended] = await ledger.keys();
    expect(receipt?.anchoredAtMs).toBeLessThan(ended?.endedAtMs ?? 0);
    await ledger.close();
  });

  test("tells of a key that has ended on the gate, and not in the records", async () => {
    const publicKey = new Uint8Array(32).fill(4);
    const { chain, records } = under();
    const ended = ledgerOver(chain, records, { signingKeys: async () => [{ publicKey }] });
    await ended.sync();
    await ended.close();
    const ending = ledgerOver(chain, records, {
      signingKeys: async () => [{ publicKey, endedAt: "2026-01-01T00:00:00.000Z" }],
    });
    await ending.sync();
    await ending.close();
    const told: Uint8Array[] = [];
    const restored = ledgerOver(chain, records, {
      signingKeys: async () => [{ publicKey }],
      onKeyEnded: async (key) => told.push(key),
    });
    await restored.sync();
    await restored.close();
    expect(told).toEqual([publicKey]);
  });

  test("says nothing of a version that is somebody else's while the policy is ours", async () => {
    await under().ledger.sync();
    expect(under().ledger.policyVersion()).toBeUndefined();
  });
}
