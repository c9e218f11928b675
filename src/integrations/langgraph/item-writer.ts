// Puts and deletes items.
import type { PutOperation } from "@langchain/langgraph-checkpoint";
import { within } from "#integrations/connection.ts";
import { checkKey, contentOf } from "./item.ts";
import { earlierVersions } from "./item-history.ts";
import { findMemory } from "./item-reader.ts";
import { type MemoryReader, type StoreClient, undefinedIfNotFound } from "./memory-reader.ts";
import { nameOf } from "./namespace-path.ts";
import { UnsupportedOperationError } from "./unsupported-operation-error.ts";

interface WriterParts {
  readonly client: StoreClient;
  readonly reader: MemoryReader;
  readonly signal: AbortSignal;
}

/** Refuses what cannot be put. It asks nobody, so that a batch is refused before any of it is done. */
export function checkPut({ namespace, key, value, index }: PutOperation, ignoreIndex: boolean): void {
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

export async function putItem({ client, reader, signal }: WriterParts, put: PutOperation): Promise<void> {
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
