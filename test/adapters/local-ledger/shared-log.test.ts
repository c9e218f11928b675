// Several processes on one log: each holds the whole chain, and all hold the same.
import { Ed25519Keypair } from "@mysten/sui/keypairs/ed25519";
import { beforeEach, expect, test } from "vitest";
import { createLocalSui, type LocalSui } from "#adapters/ledger/local/local-sui.ts";
import type { LedgerLog } from "#ports.ts";
import { eventsNamed } from "#test/support/local-chain.ts";
import { memoryLog } from "#test/support/memory-log.ts";
import { anchorReceipt, setAccess, signedCalls, type TestCall } from "./fixture.ts";

const signer = Ed25519Keypair.fromSecretKey(new Uint8Array(32).fill(1));
const owner = signer.toSuiAddress();

let log: ReturnType<typeof memoryLog>;
let a: LocalSui;
let b: LocalSui;

const open = (over: LedgerLog = log, isFree = false) => createLocalSui({ log: over, owner, isFree });
const signed = (by: LocalSui, ...calls: TestCall[]) => signedCalls(by, by, signer, calls);
const run = async (by: LocalSui, ...calls: TestCall[]) => by.executeTransaction(await signed(by, ...calls));
const anchor = (i: number) => anchorReceipt({ digest: new Uint8Array(32).fill(i) });

beforeEach(async () => {
  log = memoryLog();
  [a, b] = [await open(), await open()];
});

async function expectTheSame(...all: readonly LocalSui[]): Promise<void> {
  const states = all.map(async (sui) => {
    await sui.catchUp();
    const { transactions } = sui.explorer.recentTransactions({ limit: 1_000 });
    const read = transactions.map(({ digest }) => sui.explorer.readTransaction(digest));
    const ids = new Set(read.flatMap((each) => each?.changedObjects ?? []).map(({ objectId }) => objectId));
    return { transactions, read, objects: [...ids, "0x6"].map((id) => sui.explorer.readObject(id)) };
  });
  const [first, ...others] = await Promise.all(states);
  for (const other of others) expect(other).toEqual(first);
}

test("every read shows what another process has executed", async () => {
  const { Transaction } = await run(a, setAccess("a", "x"), anchor(1));
  const digest = Transaction?.digest ?? "";
  expect((await b.getTransaction({ digest })).$kind).toBe("Transaction");
  await run(a, anchor(2));
  await b.catchUp();
  expect(eventsNamed(b, "ReceiptAnchored")).toHaveLength(2);
  await run(a, anchor(3));
  await run(a, setAccess("a", "y"));
  expect((await b.getObject({ objectId: b.gateId })).object).toEqual(
    (await a.getObject({ objectId: a.gateId })).object,
  );
  const gate = b.explorer.readObject(b.gateId)?.fields as { access: { id: string } } | undefined;
  await run(a, setAccess("a", "z"));
  expect((await b.listDynamicFields({ parentId: gate?.access.id ?? "" })).dynamicFields).toHaveLength(3);
  await run(a, setAccess("a", "x", false));
  expect(await b.listOwnedObjects({ owner })).toEqual(await a.listOwnedObjects({ owner }));
  await expectTheSame(a, b);
});

test("two processes that alternate build on each other's transactions", async () => {
  for (let i = 0; i < 10; i += 1) expect((await run(i % 2 === 0 ? a : b, anchor(i))).$kind).toBe("Transaction");
  expect(log.entries.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 10 }, (_, i) => i + 1));
  await expectTheSame(a, b, await open());
});

test("of two transactions with the same version of a capability in two processes, one is stale, with a full node's error", async () => {
  const rivals = [await signed(a, setAccess("a", "x")), await signed(b, setAccess("a", "y"))] as const;
  const results = await Promise.allSettled([a.executeTransaction(rivals[0]), b.executeTransaction(rivals[1])]);
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  const refused = results.find((result) => result.status === "rejected");
  expect(refused?.reason).toMatchObject({ message: expect.stringMatching(/version|unavailable for consumption/) });
  expect(log.entries).toHaveLength(1);
  await expectTheSame(a, b);
});

test("a transaction that is sent to two processes at once executes once, and both return it", async () => {
  const same = await signed(a, anchor(1));
  const [one, other] = await Promise.all([a.executeTransaction(same), b.executeTransaction(same)]);
  expect(one).toEqual(other);
  expect(log.entries).toHaveLength(1);
  await expectTheSame(a, b);
});

test("a transaction whose place in the log is taken is executed again on the new state", async () => {
  // Both would name the same coin, and the slower transaction would always be stale.
  const other = await open(log, true);
  const slow: LedgerLog = {
    ...log,
    async append(entry) {
      if (log.entries.length % 2 === 0) await run(other, setAccess("b", String(log.entries.length)));
      return log.append(entry);
    },
  };
  const beaten = await open(slow, true);
  // It uses another capability than the faster transaction, so it is not stale.
  expect((await run(beaten, anchor(1))).$kind).toBe("Transaction");
  expect(log.entries).toHaveLength(2);
  await expect(run(beaten, setAccess("a", "x"))).rejects.toMatchObject({ message: expect.stringMatching(/version/) });
  expect((await run(beaten, setAccess("a", "x"))).$kind).toBe("Transaction");
  expect(log.entries).toHaveLength(4);
  await expectTheSame(other, beaten, await open(log, true));
});

test("a transaction counts when it is on record, although the log answered with an error", async () => {
  let isLost = true;
  const lossy: LedgerLog = {
    ...log,
    async append(entry) {
      await log.append(entry);
      if (isLost) throw new Error("the connection was lost");
    },
  };
  const sui = await open(lossy);
  expect((await run(sui, anchor(1))).$kind).toBe("Transaction");
  isLost = false;
  expect((await run(sui, anchor(2))).$kind).toBe("Transaction");
  expect(log.entries).toHaveLength(2);
  await expectTheSame(a, sui);
});

test("a transaction is applied once when a read finds it on record before the append has returned", async () => {
  const held = Promise.withResolvers<void>();
  const recorded = Promise.withResolvers<void>();
  const late = await open({
    ...log,
    async append(entry) {
      await log.append(entry);
      recorded.resolve();
      await held.promise;
    },
  });
  const answer = run(late, anchor(1));
  await recorded.promise;
  await late.catchUp();
  expect(late.explorer.recentTransactions({ limit: 9 }).transactions).toHaveLength(2);
  held.resolve();
  expect((await answer).$kind).toBe("Transaction");
  await expectTheSame(a, late);
});

test("reads at the same time share a read of the log, and each sees what was on record when it began", async () => {
  let pages = 0;
  const counting = await open({
    ...log,
    page: (page) => {
      pages += 1;
      return log.page(page);
    },
  });
  pages = 0;
  const read = () => counting.getObject({ objectId: counting.gateId });
  await Promise.all(Array.from({ length: 50 }, read));
  // The first read starts at once. The other 49 share the next.
  expect(pages).toBe(2);
  const asking = read();
  await run(a, setAccess("a", "x"));
  const { object } = await read();
  await asking;
  expect(object).toEqual((await a.getObject({ objectId: a.gateId })).object);
});

test("a read rejects when the log cannot be read, and does not return an old state", async () => {
  let isDown = false;
  const sui = await open({ ...log, page: (page) => (isDown ? Promise.reject(new Error("down")) : log.page(page)) });
  isDown = true;
  await expect(sui.getObject({ objectId: sui.gateId })).rejects.toThrow("down");
  isDown = false;
  expect((await sui.getObject({ objectId: sui.gateId })).object.objectId).toBe(sui.gateId);
});
