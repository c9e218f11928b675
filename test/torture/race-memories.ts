// The memories of the race: each has a name of its own in its text, and is forgotten, superseded or expires sooner or later.
// Another one takes its place, so that every namespace always has some.
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "#contract/client/client.ts";
import type { History } from "./history.ts";
import { namesIn } from "./memory-shelf.ts";

const SOURCE = "s";
/** How long a memory lives that expires, in seconds. */
const LIFE = 1;

export interface NamedMemory {
  readonly name: string;
  readonly namespace: string;
  readonly memoryId: string;
  readonly storeRef: string;
}

let count = 0;

const newFact = (namespace: string) => {
  const name = `${namespace}${++count}`;
  return { name, fact: { namespace, content: `text of <${name}>`, sourceAgent: SOURCE } };
};

export async function captureNamed(
  client: Client,
  namespace: string,
  life: { readonly key?: string; readonly supersedes?: string; readonly ttl?: number } = {},
): Promise<NamedMemory & { readonly expiresAt?: string | undefined }> {
  const { name, fact } = newFact(namespace);
  const { memory } = await client.capture({ ...fact, ...life });
  const { memoryId, storeRef, expiresAt } = memory;
  return { name, namespace, memoryId, storeRef, expiresAt };
}

interface Removal {
  readonly client: Client;
  readonly history: History;
  /** Sends it again while the database is not available. */
  readonly insist: <T>(request: () => Promise<T>) => Promise<T>;
  /** Waits until everything was read that had been sent before. */
  readonly receive: () => Promise<void>;
}

/** Forgets the memory. Answers with the one that takes its place. */
export async function forget({ client, history, insist, receive }: Removal, old: NamedMemory): Promise<NamedMemory> {
  const next = await insist(() => captureNamed(client, old.namespace));
  const acknowledge = history.removing([old.name]);
  await insist(() => client.forgetMemory({ memoryId: old.memoryId }));
  await receive();
  acknowledge();
  return next;
}

/** Captures a memory in place of another. When the first try took effect, and its answer was lost, the second one finds none. */
export async function supersede({ client, history, insist, receive }: Removal, old: NamedMemory): Promise<NamedMemory> {
  const acknowledge = history.removing([old.name], { staysReadable: true });
  const { name, fact } = newFact(old.namespace);
  const capture = () => client.capture({ ...fact, key: name, supersedes: old.memoryId });
  const { memory } = await insist(() => capture().catch(() => client.capture({ ...fact, key: name })));
  const read = await insist(() => client.getMemory({ memoryId: old.memoryId }));
  await receive();
  if (read.memory.supersededBy !== undefined) acknowledge();
  return { name, namespace: old.namespace, memoryId: memory.memoryId, storeRef: memory.storeRef };
}

/**
 * Captures a memory that expires, and waits for its time. What passed the fence before may still be under way then; a
 * change of the policy waits for it.
 */
export async function expire({ client, history, insist, receive }: Removal, namespace: string): Promise<void> {
  const { name, expiresAt = "" } = await insist(() => captureNamed(client, namespace, { ttl: LIFE }));
  const acknowledge = history.removing([name]);
  while (Date.now() <= Date.parse(expiresAt)) await delay(Date.parse(expiresAt) - Date.now() + 1);
  for (const allowed of [true, false])
    await insist(() => client.setAccess({ agentId: "nobody", namespace: "nowhere", allowed }));
  await receive();
  acknowledge();
}

/** Notes what a text shows. To an admin the policy does not apply. */
export function noteText(history: History, what: "prompt" | "answer" | "page", agentId: string, text: string): void {
  const { names, namespaces } = namesIn(text);
  if (names.length > 0) history.used(what, agentId, agentId === "" ? [] : namespaces, names);
}
