// Records in one SQLite file. Reads and writes share one connection; a write answers when its commit is on disk.
import type { DatabaseSync } from "node:sqlite";
import { createMutex } from "#async/mutex.ts";
import { PortcullisError } from "#core/errors.ts";
import type { FeedCursor, ReadSet, RecordStore, Snapshot } from "#ports.ts";
import { audited } from "./audit.ts";
import { blobTexts } from "./blob-texts.ts";
import { chainTables } from "./chain.ts";
import { groupCommits } from "./commits.ts";
import { counterTable } from "./counters.ts";
import { createFence } from "./fence.ts";
import { receiptHistory } from "./history.ts";
import { leaseTable } from "./leases.ts";
import { ledgerLog } from "./ledger-log.ts";
import { memoryTable } from "./memories.ts";
import { memoryPages } from "./memory-pages.ts";
import { openDatabase } from "./open.ts";
import { policyTable } from "./policy.ts";
import { serveAlone } from "./process-lock.ts";
import { receiptTables } from "./receipts.ts";
import { keptValues } from "./write-once.ts";

const CHANGES_A_READ = 5_000;

export interface SqliteOptions {
  /** A file, made if need be, or `:memory:`. */
  readonly path: string;
  /** Whether this process serves it: one only may. */
  readonly serves?: boolean;
}

export function sqliteRecords({ path, serves = false }: SqliteOptions): RecordStore {
  const database = openDatabase(path);
  const sole = serves ? orClose(database, () => serveAlone(path)) : undefined;
  const commits = groupCommits(database);
  const counters = counterTable(database);
  const memories = memoryTable(database, counters);
  const memoryPage = memoryPages(database);
  const policy = policyTable(database, counters);
  const receipts = receiptTables(database);
  const history = receiptHistory(database);
  const chain = chainTables(database);
  const ledger = ledgerLog(database);
  const leases = leaseTable(database);
  const blobText = blobTexts(database);
  const kept = keptValues(database);
  const fence = createFence();
  const inTurn = createMutex();
  const listeners: (() => void)[] = [];
  const beginRead = database.prepare("BEGIN");
  const endRead = database.prepare("COMMIT");

  /** Several statements that see one state, also when another process writes. */
  function inOneRead<T>(read: () => T): T {
    beginRead.run();
    try {
      return read();
    } finally {
      endRead.run();
    }
  }

  function snapshot(cursor: FeedCursor): Snapshot {
    const { memory, policy: policyVersion } = counters.both();
    if (memory === cursor.position && policyVersion === cursor.policyVersion) {
      return { changes: [], position: memory, complete: true, policyVersion };
    }
    return inOneRead(() => {
      const current = counters.both();
      const changes = memories.changesSince(cursor.position, CHANGES_A_READ);
      const complete = changes.length < CHANGES_A_READ;
      const position = complete ? current.memory : (changes.at(-1)?.sequence ?? cursor.position);
      const read = { changes, position, complete, policyVersion: current.policy };
      return current.policy === cursor.policyVersion ? read : { ...read, policy: policy.read().policy };
    });
  }

  const read = async <T>(job: () => T): Promise<T> => translated(job);
  const write = <T>(job: () => T): Promise<T> => commits.write(job).catch(refused);

  /** A change of the policy: it waits for every act that an older one let pass, and then tells of itself. */
  const change = <T>(job: () => T): Promise<T> =>
    fence
      .alone(() => write(job))
      .then((result) => {
        for (const listener of listeners) listener();
        return result;
      });

  const mayGoOn = ({ agentId, policyVersion, namespaces }: ReadSet): boolean =>
    counters.value("policy") === policyVersion || policy.allowsAll(agentId, namespaces);

  return {
    changeFeed: { since: (cursor) => read(() => snapshot(cursor)) },

    memories: {
      add: (memory, lease) =>
        write(() => {
          memories.add(memory);
          if (lease !== undefined) leases.keep(lease);
        }),
      find: (memoryId) => read(() => memories.find(memoryId)),
      at: (sequences) => read(() => memories.at(sequences)),
      page: (page) => read(() => inOneRead(() => memoryPage(page))),
      counts: () => read(() => inOneRead(memories.counts)),
    },

    policy: {
      current: () => read(() => inOneRead(policy.read)),
      set: (rule, stamp) => change(() => policy.set(rule, stamp)),
      changes: (page) => read(() => policy.changes(page)),
      passFence: (readSet, action) =>
        fence.share(async () => {
          if (!(await read(() => mayGoOn(readSet)))) return false;
          await action();
          return true;
        }),
      onChange(listener) {
        listeners.push(listener);
      },
    },

    receipts: {
      add: (receipt) => write(() => receipts.add(receipt)),
      isIssued: (answerId, body) => read(() => receipts.isIssued(answerId, body)),
      find: (answerId) => read(() => inOneRead(() => history.find(answerId))),
      page: (page) => read(() => inOneRead(() => history.page(page))),
      byHour: (since) => read(() => receipts.byHour(since)),
    },

    anchors: {
      add: (anchor, lease) =>
        write(() => {
          receipts.anchor(anchor);
          if (lease !== undefined) leases.keep(lease);
        }),
      page: (page) => read(() => receipts.anchors(page)),
      counts: () => read(receipts.anchorCounts),
    },

    chainAnchors: {
      request: (request, at) => write(() => chain.request(request, at)),
      pending: () => read(chain.pending),
      addTransaction: (transaction) => write(() => chain.addTransaction(transaction)),
      openTransactions: () => read(chain.openTransactions),
      closeTransaction: (txDigest, outcomes) => write(() => chain.closeTransaction(txDigest, outcomes)),
      complete: (outcome) => write(() => chain.complete(outcome)),
      drop: (id) => write(() => chain.drop(id)),
      find: (receiptId) => read(() => chain.anchor(receiptId)),
      outcomeOf: (id) => read(() => chain.outcome(id)),
    },

    ledgerLog: {
      append: (transaction) => write(() => ledger.append(transaction)),
      page: (page) => read(() => ledger.page(page)),
    },

    leases: {
      put: (lease) => write(() => leases.keep(lease)),
      find: (blobId) => read(() => leases.of(blobId)),
    },
    blobTexts: {
      find: (blobId) => read(() => blobText(blobId)),
      count: () => read(leases.blobCount),
    },
    writeOnce: { putIfAbsent: (name, value) => write(() => kept.once(name, value)) },
    locks: { exclusively: (name, job) => inTurn(name, job) },

    reset: (seed, defaults, stamp, kept = []) =>
      change(() => {
        memories.forgetAll();
        for (const memory of seed) memories.add(memory);
        policy.replace(defaults, stamp);
        for (const lease of kept) leases.keep(lease);
      }),

    audit: (look) => audited(path, database, look).catch(refused),

    ping: () => read(() => void counters.both()),
    async close() {
      commits.flush();
      database.close();
      sole?.release();
    },
  };
}

function orClose<T>(database: DatabaseSync, job: () => T): T {
  try {
    return job();
  } catch (error) {
    database.close();
    throw error;
  }
}

function translated<T>(job: () => T): T {
  try {
    return job();
  } catch (error) {
    return refused(error);
  }
}

function refused(error: unknown): never {
  if (error instanceof PortcullisError) throw error;
  throw new PortcullisError("records-unavailable", "The database does not answer. Try again shortly.", {
    cause: error,
  });
}
