// Records in PostgreSQL, for several processes at once. All of them write to and read from one primary; a write answers
// when its commit is on the server's disk.
import { randomInt } from "node:crypto";
import { createMutex } from "#async/mutex.ts";
import type { VersionedPolicy } from "#core/gate/policy.ts";
import type { Memory } from "#core/memory.ts";
import type {
  AnchorCounts,
  BlobAnchor,
  BlobLease,
  HourOfAnswers,
  IssuedReceipt,
  PolicyChange,
  RecordStore,
} from "#ports.ts";
import { audited } from "./audit.ts";
import { inBatches } from "./batches.ts";
import * as blobs from "./blob-texts.ts";
import * as chain from "./chain.ts";
import { type Counters, readCounters } from "./counters.ts";
import { connectTo, type Database, type Manner, ONE_MOMENT, type Statement } from "./database.ts";
import { exclusively } from "./exclusive.ts";
import { notOpened, refused } from "./failures.ts";
import { createFence, FENCE_PATIENCE, MOST_BATCHES } from "./fence.ts";
import { readReceipt, readReceiptPage } from "./history.ts";
import * as leases from "./leases.ts";
import * as ledger from "./ledger-log.ts";
import { listenToChanges } from "./listen.ts";
import * as memories from "./memories.ts";
import { readMemoryPage } from "./memory-pages.ts";
import { migrate } from "./migrate.ts";
import * as policy from "./policy.ts";
import * as receipts from "./receipts.ts";
import { readSnapshot } from "./snapshot.ts";
import { keepOnce } from "./write-once.ts";

/** How many memories or receipts one statement records. The longest memories make some megabytes of them. */
const MOST_A_COMMIT = 500;
/** To forget millions of memories takes longer than anything else. */
const RESET_MS = 300_000;
/** Enough for every process to count answers in a part of its own, mostly. */
const PARTS = 64;
/** Anchoring and seeding: each may hold a connection for as long as it takes. */
const JOBS = 2;
const READ_POLICY: readonly Statement[] = [readCounters, policy.readPolicy];

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** How many connections ordinary statements may use. The fence, the listener and the anchoring have their own. */
  readonly max?: number;
}

export async function postgresRecords({ url, max = 10 }: PostgresOptions): Promise<RecordStore> {
  const database = connectTo(url, max);
  try {
    await makeReady(database);
  } catch (error) {
    await database.close();
    return notOpened(error);
  }
  return recordsIn(database);
}

async function makeReady(database: Database): Promise<void> {
  const client = database.client();
  client.on("error", () => undefined);
  await client.connect();
  try {
    await migrate(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function recordsIn(database: Database): RecordStore {
  const fence = createFence(database.poolOf(MOST_BATCHES, FENCE_PATIENCE));
  /** An audit of millions of rows takes as long as it takes. */
  const auditing = database.poolOf(1, { statementMs: 0, idleMs: 0 });
  const inTurn = createMutex();
  const listeners: (() => void)[] = [];
  const tell = () => {
    for (const listener of listeners) listener();
  };
  let listening: ReturnType<typeof listenToChanges> | undefined;
  const part = randomInt(PARTS);

  const captures = inBatches<Capture>(MOST_A_COMMIT, (batch) => {
    const add = memories.addMemories(batch.map(({ memory }) => memory));
    const kept = batch.flatMap(({ lease }) => lease ?? []);
    return kept.length === 0 ? database.run(add) : database.together([add, leases.keepLeases(kept)]);
  });
  const issues = inBatches<IssuedReceipt>(MOST_A_COMMIT, (batch) => database.run(receipts.addReceipts(batch, part)));

  const rows = <Row>(statement: Statement): Promise<Row[]> => database.run<Row>(statement).catch(refused);
  const row = async <Row>(statement: Statement): Promise<Row | undefined> => (await rows<Row>(statement))[0];
  const write = (...statements: Statement[]): Promise<void> =>
    (statements.length === 1 ? rows(statements[0] as Statement) : database.together(statements)).then(
      () => undefined,
      refused,
    );

  /**
   * A change of the policy. One at a time: each may wait long for the fence, and must not do so on many connections.
   * Our own listeners are told at once, also while nothing can be heard from the others.
   */
  const change = (statements: readonly Statement[], manner?: Manner): Promise<unknown[][]> =>
    inTurn("policy", () => database.together(statements, manner)).then((results) => {
      tell();
      return results;
    }, refused);

  return {
    changeFeed: { since: (cursor) => readSnapshot(database, cursor).catch(refused) },

    memories: {
      add: (memory, lease) => captures.write(lease === undefined ? { memory } : { memory, lease }).catch(refused),
      find: (memoryId) => row<Memory>(memories.findMemory(memoryId)),
      at: (sequences) => rows<Memory>(memories.memoriesAt(sequences)),
      page: (page) => readMemoryPage(database.run, page).catch(refused),
      async counts() {
        const read = database.together(memories.countMemories, { begin: ONE_MOMENT }).catch(refused);
        const [byNamespace, bySourceAgent] = (await read) as [memories.CountRow[], memories.CountRow[]];
        return { byNamespace: memories.toCounts(byNamespace), bySourceAgent: memories.toCounts(bySourceAgent) };
      },
    },

    policy: {
      async current() {
        return toVersioned(await database.together(READ_POLICY, { begin: ONE_MOMENT }).catch(refused));
      },
      set: async (rule, stamp) =>
        toVersioned((await change([policy.lockPolicy, policy.setLeaf(rule, stamp), ...READ_POLICY])).slice(2)),
      async changes({ from, limit }) {
        const page = from === undefined ? { limit } : { from, limit };
        return policy.toChangePage(await rows<PolicyChange>(policy.readChanges(page)), limit, from);
      },
      passFence: (readSet, action) => fence.pass(readSet, action),
      onChange(listener) {
        listeners.push(listener);
        listening ??= listenToChanges(database.client, tell);
      },
    },

    receipts: {
      add: (receipt) => issues.write(receipt).catch(refused),
      isIssued: async (answerId, body) => (await rows(receipts.findReceipt(answerId, body))).length > 0,
      find: (answerId) => readReceipt(database, answerId).catch(refused),
      page: (page) => readReceiptPage(database, page).catch(refused),
      byHour: (since) => rows<HourOfAnswers>(receipts.answersSince(since)),
    },

    anchors: {
      add: (anchor, lease) =>
        write(receipts.addAnchor(anchor), ...(lease === undefined ? [] : [leases.keepLeases([lease])])),
      page: (page) => rows<BlobAnchor>(receipts.anchorPage(page)),
      counts: async () => (await row<AnchorCounts>(receipts.countAnchors)) as AnchorCounts,
    },

    chainAnchors: {
      async request(request, at) {
        return chain.toPending((await row(chain.addRequest(request, at))) as chain.PendingRow);
      },
      pending: async () => (await rows<chain.PendingRow>(chain.pendingRequests)).map(chain.toPending),
      addTransaction: (transaction) => write(chain.addTransaction(transaction)),
      openTransactions: async () => (await rows<chain.SignedRow>(chain.openTransactions)).map(chain.toSigned),
      closeTransaction: (txDigest, outcomes) =>
        write(...chain.completeRequests(outcomes), chain.closeTransaction(txDigest)),
      complete: (outcome) => write(...chain.completeRequests([outcome])),
      drop: (id) => write(chain.dropRequest(id)),
      find: async (receiptId) => chain.toAnchor(await row<chain.AnchorRow>(chain.findAnchor(receiptId))),
      outcomeOf: async (id) => chain.toAnchor(await row<chain.AnchorRow>(chain.findOutcome(id))),
    },

    ledgerLog: {
      append: (transaction) => write(ledger.appendToLog(transaction)),
      page: async (page) => (await rows<ledger.LogRow>(ledger.logPage(page))).map(ledger.toLogged),
    },

    leases: {
      put: (lease) => write(leases.keepLeases([lease])),
      find: async (blobId) => leases.toLease(await row<leases.LeaseRow>(leases.findLease(blobId))),
    },
    blobTexts: {
      find: async (blobId) => blobs.toBlobText(await row<blobs.BlobTextRow>(blobs.findBlobText(blobId))),
      count: async () => (await row<{ n: number }>(leases.countBlobs))?.n ?? 0,
    },
    writeOnce: {
      putIfAbsent: async (name, value) =>
        (await row<{ value: Uint8Array }>(keepOnce(name, value)))?.value as Uint8Array,
    },
    locks: { exclusively: exclusively(database.poolOf(JOBS)) },

    async reset(seed, defaults, stamp, kept = []) {
      const statements = [
        ...memories.forgetAllMemories,
        ...(seed.length === 0 ? [] : [memories.addMemories(seed)]),
        // Not earlier: to forget millions of memories takes long, and the lock holds up every answer.
        policy.lockPolicy,
        policy.replacePolicy(defaults, stamp),
        ...(kept.length === 0 ? [] : [leases.keepLeases(kept)]),
      ];
      await change(statements, { patienceMs: RESET_MS });
    },

    audit: (look) => audited(auditing, look).catch(refused),

    ping: () => write(readCounters),
    close() {
      listening?.close();
      return database.close(Promise.all([captures.idle(), issues.idle()]));
    },
  };
}

interface Capture {
  readonly memory: Memory;
  readonly lease?: BlobLease;
}

/** What READ_POLICY gave. */
function toVersioned([counters, rules]: readonly unknown[][]): VersionedPolicy {
  return { policy: policy.toPolicy(rules), version: (counters as Counters[])[0]?.policy ?? 0 };
}
