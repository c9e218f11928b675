// Finds items.
import type { GetOperation, Item, SearchItem, SearchOperation } from "@langchain/langgraph-checkpoint";
import type { Memory } from "#core/memory.ts";
import { checkKey, itemOf } from "./item.ts";
import { itemFilter } from "./item-filter.ts";
import { earlierVersions } from "./item-history.ts";
import type { MemoryReader } from "./memory-reader.ts";
import { nameOf, pathOf } from "./namespace-path.ts";

/** The item's memory: the agent's own under this key, or one of any agent under its id. */
export async function findMemory(reader: MemoryReader, { namespace, key }: GetOperation): Promise<Memory | undefined> {
  const name = nameOf(namespace);
  checkKey(key);
  const agentId = await reader.agentId();
  const isIt = (memory: Memory | undefined) =>
    memory?.namespace === name && itemOf(memory, agentId)?.key === key ? memory : undefined;
  return isIt(await reader.byKey(name, key)) ?? (MEMORY_ID.test(key) ? isIt(await reader.byId(key)) : undefined);
}

const MEMORY_ID = /^mem_\w{1,60}$/;

export async function getItem(reader: MemoryReader, operation: GetOperation): Promise<Item | null> {
  const memory = await findMemory(reader, operation);
  return memory === undefined ? null : ((await completeItem(reader, memory)) ?? null);
}

/**
 * With a query, the service's ranking comes first, with scores. As it gives only so many memories, the others follow
 * without a score, newest first, if there is room for them. Without a query, all are newest first.
 */
export async function searchItems(reader: MemoryReader, operation: SearchOperation): Promise<SearchItem[]> {
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
