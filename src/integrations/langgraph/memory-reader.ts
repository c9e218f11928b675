// Reads memories as one agent, and only those that it may use. Whatever it lists is bounded.
import type { Client } from "#contract/client/client.ts";
import type { CallOptions } from "#contract/client/send-request.ts";
import { ProblemError } from "#contract/problem.ts";
import type { Query, Reply } from "#contract/routes.ts";
import { isAllowed, isWithin } from "#core/gate/policy.ts";
import type { Memory } from "#core/memory.ts";
import { type Speaker, within } from "#integrations/connection.ts";
import { UnsupportedOperationError } from "./item.ts";

/** What a store needs of a client. */
export type StoreClient = Pick<
  Client,
  | ("capture" | "recall" | "listMemories" | "getMemory" | "getByKey" | "forgetByKey" | "forgetMemory")
  | ("listNamespaces" | "getPolicy" | "getSession")
>;

export type MemoryReader = ReturnType<typeof memoryReader>;

/** The most that one operation looks at. */
const MOST = 10_000;
const PAGE = 1_000;

export type Receipt = NonNullable<Reply<"recall">["receipt"]>;

interface ReaderOptions extends Speaker {
  readonly onReceipt?: ((receipt: Receipt) => void) | undefined;
  readonly signal: AbortSignal;
}

export function memoryReader(client: StoreClient, { agentId: named, onReceipt, signal }: ReaderOptions) {
  const options = () => within(signal);
  const speaker = createSpeaker(client, named, options);

  async function usable(find: () => Promise<{ memory: Memory }>): Promise<Memory | undefined> {
    const memory = await find().then(({ memory }) => memory, undefinedIfNotFound);
    if (memory === undefined || memory.supersededBy !== undefined) return undefined;
    return (await speaker.mayUse())(memory.namespace) ? memory : undefined;
  }

  return {
    agentId: speaker.agentId,
    /** Says of a namespace whether the policy opens it to the agent now. */
    openOnes: speaker.openOnes,
    /** What the agent itself captured under this key. */
    byKey: (name: string, key: string) =>
      usable(async () => client.getByKey({ name, key }, { sourceAgent: await speaker.agentId() }, options())),
    byId: (memoryId: string) => usable(() => client.getMemory({ memoryId }, options())),
    /** Best first. */
    async recall(query: string, namespacePrefix: string | undefined) {
      const asked = { agentId: await speaker.agentId(), query, namespacePrefix, receipt: onReceipt !== undefined };
      const { memories, receipt } = await client.recall(asked, options());
      if (receipt !== undefined) onReceipt?.(receipt);
      return memories;
    },
    /** Newest first. */
    async list(query: Pick<Query<"listMemories">, "namespace" | "sourceAgent" | "superseded">) {
      const viewAs = await speaker.agentId();
      return bounded("memories", client.listMemories.all({ ...query, viewAs, limit: PAGE }, options()));
    },
    /** The names of namespaces with memories: the one of this name and those below it; without one, all. */
    async namespaces(prefix?: string) {
      const mayUse = await speaker.mayUse();
      const isUsed = ({ name, memories }: Namespace) => memories > 0 && isWithin(name, prefix) && mayUse(name);
      const all = client.listNamespaces.all({ limit: PAGE }, options());
      return (await bounded("namespaces", all, isUsed)).map(({ name }) => name);
    },
  };
}

type Namespace = Reply<"listNamespaces">["namespaces"][number];

async function bounded<T>(what: string, elements: AsyncIterable<T>, isMeant: (element: T) => boolean = () => true) {
  const all: T[] = [];
  for await (const element of elements) {
    if (isMeant(element)) all.push(element);
    if (all.length <= MOST) continue;
    const advice = "Search with a longer prefix, or for fewer items with a query.";
    throw new UnsupportedOperationError(`There are more than ${MOST} ${what} to look at. ${advice}`);
  }
  return all;
}

/** Undefined for what does not exist, or not for this agent. Any other error is thrown. */
export function undefinedIfNotFound(error: unknown): undefined {
  if (error instanceof ProblemError && error.code === "not-found") return undefined;
  throw error;
}

/** `named`: the id that the caller gave. */
function createSpeaker(
  client: Pick<Client, "getSession" | "getPolicy">,
  named: string | undefined,
  options: () => CallOptions,
) {
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
    return (namespace: string) => isAllowed(policy, agentId, namespace);
  }

  return {
    agentId: async () => (await identity()).agentId,
    openOnes,
    // The service decides that itself for an agent's own key. An admin may read everything, so the policy is asked.
    mayUse: async () => ((await identity()).isOwnKey ? () => true : openOnes()),
  };
}
