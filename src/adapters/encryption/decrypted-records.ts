// A record store that decrypts encrypted memories: what uses it sees their text, and what is below it sees ciphertext only.
// A memory that cannot be decrypted, because its key is not here or its record was altered, is left out.
import { setImmediate as nextTurn } from "node:timers/promises";
import { foldAscii, weightOf } from "#adapters/records/shared/memories/memory-pages.ts";
import { UNLIMITED } from "#adapters/records/shared/sql/database.ts";
import { mapAll } from "#async/map-in-order.ts";
import { defined } from "#core/defined.ts";
import { passes } from "#core/memories/fact-filter.ts";
import { detailsOf, type Memory } from "#core/memory.ts";
import type * as ports from "#ports.ts";

export function decryptedRecords(records: ports.RecordStore, cipher: ports.MemoryCipher): ports.RecordStore {
  return {
    ...records,
    memories: decryptedMemories(records.memories, cipher),
    changeFeed: decryptedChangeFeed(records.changeFeed, cipher),
    receipts: decryptedReceipts(records.receipts, cipher),
    proposals: decryptedProposals(records.proposals, cipher),
  };
}

function decryptedChangeFeed(changeFeed: ports.ChangeFeed, cipher: ports.MemoryCipher): ports.ChangeFeed {
  return {
    async since(cursor) {
      const snapshot = await changeFeed.since(cursor);
      if (cipher.status() === "ready") return snapshot;
      return { ...snapshot, heads: snapshot.heads.map(lockedIfEncrypted) };
    },
    async changesIn(range) {
      const page = await changeFeed.changesIn(range);
      cipher.drop(removedIn(page.changes));
      if (!page.changes.some(({ encryption }) => encryption)) return page;
      return { ...page, changes: await decryptAll(page.changes, (change) => decryptChange(change, cipher)) };
    },
  };
}

const lockedIfEncrypted = (head: ports.NamespaceHead): ports.NamespaceHead =>
  head.isEncrypted ? { ...head, isLocked: true } : head;

async function decryptChange(change: ports.RecordedChange, cipher: ports.MemoryCipher): Promise<ports.RecordedChange> {
  const { encryption, ...rest } = change;
  if (encryption === undefined || rest.kind !== "captured") return change;
  const { memoryId = "", namespace, content } = rest;
  const fact = await cipher.decrypt({ memoryId, namespace, content, encryption });
  if (fact === undefined) return { ...rest, content: "", encrypted: "unreadable" };
  const { occurredAt } = fact;
  return { ...rest, content: fact.content, ...defined({ occurredAt }), encrypted: "decrypted" };
}

const removedIn = (changes: readonly ports.RecordedChange[]): string[] =>
  changes.flatMap(({ kind, memoryId }) => (kind === "forgotten" && memoryId !== undefined ? memoryId : []));

function decryptedMemories(memories: ports.MemoryRecords, cipher: ports.MemoryCipher): ports.MemoryRecords {
  const decrypt = async (memory: ports.MemoryOnRecord | undefined) => memory && decryptMemory(memory, cipher);

  /** Without those that cannot be decrypted. */
  async function decryptValues<Key>(
    found: ReadonlyMap<Key, ports.MemoryOnRecord>,
  ): Promise<ReadonlyMap<Key, ports.MemoryOnRecord>> {
    const entries = [...found];
    if (!entries.some(([, { encryption }]) => encryption)) return found;
    const decrypted = await decryptAll(entries, async ([key, memory]) => [key, await decrypt(memory)] as const);
    return new Map(decrypted.flatMap(([key, memory]) => (memory === undefined ? [] : [[key, memory] as const])));
  }

  async function decryptPage(found: readonly ports.MemoryOnRecord[]): Promise<readonly ports.MemoryOnRecord[]> {
    if (!found.some(({ encryption }) => encryption)) return found;
    return (await decryptAll(found, decrypt)).filter((memory) => memory !== undefined);
  }

  return {
    ...memories,
    async add(memory, lease, decision, accepted) {
      const recorded = await memories.add(memory, lease, decision, accepted);
      if (recorded.memoryId !== memory.memoryId) cipher.drop([memory.memoryId]);
      const decrypted = await decrypt(recorded);
      if (decrypted === undefined) throw new Error("A memory that was encrypted now cannot be decrypted.");
      return decrypted;
    },
    find: async (memoryId) => decrypt(await memories.find(memoryId)),
    findAll: async (memoryIds) => decryptValues(await memories.findAll(memoryIds)),
    findByKey: async (named) => decrypt(await memories.findByKey(named)),
    at: async (sequences) => decryptValues(await memories.at(sequences)),
    async page(query) {
      // Without the key, matches in ciphertext are left out with their memories.
      if ((query.contains !== undefined || query.matching !== undefined) && cipher.status() === "ready")
        return searchedPage(memories, query, matcherOf(query), decryptPage);
      const page = await memories.page(query);
      return { ...page, memories: await decryptPage(page.memories) };
    },
    async setPinned(pin, stamp) {
      // What cannot be decrypted is not there, and so it is not pinned either.
      if (cipher.status() !== "ready" && (await decrypt(await memories.find(pin.memoryId))) === undefined)
        return { kind: "not-found" };
      const outcome = await memories.setPinned(pin, stamp);
      if (outcome.kind !== "set") return outcome;
      const memory = await decrypt(outcome.memory);
      return memory === undefined ? { kind: "not-found" } : { kind: "set", memory };
    },
    async forget(forgetting, stamp) {
      const forgotten = await memories.forget(forgetting, stamp);
      cipher.drop(forgetting.memoryIds);
      return forgotten;
    },
  };
}

function decryptedReceipts(receipts: ports.ReceiptRecords, cipher: ports.MemoryCipher): ports.ReceiptRecords {
  async function decrypt(receipt: ports.RecordedReceipt): Promise<ports.RecordedReceipt> {
    const { seed, question, ...rest } = receipt;
    const isSeedEncrypted = seed !== undefined && isEncrypted(seed);
    if (!isSeedEncrypted && question?.encrypted !== true) return receipt;
    const { answerId } = JSON.parse(receipt.body) as { readonly answerId: string };
    const decrypted = {
      seed: isSeedEncrypted ? await cipher.decryptSeed(answerId, seed) : seed,
      question: question && (await decryptQuestion(answerId, question, cipher)),
    };
    return { ...rest, ...defined(decrypted) };
  }

  return {
    ...receipts,
    async find(answerId) {
      const receipt = await receipts.find(answerId);
      return receipt && decrypt(receipt);
    },
    async page(query) {
      const page = await receipts.page(query);
      return { ...page, receipts: await Promise.all(page.receipts.map(decrypt)) };
    },
  };
}

/** Encrypted wherever there is a key: what was shown to the extractor may be encrypted. One that cannot be decrypted is left out. */
function decryptedProposals(proposals: ports.ProposalRecords, cipher: ports.MemoryCipher): ports.ProposalRecords {
  async function decrypt<P extends ports.WaitingProposal | ports.DecidedProposal>(proposal: P): Promise<P | undefined> {
    if (!("text" in proposal) || !proposal.encrypted) return proposal;
    const text = await cipher.decryptQuestion(proposal.proposalId, proposal.text);
    return text === undefined ? undefined : { ...proposal, text, encrypted: false };
  }
  return {
    ...proposals,
    async add(given, options) {
      if (cipher.status() === "no-key") return proposals.add(given, options);
      const encrypted = await decryptAll(given, async (each) => ({
        ...each,
        text: await cipher.encryptQuestion(each.proposalId, each.text),
        encrypted: true,
      }));
      return proposals.add(encrypted, options);
    },
    async find(proposalId) {
      const found = await proposals.find(proposalId);
      return found && decrypt(found);
    },
    async page(query) {
      const page = await proposals.page(query);
      return { ...page, proposals: (await decryptAll(page.proposals, decrypt)).filter((each) => each !== undefined) };
    },
  };
}

const isEncrypted = (seed: string): boolean => !/^[0-9a-f]*$/.test(seed);

async function decryptQuestion(answerId: string, question: ports.KeptQuestion, cipher: ports.MemoryCipher) {
  if (!question.encrypted) return question;
  const text = await cipher.decryptQuestion(answerId, question.text);
  return text === undefined ? undefined : { text, encrypted: false };
}

/** How many are decrypted at a time. Node's thread pool has four threads. */
const CONCURRENCY = 8;

/** The memory with its text; undefined when it cannot be decrypted. An unencrypted memory stays as it is. */
async function decryptMemory(memory: ports.MemoryOnRecord, cipher: ports.MemoryCipher) {
  const { encryption, ...rest } = memory;
  if (encryption === undefined) return memory;
  const fact = await cipher.decrypt({ ...rest, encryption });
  return fact && ({ ...rest, content: fact.content, ...detailsOf(fact), encrypted: true } satisfies Memory);
}

/** In their order; undefined in the place of each that cannot be decrypted. */
const decryptAll = <T, R>(items: readonly T[], decrypt: (item: T) => Promise<R>): Promise<R[]> =>
  mapAll(items, CONCURRENCY, decrypt);

// A search in text that the database cannot read: the page is read without the search, and what matches is kept.

type Query = ports.PageOf<number> & ports.MemoryFilter;

/** How many memories are read and decrypted in one turn of the event loop. */
const STEP = 125;

export function matcherOf({
  contains = "",
  matching = {},
}: ports.MemoryFilter): (memory: ports.MemoryOnRecord) => boolean {
  const folded = foldAscii(contains);
  return (memory) => foldAscii(memory.content).includes(folded) && passes(matching, memory);
}

export async function searchedPage(
  memories: Pick<ports.MemoryRecords, "page">,
  query: Query,
  isMatch: (memory: ports.MemoryOnRecord) => boolean,
  decrypt: (found: readonly ports.MemoryOnRecord[]) => Promise<readonly ports.MemoryOnRecord[]>,
): Promise<ports.MemoryPage> {
  const {
    contains: _,
    matching: __,
    limit,
    bytes = UNLIMITED,
    before: first,
    scan: budget = UNLIMITED,
    ...rest
  } = query;
  const found: ports.MemoryOnRecord[] = [];
  let before = first;
  let weight = 0;
  for (let left = budget; ; left -= STEP) {
    const scan = Math.min(STEP, left);
    const from = { ...rest, before, scan };
    const page = await memories.page({ ...from, limit: scan });
    const decrypted = new Map((await decrypt(page.memories)).map((memory) => [memory.memoryId, memory]));
    const matching = page.memories.flatMap(({ memoryId }, i) => {
      const memory = decrypted.get(memoryId);
      return memory !== undefined && isMatch(memory) ? { memory, read: i + 1 } : [];
    });
    let read = 0;
    let taken = 0;
    for (const { memory, read: position } of matching) {
      weight += weightOf(memory);
      if (found.length > 0 && (found.length >= limit || weight > bytes)) break;
      found.push(memory);
      taken += 1;
      read = position;
    }
    if (taken < matching.length) {
      // A page read up to the last one that is taken says where the next one begins.
      if (read === 0) return before === undefined ? { memories: found } : { memories: found, next: before };
      const { next } = await memories.page({ ...from, limit: read });
      return next === undefined ? { memories: found } : { memories: found, next };
    }
    before = page.next;
    if (before === undefined) return { memories: found };
    if (left <= STEP || found.length >= limit) return { memories: found, next: before };
    await nextTurn();
  }
}
