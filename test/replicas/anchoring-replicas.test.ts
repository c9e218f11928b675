// Several replicas anchor on the local ledger and share one PostgreSQL. Each is a record store and a ledger of its own
// in this process.
import { SuiGrpcClient } from "@mysten/sui/grpc";
import { describe, expect, onTestFinished, test } from "vitest";
import { sharedKeypair } from "#adapters/ledger/local/keypair.ts";
import { localLedger } from "#adapters/ledger/local/local-ledger.ts";
import { createLocalSui } from "#adapters/ledger/local/local-sui.ts";
import { postgresRecords } from "#adapters/records/postgres/postgres-records.ts";
import type { ChainAnchor, LedgerExplorer, PendingChainAnchor, RecordStore } from "#ports.ts";
import { ledgerOver, request } from "#test/suites/ledger-fixture.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { interceptCalls } from "#test/support/intercept-calls.ts";
import type { TestDatabase } from "#test/support/postgres/databases.ts";
import { startSuiNodeStandIn } from "#test/support/sui-node-stand-in/sui-node-stand-in.ts";

const STAMP = { by: "test", at: "2026-01-01T00:00:00Z" };
/** The server has databases of other tests too. */
const WAITING_FOR_LOCK = `
  SELECT FROM pg_locks JOIN pg_database ON database = pg_database.oid
  WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted`;

async function databaseWithPolicy(): Promise<TestDatabase> {
  const database = await databaseForTest();
  const { records } = await replica(database);
  for (const namespace of ["diet", "health"]) {
    await records.policy.set({ agentId: "a", namespace, allowed: true }, STAMP);
  }
  return database;
}

/** PostgreSQL knows the replica's sessions by `name`. `wrap` stands between the replica's ledger and its records. */
async function replica({ url }: TestDatabase, name = "replica", wrap = (records: RecordStore) => records) {
  const named = Object.assign(new URL(url), { search: `?application_name=${name}` }).href;
  const records = await postgresRecords({ url: named });
  const { ledger, explorerOf } = localLedger({ records: wrap(records) });
  const explorer = explorerOf();
  // A process that died closes nothing.
  if (name !== "doomed") {
    onTestFinished(async () => {
      await ledger.close();
      await records.close();
    });
  }
  return { records, ledger, explorer };
}

type Replica = Awaited<ReturnType<typeof replica>>;

let requests = 0;
/** Records a request for an anchor of a new receipt. */
const requestAnchor = ({ records }: Pick<Replica, "records">): Promise<PendingChainAnchor> => {
  requests += 1;
  return records.chainAnchors.request(request({ digest: requests.toString(16).padStart(64, "0") }), STAMP.at);
};
const anchor = async (by: Pick<Replica, "records" | "ledger">): Promise<ChainAnchor> =>
  by.ledger.anchor(await requestAnchor(by));

/** Every transaction that the explorer lists, with the objects that it made. */
async function transactionsOf(explorer: LedgerExplorer) {
  const all = [];
  for (let before: number | undefined; ; ) {
    const { transactions, next } = await explorer.recentTransactions({
      limit: 7,
      ...(before !== undefined && { before }),
    });
    for (const { digest } of transactions) all.push(await explorer.readTransaction(digest));
    if (next === undefined) return all;
    before = next;
  }
}

/** Expects that the ledger has `total` receipts, these anchors each once, and that all replicas show the same. */
async function expectEachOnce(replicas: readonly Replica[], anchors: readonly ChainAnchor[], total: number) {
  expect(new Set(anchors.map(({ receiptId }) => receiptId)).size).toBe(anchors.length);
  const histories = await Promise.all(replicas.map(({ explorer }) => transactionsOf(explorer)));
  for (const history of histories) expect(history).toEqual(histories[0]);
  const events = histories[0]
    ?.flatMap((transaction) => transaction?.events ?? [])
    .filter(({ name }) => name === "ReceiptAnchored");
  expect(events).toHaveLength(total);
  for (const { ledger, records } of replicas) {
    expect(await records.chainAnchors.pending()).toEqual([]);
    expect(await records.chainAnchors.openTransactions()).toEqual([]);
    for (const { receiptId, txDigest } of anchors) {
      expect(await ledger.find(receiptId)).toMatchObject({ owner: "immutable", previousTransaction: txDigest });
    }
  }
}

describe("replicas on one PostgreSQL and the local ledger", () => {
  test.for([2, 3])("%i of them mint every requested receipt exactly once", async (count) => {
    const database = await databaseWithPolicy();
    const replicas = await Promise.all(Array.from({ length: count }, () => replica(database)));
    // Twelve at a time, so that the replicas compete for the ledger's lock again and again.
    const workers = Array.from({ length: 12 }, async (_, i) => {
      const anchors: ChainAnchor[] = [];
      while (anchors.length < 5) anchors.push(await anchor(replicas[i % count] as Replica));
      return anchors;
    });
    await expectEachOnce(replicas, (await Promise.all(workers)).flat(), 60);
    const packages = await Promise.all(replicas.map(({ ledger }) => ledger.packageId()));
    expect(new Set(packages).size).toBe(1);
  });

  test("a receipt that is requested of all at once is minted once, and all answer with the same anchor", async () => {
    const database = await databaseWithPolicy();
    const replicas = await Promise.all([1, 2, 3].map(() => replica(database)));
    const answers = replicas.flatMap((each) =>
      Array.from({ length: 5 }, async () =>
        each.ledger.anchor(await each.records.chainAnchors.request(request(), STAMP.at)),
      ),
    );
    const [first, ...others] = await Promise.all(answers);
    for (const other of others) expect(other).toEqual(first);
    await expectEachOnce(replicas, first === undefined ? [] : [first], 1);
  });

  test("the ledger judges an anchor by a policy change that another replica made before it", async () => {
    const database = await databaseWithPolicy();
    const [a, b] = [await replica(database), await replica(database)];
    expect((await anchor(a)).allAuthorized).toBe(true);
    await a.records.policy.set({ agentId: "a", namespace: "diet", allowed: false }, STAMP);
    expect((await anchor(b)).allAuthorized).toBe(false);
    await b.records.policy.set({ agentId: "a", namespace: "diet", allowed: true }, STAMP);
    expect((await anchor(a)).allAuthorized).toBe(true);
    expect(await b.ledger.drift()).toEqual({ rules: 0, isOursToMend: true });
  });

  test("replicas that share a key and reach their node over gRPC mint every receipt once", async () => {
    const database = await databaseWithPolicy();
    const url = database.url;
    const node = await postgresRecords({ url });
    const signer = await sharedKeypair((secret) => node.writeOnce.putIfAbsent("local-ledger-key", secret));
    const log = node.ledgerLog;
    const sui = await createLocalSui({ log, owner: signer.toSuiAddress() });
    const standIn = await startSuiNodeStandIn(sui);
    const { packageId, gateId } = sui;
    const replicas = await Promise.all(
      [1, 2, 3].map(async () => {
        const records = await postgresRecords({ url });
        const { core } = new SuiGrpcClient({ network: "localnet", baseUrl: standIn.baseUrl });
        return { records, ledger: ledgerOver({ client: core, signer, packageId, gateId }, records) };
      }),
    );
    onTestFinished(async () => {
      for (const { ledger } of replicas) await ledger.close();
      await standIn.close();
      for (const { records } of [...replicas, { records: node }]) await records.close();
    });
    const anchors = await Promise.all(
      Array.from({ length: 60 }, (_, i) => anchor(replicas[i % 3] as (typeof replicas)[number])),
    );
    await expectEachOnce([await replica(database)], anchors, 60);
  });
});

/**
 * Simulates a process that dies at its first call of the method `fatal`, before the call or after it. From then on no call
 * is answered. The process's sessions, and so its locks, stay until the server ends them.
 */
function deathAt(fatal: string, when: "before" | "after") {
  const died = Promise.withResolvers<void>();
  let isDead = false;
  const forever = () => new Promise<never>(() => undefined);
  const die = () => {
    isDead = true;
    died.resolve();
    return forever();
  };
  const wrap = (records: RecordStore) =>
    interceptCalls(records, async (name, call) => {
      if (isDead) return forever();
      if (name === fatal && when === "before") return die();
      const result = await call();
      if (isDead) return forever();
      return name === fatal ? die() : result;
    });
  return { died: died.promise, wrap };
}

describe("the requests of a replica that dies while it holds the ledger's lock are finished by the others, each once", () => {
  const points = [
    ["chainAnchors.openTransactions", "before"],
    ["chainAnchors.addTransaction", "before"],
    ["chainAnchors.addTransaction", "after"],
    ["ledgerLog.append", "before"],
    ["ledgerLog.append", "after"],
    ["chainAnchors.closeTransaction", "before"],
    ["chainAnchors.closeTransaction", "after"],
  ] as const;

  test.for(points)("when it dies at %s, %s the call", async ([name, when]) => {
    const database = await databaseWithPolicy();
    const { died, wrap } = deathAt(name, when);
    const doomed = await replica(database, "doomed", wrap);
    const others = [await replica(database), await replica(database)];
    const left = await Promise.all(Array.from({ length: 20 }, () => requestAnchor(doomed)));
    for (const each of left) doomed.ledger.anchor(each).catch(() => undefined);
    await died;

    const answers = Promise.all(Array.from({ length: 40 }, (_, i) => anchor(others[i % 2] as Replica)));
    // Both others wait for the lock until the sessions of the dead replica are ended.
    await expect.poll(() => database.run(WAITING_FOR_LOCK)).toHaveLength(2);
    await database.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'doomed %'");
    await answers;
    const outcomes = await Promise.all(left.map(({ id }) => others[0]?.records.chainAnchors.outcomeOf(id)));
    const finished = outcomes.flatMap((outcome) => outcome ?? []);
    expect(finished).toHaveLength(20);
    await expectEachOnce(others, [...finished, ...(await answers)], 60);
  });
});
