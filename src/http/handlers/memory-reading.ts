// Reading memories: an admin reads all, a namespace's admin those of the namespace, and an agent what the gate gives it,
// behind the fence.
import type { Principal } from "#core/identity/principal.ts";
import type { Memory } from "#core/memory.ts";
import { takenBehindFence } from "#http/answer/fenced-write.ts";
import { sendMemoryList } from "#http/answer/memory-streams.ts";
import { jsonReply } from "#http/answer/reply.ts";
import type { ResponseWriter } from "#http/answer/response-writer.ts";
import type { Handlers, Value } from "#http/route-handler.ts";
import type { Deps } from "#service/deps.ts";
import { allMemories, getMemory, listMemories, type MemoryQuery } from "#service/memories/list-memories.ts";
import { readBehindFence } from "#service/policy/fenced-read.ts";
import { nextCursor, pageOf } from "./paging.ts";

const STREAM_PAGE = 500;

export const memoryReading: Pick<Handlers, "listMemories" | "getMemory"> = {
  async listMemories(deps, { query, principal, signal }, { response }) {
    const isUnfiltered = Object.values(query).every((value) => value === undefined);
    if (isUnfiltered && principal.role === "admin") return sendMemoryList(response, allMemories(deps));
    if (isUnfiltered) return streamReadable(deps, principal, response);
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
  await readBehindFence(deps, principal.agentId, load, (value) =>
    takenBehindFence(response, response.send(jsonReply(value))),
  );
}

/** Sends all that the caller may read, page by page. Each page of an agent leaves behind the fence. */
async function streamReadable(deps: Deps, principal: Principal, response: ResponseWriter): Promise<void> {
  await response.turn();
  let before: number | undefined;
  let separator = '{"memories":[';
  const send = (memories: readonly Memory[]) => {
    if (!response.hasBegun()) response.begin("application/json");
    if (memories.length === 0) return Promise.resolve();
    const text = separator + memories.map((memory) => JSON.stringify(memory)).join(",");
    separator = ",";
    return takenBehindFence(response, response.write(text));
  };
  do {
    const query: MemoryQuery = { limit: STREAM_PAGE, before };
    const load = async () => {
      const page = await listMemories(deps, principal, query, response.signal());
      return { value: page, namespaces: namespacesOf(page.memories) };
    };
    const release = ({ memories, next }: Awaited<ReturnType<typeof listMemories>>) => {
      before = next;
      return send(memories);
    };
    if (principal.role === "agent") await readBehindFence(deps, principal.agentId, load, release);
    else await release((await load()).value);
    if (response.isClosed()) return;
  } while (before !== undefined);
  await response.write(separator === "," ? "]}" : `${separator}]}`);
  response.end();
}

const namespacesOf = (memories: readonly Memory[]): string[] => memories.map(({ namespace }) => namespace);
