// Several processes anchor on the local ledger and share one PostgreSQL: each here is a record store and a ledger of its
// own, as each replica of the service has them.
import { SuiGrpcClient } from "@mysten/sui/grpc";
import { describe, expect, onTestFinished, test } from "vitest";
import { createLocalSui, keptKeypair } from "#adapters/ledger/local/index.ts";
import { localLedger } from "#adapters/ledger/local/lazy.ts";
import { postgresRecords } from "#adapters/records/postgres/postgres-records.ts";
import type { ChainAnchor, LedgerBook, PendingChainAnchor, RecordStore } from "#ports.ts";
import { ledgerOver, request } from "#test/suites/ledger.ts";
import { createGrpcFace } from "#test/support/grpc-face/index.ts";
import { freshDatabase, type TestDatabase } from "#test/support/postgres/databases.ts";

const STAMP = { by: "test", at: "2026-01-01T00:00:00Z" };

async function databaseWithPolicy(): Promise<TestDatabase> {
  const database = await freshDatabase();
  onTestFinished(database.drop);
  const { records } = await replica(database);
  for (const namespace of ["diet", "health"]) {
    await records.policy.set({ agentId: "a", namespace, allowed: true }, STAMP);
  }
  return database;
}

/** `name` is what PostgreSQL knows its sessions by; `through` stands between its ledger and its records. */
async function replica({ url }: TestDatabase, name = "replica", through = (records: RecordStore) => records) {
  const named = Object.assign(new URL(url), { search: `?application_name=${name}` }).href;
  const records = await postgresRecords({ url: named });
  const { ledger, book } = localLedger({ records: through(records) });
  // Nobody closes what a process that died has left open.
  if (name !== "doomed") {
    onTestFinished(async () => {
      await ledger.close();
      await records.close();
    });
  }
  return { records, ledger, book };
}

type Replica = Awaited<ReturnType<typeof replica>>;

let asked = 0;
const ask = ({ records }: Pick<Replica, "records">): Promise<PendingChainAnchor> => {
  asked += 1;
  return records.chainAnchors.request(request({ digest: asked.toString(16).padStart(64, "0") }), STAMP.at);
};
const anchor = async (by: Pick<Replica, "records" | "ledger">): Promise<ChainAnchor> => by.ledger.anchor(await ask(by));

/** Every page of the explorer, with every transaction and the objects that it made. */
async function pagesOf(book: LedgerBook) {
  const pages = [];
  for (let before: number | undefined; ; ) {
    const { transactions, next } = await book.recentTransactions({ limit: 7, ...(before !== undefined && { before }) });
    for (const { digest } of transactions) pages.push(await book.readTransaction(digest));
    if (next === undefined) return pages;
    before = next;
  }
}

async function expectEachOnce(replicas: readonly Replica[], anchors: readonly ChainAnchor[], total: number) {
  expect(new Set(anchors.map(({ receiptId }) => receiptId)).size).toBe(anchors.length);
  const histories = await Promise.all(replicas.map(({ book }) => pagesOf(book)));
  for (const pages of histories) expect(pages).toEqual(histories[0]);
  const events = histories[0]?.flatMap((page) => page?.events ?? []).filter(({ name }) => name === "ReceiptAnchored");
  expect(events).toHaveLength(total);
  for (const { ledger, records } of replicas) {
    expect(await records.chainAnchors.pending()).toEqual([]);
    expect(await records.chainAnchors.openTransactions()).toEqual([]);
    for (const { receiptId, txDigest } of anchors) {
      expect(await ledger.find(receiptId)).toMatchObject({ isFrozen: true, previousTransaction: txDigest });
    }
  }
}

describe("Replicas on one PostgreSQL and the local ledger", () => {
  test.for([2, 3])("%i of them mint what was asked of any of them, each exactly once", async (count) => {
    const database = await databaseWithPolicy();
    const replicas = await Promise.all(Array.from({ length: count }, () => replica(database)));
    // Twelve at a time, so that there are many turns, and always somebody who waits for one.
    const lanes = Array.from({ length: 12 }, async (_, i) => {
      const anchors: ChainAnchor[] = [];
      while (anchors.length < 5) anchors.push(await anchor(replicas[i % count] as Replica));
      return anchors;
    });
    await expectEachOnce(replicas, (await Promise.all(lanes)).flat(), 60);
    const packages = await Promise.all(replicas.map(({ ledger }) => ledger.packageId()));
    expect(new Set(packages).size).toBe(1);
  });

  test("The same receipt asked of all at once is minted once, and all answer with it", async () => {
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

  test("A change of the policy made through one is what the next anchor through another is judged by", async () => {
    const database = await databaseWithPolicy();
    const [a, b] = [await replica(database), await replica(database)];
    expect((await anchor(a)).allAuthorized).toBe(true);
    await a.records.policy.set({ agentId: "a", namespace: "diet", allowed: false }, STAMP);
    expect((await anchor(b)).allAuthorized).toBe(false);
    await b.records.policy.set({ agentId: "a", namespace: "diet", allowed: true }, STAMP);
    expect((await anchor(a)).allAuthorized).toBe(true);
    expect(await b.ledger.drift()).toEqual({ leaves: 0, isOursToMend: true });
  });

  test("Replicas whose node is reached over gRPC share the key and the records, and mint each once", async () => {
    const database = await databaseWithPolicy();
    const url = database.url;
    const node = await postgresRecords({ url });
    const signer = await keptKeypair((secret) => node.writeOnce.putIfAbsent("local-ledger-key", secret));
    const log = node.ledgerLog;
    const sui = await createLocalSui({ log, owner: signer.toSuiAddress() });
    const face = await createGrpcFace(sui);
    const { packageId, gateId } = sui;
    const replicas = await Promise.all(
      [1, 2, 3].map(async () => {
        const records = await postgresRecords({ url });
        const { core } = new SuiGrpcClient({ network: "localnet", baseUrl: face.baseUrl });
        return { records, ledger: ledgerOver({ client: core, signer, packageId, gateId }, records) };
      }),
    );
    onTestFinished(async () => {
      for (const { ledger } of replicas) await ledger.close();
      await face.close();
      for (const { records } of [...replicas, { records: node }]) await records.close();
    });
    const anchors = await Promise.all(
      Array.from({ length: 60 }, (_, i) => anchor(replicas[i % 3] as (typeof replicas)[number])),
    );
    await expectEachOnce([await replica(database)], anchors, 60);
  });
});

/**
 * A process that ends at its first call of `name`, before it is made or after it was. It is never heard of again, but
 * its sessions, and so its locks, stay until the server notices.
 */
function mortal(name: string, when: "before" | "after") {
  const died = Promise.withResolvers<void>();
  let isDead = false;
  const forever = () => new Promise<never>(() => undefined);
  const die = () => {
    isDead = true;
    died.resolve();
    return forever();
  };
  const through = <Part extends object>(part: Part, path = ""): Part =>
    new Proxy(part, {
      get(target, key: string) {
        const method: unknown = Reflect.get(target, key);
        const called = `${path}${key}`;
        if (typeof method !== "function") return through(method as object, `${called}.`);
        return async (...args: unknown[]) => {
          if (isDead) return forever();
          if (called === name && when === "before") return die();
          const result = await method(...args);
          if (isDead) return forever();
          return called === name ? die() : result;
        };
      },
    });
  return { died: died.promise, through };
}

describe("A replica that dies in its turn leaves nothing hanging: the others finish its requests, each once", () => {
  const points = [
    ["chainAnchors.openTransactions", "before"],
    ["chainAnchors.addTransaction", "before"],
    ["chainAnchors.addTransaction", "after"],
    ["ledgerLog.append", "before"],
    ["ledgerLog.append", "after"],
    ["chainAnchors.closeTransaction", "before"],
    ["chainAnchors.closeTransaction", "after"],
  ] as const;

  test.for(points)("%s, %s", async ([name, when]) => {
    const database = await databaseWithPolicy();
    const { died, through } = mortal(name, when);
    const doomed = await replica(database, "doomed", through);
    const others = [await replica(database), await replica(database)];
    const left = await Promise.all(Array.from({ length: 20 }, () => ask(doomed)));
    // Nobody hears what the dead one says.
    for (const each of left) doomed.ledger.anchor(each).catch(() => undefined);
    await died;

    const answers = Promise.all(Array.from({ length: 40 }, (_, i) => anchor(others[i % 2] as Replica)));
    // Until its sessions are ended, the turn is still its own.
    await expect
      .poll(() => database.run("SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"))
      .toHaveLength(2);
    await database.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'doomed'");
    await answers;
    const [one] = others;
    const outcomes = await Promise.all(left.map(({ id }) => one?.records.chainAnchors.outcomeOf(id)));
    const finished = outcomes.flatMap((outcome) => outcome ?? []);
    expect(finished).toHaveLength(20);
    await expectEachOnce(others, [...finished, ...(await answers)], 60);
  });
});
