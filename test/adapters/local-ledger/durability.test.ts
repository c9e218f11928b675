// Durability: a transaction is on record before anybody sees it, and a restart replays the same chain.
import { Ed25519Keypair } from "@mysten/sui/keypairs/ed25519";
import { beforeEach, expect, test } from "vitest";
import { createLocalSui, type LocalSui } from "#adapters/ledger/local/local-sui.ts";
import type { LoggedTransaction } from "#ports.ts";
import { memoryLog } from "#test/support/memory-log.ts";
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

test("a restarted ledger has the same transactions and objects", async () => {
  const digests = await someHistory();
  const again = await createLocalSui({ log: memoryLog([...entries]), owner, clock: () => 0 });
  for (const digest of digests) {
    expect(await again.getTransaction({ digest, include })).toEqual(await sui.getTransaction({ digest, include }));
  }
  const ids = digests
    .flatMap((digest) => sui.explorer.readTransaction(digest)?.changedObjects ?? [])
    .map(({ objectId }) => objectId);
  expect(ids.length).toBeGreaterThan(10);
  for (const id of [...ids, "0x6"]) expect(again.explorer.readObject(id)).toEqual(sui.explorer.readObject(id));
  const parentId =
    "access" in Object(sui.explorer.readObject(sui.gateId)?.fields)
      ? JSON.parse(JSON.stringify(sui.explorer.readObject(sui.gateId)?.fields)).access.id
      : "";
  expect(await again.listDynamicFields({ parentId })).toEqual(await sui.listDynamicFields({ parentId }));
});

test("a transaction that cannot be recorded changes nothing, and can be sent again", async () => {
  const log = { ...memoryLog(entries), append: async () => Promise.reject(new Error("disk full")) };
  const broken = await createLocalSui({ log, owner });
  const signed = await signedCalls(broken, broken, signer, [setAccess("a", "x")]);
  const before = broken.explorer.readObject(broken.gateId);
  await expect(broken.executeTransaction(signed)).rejects.toMatchObject({
    code: "UNAVAILABLE",
    cause: { message: "disk full" },
  });
  expect(broken.explorer.readObject(broken.gateId)).toEqual(before);
  // The same bytes are taken when the log works again.
  log.append = memoryLog(entries).append as never;
  expect((await broken.executeTransaction(signed)).$kind).toBe("Transaction");
});

test("a transaction is visible only after it is recorded", async () => {
  const hold = Promise.withResolvers<void>();
  const appending = Promise.withResolvers<void>();
  const inner = memoryLog();
  const slow = await createLocalSui({
    log: {
      ...inner,
      async append(entry) {
        appending.resolve();
        await hold.promise;
        return inner.append(entry);
      },
    },
    owner,
  });
  const before = slow.explorer.readObject(slow.gateId);
  const answer = slow.executeTransaction(await signedCalls(slow, slow, signer, [setAccess("a", "x")]));
  await appending.promise;
  expect(slow.explorer.readObject(slow.gateId)).toEqual(before);
  expect(slow.explorer.recentTransactions({ limit: 9 }).transactions).toHaveLength(1);
  hold.resolve();
  await answer;
  expect(slow.explorer.readObject(slow.gateId)).not.toEqual(before);
});

test("of two transactions with the same version of a capability, the second is stale", async () => {
  const rivals = await Promise.all(["x", "y"].map((name) => signedCalls(sui, sui, signer, [setAccess("a", name)])));
  const results = await Promise.allSettled(rivals.map((signed) => sui.executeTransaction(signed)));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(entries).toHaveLength(1);
});

const refused = (altered: LoggedTransaction[], by = owner) =>
  expect(createLocalSui({ log: memoryLog(altered), owner: by })).rejects.toThrow(
    /^The local ledger on record does not replay: its transaction \d+ \(\w+\) is refused \(.+\)\. The database and/,
  );

test("a log that does not replay is refused with an error that names the transaction", async () => {
  await someHistory();
  const [first, second, ...rest] = entries as [LoggedTransaction, LoggedTransaction, ...LoggedTransaction[]];
  await refused([second, ...rest]);
  await refused([first, ...rest]);
  await refused([second, first, ...rest]);
  await refused([first, first, second]);
  await refused([{ ...first, txDigest: second.txDigest }]);
  await refused([{ ...first, bytes: first.bytes.with(20, 1) }]);
  await refused([{ ...first, bytes: new Uint8Array() }]);
  await refused([{ ...first, signatures: second.signatures }]);
  await refused([{ ...first, signatures: [] }]);
  await refused([{ ...first, timestampMs: first.timestampMs - 1 }]);
  await refused([{ ...first, timestampMs: second.timestampMs + 1 }, second, ...rest]);
  await refused([first, { ...second, chainHash: first.chainHash }, ...rest]);
  await refused(entries, Ed25519Keypair.generate().toSuiAddress());
});

test("a log whose last rows are missing is refused", async () => {
  await someHistory();
  const log = { ...memoryLog(entries.slice(0, -2)), head: async () => entries.at(-1) };
  await expect(createLocalSui({ log, owner })).rejects.toThrow(
    `the transactions ${entries.length - 1} to ${entries.length} are missing`,
  );
});

test("a log of several pages is replayed completely", async () => {
  await someHistory();
  const whole = memoryLog(entries);
  const paged = { ...whole, page: (page: Parameters<typeof whole.page>[0]) => whole.page({ ...page, limit: 2 }) };
  const again = await createLocalSui({ log: paged, owner });
  expect(again.explorer.recentTransactions({ limit: 9 })).toEqual(sui.explorer.recentTransactions({ limit: 9 }));
});
