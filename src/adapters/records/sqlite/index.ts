// Records in one SQLite file. Reads and writes share one connection; a write answers when its commit is on disk.
import { PortcullisError } from "../../../core/errors.ts";
import type { Known, RecordStore, Snapshot } from "../../../ports.ts";
import { chainTables } from "./chain.ts";
import { groupCommits } from "./commits.ts";
import { counterTable } from "./counters.ts";
import { leaseTable } from "./leases.ts";
import { ledgerLog } from "./ledger-log.ts";
import { memoryTable } from "./memories.ts";
import { openDatabase } from "./open.ts";
import { policyTable } from "./policy.ts";
import { receiptTables } from "./receipts.ts";

const CHANGES_A_READ = 5_000;

export function sqliteRecords({ path }: { path: string }): RecordStore {
  const database = openDatabase(path);
  const commits = groupCommits(database);
  const counters = counterTable(database);
  const memories = memoryTable(database, counters);
  const policy = policyTable(database, counters);
  const receipts = receiptTables(database);
  const chain = chainTables(database);
  const ledger = ledgerLog(database);
  const leases = leaseTable(database);
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

  function snapshot(known: Known): Snapshot {
    const { memory, policy: policyVersion } = counters.both();
    if (memory === known.position && policyVersion === known.policyVersion) {
      return { changes: [], position: memory, complete: true, policyVersion };
    }
    return inOneRead(() => {
      const current = counters.both();
      const changes = memories.changesSince(known.position, CHANGES_A_READ);
      const complete = changes.length < CHANGES_A_READ;
      const position = complete ? current.memory : (changes.at(-1)?.sequence ?? known.position);
      const read = { changes, position, complete, policyVersion: current.policy };
      return current.policy === known.policyVersion ? read : { ...read, policy: policy.read().policy };
    });
  }

  const read = async <T>(job: () => T): Promise<T> => translated(job);
  const write = <T>(job: () => T): Promise<T> => commits.write(job).catch(refused);

  return {
    snapshot: (known) => read(() => snapshot(known)),
    memoriesAt: (sequences) => read(() => memories.at(sequences)),
    listMemories: (page) => read(() => memories.list(page)),
    addMemory: (memory, lease) =>
      write(() => {
        memories.add(memory);
        if (lease !== undefined) leases.keep(lease);
      }),

    policy: () => read(() => inOneRead(policy.read)),
    setAccess: (rule, stamp) => write(() => policy.set(rule, stamp)),
    policyChanges: (limit) => read(() => policy.changes(limit)),

    addReceipt: (receipt) => write(() => receipts.add(receipt)),
    isIssued: (answerId, body) => read(() => receipts.isIssued(answerId, body)),
    addAnchor: (anchor, lease) =>
      write(() => {
        receipts.anchor(anchor);
        if (lease !== undefined) leases.keep(lease);
      }),
    anchors: (page) => read(() => receipts.anchors(page)),

    requestChainAnchor: (request, at) => write(() => chain.request(request, at)),
    pendingChainAnchors: () => read(chain.pending),
    addTransaction: (transaction) => write(() => chain.addTransaction(transaction)),
    openTransactions: () => read(chain.openTransactions),
    closeTransaction: (txDigest, outcomes) => write(() => chain.closeTransaction(txDigest, outcomes)),
    completeChainAnchor: (outcome) => write(() => chain.complete(outcome)),
    dropChainAnchor: (id) => write(() => chain.drop(id)),
    chainAnchor: (receiptId) => read(() => chain.anchor(receiptId)),
    outcomeOfRequest: (id) => read(() => chain.outcome(id)),
    appendLedgerTransaction: (transaction) => write(() => ledger.append(transaction)),
    ledgerTransactions: (page) => read(() => ledger.page(page)),

    keepLease: (lease) => write(() => leases.keep(lease)),
    leaseOf: (blobId) => read(() => leases.of(blobId)),
    blobCount: () => read(leases.blobCount),

    reset: (seed, defaults, stamp, kept = []) =>
      write(() => {
        memories.forgetAll();
        for (const memory of seed) memories.add(memory);
        policy.replace(defaults, stamp);
        for (const lease of kept) leases.keep(lease);
      }),

    ping: () => read(() => void counters.both()),
    async close() {
      commits.flush();
      database.close();
    },
  };
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
