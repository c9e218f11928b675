// Reads memories as one agent, and only those that it may use. Whatever it lists is bounded.
import type { Client } from "#contract/client/client.ts";
import type { CallOptions } from "#contract/client/send-request.ts";
import { ProblemError } from "#contract/problem.ts";
import type { Query, Reply } from "#contract/routes.ts";
import { isWithin } from "#core/gate/policy.ts";
import type { Memory } from "#core/memory.ts";
import type { Scored } from "#core/recall/rerank.ts";
import { within } from "#integrations/connection.ts";
import { UnsupportedOperationError } from "./item.ts";

/** What a store needs of a client. */
export type StoreClient = Pick<
  Client,
  | ("capture" | "recall" | "listMemories" | "getMemory" | "getByKey" | "forgetByKey" | "forgetMemory")
  | ("listNamespaces" | "getPolicy" | "getSession")
>;

export interface MemoryReader {
  /** The agent's id. */
  agentId(): Promise<string>;
  /** Says of a namespace whether the policy opens it to the agent now. */
  openOnes(): Promise<(namespace: string) => boolean>;
  /** What the agent itself captured under this key. */
  byKey(namespace: string, key: string): Promise<Memory | undefined>;
  byId(memoryId: string): Promise<Memory | undefined>;
  /** Best first. */
  recall(query: string, prefix: string | undefined): Promise<readonly Pick<Scored<Memory>, keyof Memory | "score">[]>;
  /** Newest first. */
  list(query: Pick<Query<"listMemories">, "namespace" | "sourceAgent" | "superseded">): Promise<Memory[]>;
  /** The names of namespaces with memories: the one of this name and those below it; without one, all. */
  namespaces(prefix?: string): Promise<string[]>;
}

/** The most that one operation looks at. */
const MOST = 10_000;
const PAGE = 1_000;

export type Receipt = NonNullable<Reply<"recall">["receipt"]>;

interface ReaderOptions {
  readonly agentId?: string | undefined;
  readonly onReceipt?: ((receipt: Receipt) => void) | undefined;
  readonly signal: AbortSignal;
}

export function memoryReader(client: StoreClient, readerOptions: ReaderOptions): MemoryReader {
  const { agentId: named, onReceipt, signal } = readerOptions;
  const options = () => within(signal);
  const speaker = createSpeaker(client, named, options);

  async function usable(find: () => Promise<{ memory: Memory }>): Promise<Memory | undefined> {
    const memory = await find().then(({ memory }) => memory, undefinedIfNotFound);
    if (memory === undefined || memory.supersededBy !== undefined) return undefined;
    return (await speaker.mayUse())(memory.namespace) ? memory : undefined;
  }

  return {
    agentId: speaker.agentId,
    openOnes: speaker.openOnes,
    byKey: (name, key) =>
      usable(async () => client.getByKey({ name, key }, { sourceAgent: await speaker.agentId() }, options())),
    byId: (memoryId) => usable(() => client.getMemory({ memoryId }, options())),
    async recall(query, namespacePrefix) {
      const asked = { agentId: await speaker.agentId(), query, namespacePrefix, receipt: onReceipt !== undefined };
      const { memories, receipt } = await client.recall(asked, options());
      if (receipt !== undefined) onReceipt?.(receipt);
      return memories;
    },
    async list(query) {
      const viewAs = await speaker.agentId();
      return everyPage("memories", async (cursor) => {
        const { memories, nextCursor } = await client.listMemories(
          { ...query, viewAs, limit: PAGE, cursor },
          options(),
        );
        return { found: memories, nextCursor };
      });
    },
    async namespaces(prefix) {
      const mayUse = await speaker.mayUse();
      return everyPage("namespaces", async (cursor) => {
        const { namespaces, nextCursor } = await client.listNamespaces({ limit: PAGE, cursor }, options());
        const used = namespaces.filter(({ memories }) => memories > 0).map(({ name }) => name);
        return { found: used.filter((name) => isWithin(name, prefix) && mayUse(name)), nextCursor };
      });
    },
  };
}

type Page<T> = { readonly found: readonly T[]; readonly nextCursor?: string | undefined };

async function everyPage<T>(what: string, read: (cursor: string | undefined) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    const { found, nextCursor } = await read(cursor);
    all.push(...found);
    if (all.length > MOST) {
      const advice = "Search with a longer prefix, or for fewer items with a query.";
      throw new UnsupportedOperationError(`There are more than ${MOST} ${what} to look at. ${advice}`);
    }
    cursor = nextCursor;
  } while (cursor !== undefined);
  return all;
}

/** Undefined for what does not exist, or not for this agent. Any other error is thrown. */
export function undefinedIfNotFound(error: unknown): undefined {
  if (error instanceof ProblemError && error.code === "not-found") return undefined;
  throw error;
}

interface Speaker extends Pick<MemoryReader, "agentId" | "openOnes"> {
  /** Says of a namespace whether the agent may use it now. The service decides that itself for an agent's own key. */
  mayUse(): Promise<(namespace: string) => boolean>;
}

/** `named`: the id that the caller gave. */
function createSpeaker(
  client: Pick<Client, "getSession" | "getPolicy">,
  named: string | undefined,
  options: () => CallOptions,
): Speaker {
  let asked: Promise<{ readonly agentId: string; readonly isOwnKey: boolean }> | undefined;

  async function ask() {
    const { role, agentId = named } = await client.getSession(options());
    if (named !== undefined && named !== agentId)
      throw new UnsupportedOperationError("This key speaks as another agent than agentId says.");
    if (agentId === undefined)
      throw new UnsupportedOperationError("This key is not an agent's. Say which agent the store speaks as: agentId.");
    return { agentId, isOwnKey: role === "agent" };
  }

  /** Once: whose a key is does not change. */
  function identity() {
    asked ??= ask();
    asked.catch(() => {
      asked = undefined;
    });
    return asked;
  }

  async function openOnes() {
    const { agentId } = await identity();
    const { policy } = await client.getPolicy(options());
    const rules = Object.hasOwn(policy, agentId) ? new Map(Object.entries(policy[agentId] ?? {})) : new Map();
    return (namespace: string) => rules.get(namespace) === true;
  }

  return {
    agentId: async () => (await identity()).agentId,
    openOnes,
    // An admin may read everything, so the agent's part of the policy is asked.
    mayUse: async () => ((await identity()).isOwnKey ? () => true : openOnes()),
  };
}
