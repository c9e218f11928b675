// Reading memories: an admin reads all, a namespace's admin those of the namespace, and an agent what the gate gives it,
// behind the fence.
import { governedBy } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { Memory } from "#core/memory.ts";
import { takenBehindFence } from "#http/answer/fenced-write.ts";
import { closingOf, joinedJson } from "#http/answer/json-list.ts";
import { MEMORY_LIST_OPENING, sendMemoryList } from "#http/answer/memory-streams.ts";
import { jsonReply } from "#http/answer/reply.ts";
import type { ResponseWriter } from "#http/answer/response-writer.ts";
import type { Handlers, Value } from "#http/route-handler.ts";
import type { Deps } from "#service/deps.ts";
import { allMemories, getMemory, listMemories, type MemoryQuery } from "#service/memories/list-memories.ts";
import { readBehindFence } from "#service/policy/fenced-read.ts";
import { nextCursor, pageOf } from "./paging.ts";

const STREAM_PAGE = 500;

type AgentPrincipal = Extract<Principal, { readonly role: "agent" }>;

export const memoryReading: Pick<Handlers, "listMemories" | "getMemory"> = {
  async listMemories(deps, { query, principal, signal }, { response }) {
    const isUnfiltered = Object.values(query).every((value) => value === undefined);
    if (isUnfiltered && principal.role === "agent") return streamToAgent(deps, principal, response);
    if (isUnfiltered) return sendMemoryList(response, allMemories(deps, governedBy(principal)));
    const load = async () => {
      const { memories, next } = await listMemories(deps, principal, { ...query, ...pageOf(query) }, signal());
      const value: Value<"listMemories"> = { memories, ...nextCursor(next) };
      return { value, namespaces: namespacesOf(memories) };
    };
    return sendReadable(deps, principal, load, response);
  },

  async getMemory(deps, { params, principal }, { response }) {
    const load = async () => {
      const memory = await getMemory(deps, principal, params.memoryId);
      const value: Value<"getMemory"> = { memory };
      return { value, namespaces: [memory.namespace] };
    };
    return sendReadable(deps, principal, load, response);
  },
};

/** Sends a JSON reply that quotes memories of these namespaces. To an agent it leaves behind the fence. */
export async function sendReadable(
  deps: Deps,
  principal: Principal,
  load: () => Promise<{ value: unknown; namespaces: readonly string[] }>,
  response: ResponseWriter,
): Promise<void> {
  if (principal.role !== "agent") return response.send(jsonReply((await load()).value));
  await response.turn();
  await readBehindFence(deps, principal.agentId, load, (value, lost) =>
    takenBehindFence(response, lost, () => response.send(jsonReply(value))),
  );
}

/** Sends all that an agent may use, page by page. Each page leaves behind the fence. */
async function streamToAgent(deps: Deps, principal: AgentPrincipal, response: ResponseWriter): Promise<void> {
  await response.turn();
  let before: number | undefined;
  let opening = MEMORY_LIST_OPENING;
  do {
    const query: MemoryQuery = { limit: STREAM_PAGE, before };
    const load = async () => {
      const page = await listMemories(deps, principal, query, response.signal());
      return { value: page, namespaces: namespacesOf(page.memories) };
    };
    await readBehindFence(deps, principal.agentId, load, ({ memories, next }, lost) => {
      before = next;
      if (!response.hasBegun()) response.begin("application/json");
      if (memories.length === 0) return Promise.resolve();
      const text = opening + joinedJson(memories);
      opening = ",";
      return takenBehindFence(response, lost, () => response.write(text));
    });
    if (response.isClosed()) return;
  } while (before !== undefined);
  await response.write(closingOf(opening));
  response.end();
}

const namespacesOf = (memories: readonly Memory[]): string[] => memories.map(({ namespace }) => namespace);
