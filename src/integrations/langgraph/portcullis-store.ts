// A store of LangGraph whose items are memories behind the gate. The agent is the key's: it finds what the policy lets it
// use, whoever put it, and changes what it put itself.
import {
  BaseStore,
  type GetOperation,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
} from "@langchain/langgraph-checkpoint";
import type { Memory } from "#core/memory.ts";
import { type Connection, connect, type Speaker, within } from "#integrations/connection.ts";
import { checkKey, contentOf, itemFilter, itemOf, matches, nameOf, pathOf, UnsupportedOperationError } from "./item.ts";
import type { MemoryReader, Receipt, StoreClient } from "./memory-reader.ts";
import { memoryReader, undefinedIfNotFound } from "./memory-reader.ts";

export type PortcullisStoreOptions = Connection<keyof StoreClient> &
  Speaker & {
    /** Take a put that says how its item is to be indexed, and index all of it. Otherwise it is refused. */
    readonly ignoreIndex?: boolean | undefined;
    /** Called with the receipt of each search with a query: of what the service gave for it. */
    readonly onReceipt?: ((receipt: Receipt) => void) | undefined;
  };

/** Reads of one batch that are under way at the same time. */
const READS_AT_ONCE = 16;

export class PortcullisStore extends BaseStore {
  readonly #client: StoreClient;
  readonly #reader: MemoryReader;
  readonly #ignoreIndex: boolean;
  readonly #stopped = new AbortController();

  constructor(options: PortcullisStoreOptions) {
    super();
    this.#client = connect<keyof StoreClient>(options);
    this.#reader = memoryReader(this.#client, { ...options, signal: this.#stopped.signal });
    this.#ignoreIndex = options.ignoreIndex ?? false;
  }

  /** As in LangGraph's own store, reads come before writes, and the last write to an item counts. */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const puts = new Map<string, PutOperation>();
    for (const each of operations) if (isPut(each)) puts.set(JSON.stringify([each.namespace, each.key]), each);
    for (const put of puts.values()) checkPut(put, this.#ignoreIndex);
    await checkOpen(this.#reader, puts.values());
    const results: unknown[] = [];
    for (let i = 0; i < operations.length; i += READS_AT_ONCE) {
      const some = operations.slice(i, i + READS_AT_ONCE);
      results.push(...(await Promise.all(some.map((each) => (isPut(each) ? undefined : this.#read(each))))));
    }
    const parts = { client: this.#client, reader: this.#reader, signal: this.#stopped.signal };
    for (const put of puts.values()) await putItem(parts, put);
    return results as OperationResults<Op>;
  }

  #read(operation: GetOperation | SearchOperation | ListNamespacesOperation) {
    if ("namespacePrefix" in operation) return searchItems(this.#reader, operation);
    if ("key" in operation) return getItem(this.#reader, operation);
    return listPaths(this.#reader, operation);
  }

  /** Ends the calls under way. A stopped store does nothing more. */
  override stop(): void {
    this.#stopped.abort(new Error("The store was stopped."));
  }
}

const isPut = (operation: Operation): operation is PutOperation => "value" in operation;

// Finds, puts and deletes items.

/** The item's memory: the agent's own under this key, or one of any agent under its id. */
async function findMemory(reader: MemoryReader, { namespace, key }: GetOperation): Promise<Memory | undefined> {
  const name = nameOf(namespace);
  checkKey(key);
  const agentId = await reader.agentId();
  const isIt = (memory: Memory | undefined) =>
    memory?.namespace === name && itemOf(memory, agentId)?.key === key ? memory : undefined;
  return isIt(await reader.byKey(name, key)) ?? (MEMORY_ID.test(key) ? isIt(await reader.byId(key)) : undefined);
}

const MEMORY_ID = /^mem_\w{1,60}$/;

async function getItem(reader: MemoryReader, operation: GetOperation): Promise<Item | null> {
  const memory = await findMemory(reader, operation);
  return memory === undefined ? null : ((await completeItem(reader, memory)) ?? null);
}

/** What a query ranks comes first, with scores; then, if there is room, the others without a score, newest first. */
async function searchItems(reader: MemoryReader, operation: SearchOperation): Promise<SearchItem[]> {
  const { namespacePrefix, filter, query = "", limit = 10, offset = 0 } = operation;
  const prefix = namespacePrefix.length === 0 ? undefined : nameOf(namespacePrefix);
  const passes = itemFilter(filter);
  const agentId = await reader.agentId();
  const found = new Map<string, Memory & { readonly score?: number }>();
  const add = (memory: Memory) => {
    const item = found.has(memory.memoryId) ? undefined : itemOf(memory, agentId);
    if (item !== undefined && passes(item.value)) found.set(memory.memoryId, memory);
  };
  if (query.trim() !== "") for (const memory of await reader.recall(query, prefix)) add(memory);
  if (found.size < offset + limit) for (const memory of await everything(reader, prefix)) add(memory);
  const page = [...found.values()].slice(offset, offset + limit);
  const items = await Promise.all(page.map((memory) => completeItem(reader, memory)));
  return items.flatMap((item, i) => (item === undefined ? [] : [{ ...item, score: page[i]?.score }])) as SearchItem[];
}

/** All that the agent may use under the prefix, newest first. */
async function everything(reader: MemoryReader, prefix: string | undefined): Promise<Memory[]> {
  if (prefix === undefined) return reader.list({});
  const lists: Memory[][] = [];
  for (const namespace of await reader.namespaces(prefix))
    if (pathOf(namespace) !== undefined) lists.push(await reader.list({ namespace }));
  return lists.flat().sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0));
}

/** The item, with the time of its first put. */
async function completeItem(reader: MemoryReader, memory: Memory): Promise<Item | undefined> {
  const item = itemOf(memory, await reader.agentId());
  if (item === undefined || memory.supersedes === undefined) return item;
  const first = (await earlierVersions(reader, memory)).at(-1) ?? memory;
  return { ...item, createdAt: new Date(first.createdAt) };
}

/** The memories whose place this one took, the last one first. */
async function earlierVersions(reader: MemoryReader, memory: Memory): Promise<Memory[]> {
  if (memory.supersedes === undefined) return [];
  const { namespace, sourceAgent } = memory;
  const history = await reader.list({ namespace, sourceAgent, superseded: "true" });
  const byId = new Map(history.map((each) => [each.memoryId, each]));
  const versions: Memory[] = [];
  for (let id: string | undefined = memory.supersedes; id !== undefined; ) {
    const version = byId.get(id);
    // Each comes once: history that somebody changed could have a cycle.
    byId.delete(id);
    if (version !== undefined) versions.push(version);
    id = version?.supersedes;
  }
  return versions;
}

type WriterParts = { readonly client: StoreClient; readonly reader: MemoryReader; readonly signal: AbortSignal };

/** Refuses what cannot be put. It asks nobody, so that a batch is refused before any of it is done. */
function checkPut({ namespace, key, value, index }: PutOperation, ignoreIndex: boolean): void {
  nameOf(namespace);
  checkKey(key);
  if (value === null) return;
  contentOf(value);
  if (index === undefined || ignoreIndex) return;
  const advice = "Leave it out, or open the store with ignoreIndex.";
  throw new UnsupportedOperationError(
    `The service finds an item by all of its value: \`index\` cannot change that. ${advice}`,
  );
}

/** Refuses puts that the agent could not get back: the policy does not open their namespace to it. */
async function checkOpen(reader: MemoryReader, puts: Iterable<PutOperation>): Promise<void> {
  const names = [...puts].flatMap(({ namespace, value }) => (value === null ? [] : [nameOf(namespace)]));
  if (names.length === 0) return;
  const isOpen = await reader.openOnes();
  const closed = names.find((name) => !isOpen(name));
  if (closed === undefined) return;
  const sentence = `The namespace "${closed}" is closed to the agent ${await reader.agentId()}, which could not get back what it puts there. Nothing was put. An admin opens it: portcullis policy allow <agent> <namespace>.`;
  throw new UnsupportedOperationError(sentence);
}

async function putItem({ client, reader, signal }: WriterParts, put: PutOperation): Promise<void> {
  const { namespace, key, value } = put;
  if (value === null) return deleteItem({ client, reader, signal }, put);
  const fact = { namespace: nameOf(namespace), key, content: contentOf(value), sourceAgent: await reader.agentId() };
  await client.capture(fact, within(signal));
}

/** Forgets the item with its earlier values. To delete what is not there does nothing. */
async function deleteItem({ client, reader, signal }: WriterParts, put: PutOperation): Promise<void> {
  const memory = await findMemory(reader, put);
  if (memory === undefined) return;
  if (memory.sourceAgent !== (await reader.agentId()))
    throw new UnsupportedOperationError("An agent deletes only what it put itself.");
  const earlier = await earlierVersions(reader, memory);
  for (const { memoryId } of [memory, ...earlier])
    await client.forgetMemory({ memoryId }, {}, within(signal)).catch(undefinedIfNotFound);
}

/** The namespaces that the agent may use, by name; cut to `maxDepth` parts, each once. */
async function listPaths(memories: MemoryReader, operation: ListNamespacesOperation): Promise<string[][]> {
  const { matchConditions = [], maxDepth, limit = 100, offset = 0 } = operation;
  const paths = (await memories.namespaces()).flatMap((name) => {
    const path = pathOf(name);
    return path !== undefined && matchConditions.every((condition) => matches(path, condition)) ? [path] : [];
  });
  const cut = new Map(paths.map((path) => path.slice(0, maxDepth)).map((path) => [JSON.stringify(path), path]));
  return [...cut.values()].sort(byParts).slice(offset, offset + limit);
}

function byParts(a: readonly string[], b: readonly string[]): number {
  const i = a.findIndex((part, at) => part !== b[at]);
  if (i === -1) return a.length - b.length;
  return b[i] === undefined || (a[i] as string) > b[i] ? 1 : -1;
}
