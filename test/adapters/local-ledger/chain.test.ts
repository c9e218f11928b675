// Durability: on record before anybody sees it, and the same after every restart.
import { Ed25519Keypair } from "@mysten/sui/keypairs/ed25519";
import { beforeEach, expect, test } from "vitest";
import { memoryLog } from "#adapters/ledger/local/chain/memory-log.ts";
import { createLocalSui, type LocalSui } from "#adapters/ledger/local/client/local-sui.ts";
import type { LoggedTransaction } from "#ports.ts";
import { anchorReceipt, setAccess, signedCalls, type TestCall } from "./fixture.ts";

const signer = Ed25519Keypair.fromSecretKey(new Uint8Array(32).fill(1));
const owner = signer.toSuiAddress();
const include = { effects: true, events: true, objectTypes: true, bcs: true } as const;

let sui: LocalSui;
let entries: LoggedTransaction[];
let time = 1_700_000_000_000;

beforeEach(async () => {
  entries = [];
  sui = await createLocalSui({ log: memoryLog(entries), owner, clock: () => ++time });
});

const run = async (...calls: TestCall[]) =>
  sui.executeTransaction({ ...(await signedCalls(sui, sui, signer, calls)), include });

async function someHistory(): Promise<string[]> {
  const results = [
    await run(setAccess("a", "x"), setAccess("a", "y")),
    await run(anchorReceipt({ claimed: ["x", "y"], agent: "a" })),
    await run(setAccess("a", "y", false), setAccess("", "")),
    await run(setAccess("a", "y", false), anchorReceipt({ claimed: ["x", "y"], agent: "a" })),
  ];
  return results.map((result) => (result.Transaction ?? result.FailedTransaction).digest);
}

test("a ledger that starts again is the one that it was", async () => {
  const digests = await someHistory();
  const again = await createLocalSui({ log: memoryLog([...entries]), owner, clock: () => 0 });
  for (const digest of digests) {
    expect(await again.getTransaction({ digest, include })).toEqual(await sui.getTransaction({ digest, include }));
  }
  const ids = digests
    .flatMap((digest) => sui.readTransaction(digest)?.changedObjects ?? [])
    .map(({ objectId }) => objectId);
  expect(ids.length).toBeGreaterThan(10);
  for (const id of [...ids, "0x6"]) expect(again.readObject(id)).toEqual(sui.readObject(id));
  const parentId =
    "access" in Object(sui.readObject(sui.gateId)?.fields)
      ? JSON.parse(JSON.stringify(sui.readObject(sui.gateId)?.fields)).access.id
      : "";
  expect(await again.listDynamicFields({ parentId })).toEqual(await sui.listDynamicFields({ parentId }));
});

test("what cannot be recorded has not happened", async () => {
  const log = { ...memoryLog(entries), append: async () => Promise.reject(new Error("disk full")) };
  const broken = await createLocalSui({ log, owner });
  const signed = await signedCalls(broken, broken, signer, [setAccess("a", "x")]);
  const before = broken.readObject(broken.gateId);
  await expect(broken.executeTransaction(signed)).rejects.toMatchObject({
    code: "UNAVAILABLE",
    cause: { message: "disk full" },
  });
  expect(broken.readObject(broken.gateId)).toEqual(before);
  // The same bytes are taken once the disk has room again.
  log.append = memoryLog(entries).append as never;
  expect((await broken.executeTransaction(signed)).$kind).toBe("Transaction");
});

test("nothing is seen before it is on record", async () => {
  const gate = Promise.withResolvers<void>();
  const inner = memoryLog();
  const slow = await createLocalSui({
    log: { ...inner, append: (entry) => gate.promise.then(() => inner.append(entry)) },
    owner,
  });
  const before = slow.readObject(slow.gateId);
  const answer = slow.executeTransaction(await signedCalls(slow, slow, signer, [setAccess("a", "x")]));
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(slow.readObject(slow.gateId)).toEqual(before);
  expect(slow.recentTransactions({ limit: 9 }).transactions).toHaveLength(1);
  gate.resolve();
  await answer;
  expect(slow.readObject(slow.gateId)).not.toEqual(before);
});

test("of two transactions that use the same capability, one is stale", async () => {
  const rivals = await Promise.all(["x", "y"].map((name) => signedCalls(sui, sui, signer, [setAccess("a", name)])));
  const results = await Promise.allSettled(rivals.map((signed) => sui.executeTransaction(signed)));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(entries).toHaveLength(1);
});

const refused = (altered: LoggedTransaction[], by = owner) =>
  expect(createLocalSui({ log: memoryLog(altered), owner: by })).rejects.toThrow(
    /^The local ledger on record does not replay: its transaction \d+ \(\w+\) is refused \(.+\)\. The database and/,
  );

test("a record that does not replay is refused with a sentence", async () => {
  await someHistory();
  const [first, second, ...rest] = entries as [LoggedTransaction, LoggedTransaction, ...LoggedTransaction[]];
  await refused([second, ...rest]);
  await refused([first, ...rest]);
  await refused([second, first, ...rest]);
  await refused([first, first, second]);
  await refused([{ ...first, txDigest: second.txDigest }]);
  await refused([{ ...first, bytes: first.bytes.with(20, 1) }]);
  await refused([{ ...first, bytes: new Uint8Array() }]);
  await refused(entries, Ed25519Keypair.generate().toSuiAddress());
});

test("more than a page of it is replayed too", async () => {
  await someHistory();
  const whole = memoryLog(entries);
  const paged = { ...whole, page: (page: Parameters<typeof whole.page>[0]) => whole.page({ ...page, limit: 2 }) };
  const again = await createLocalSui({ log: paged, owner });
  expect(again.recentTransactions({ limit: 9 })).toEqual(sui.recentTransactions({ limit: 9 }));
});
