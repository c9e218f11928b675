// Reading memories: an admin reads all, a namespace's admin those of the namespace, and an agent what the gate gives it,
// behind the fence.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Principal } from "#core/identity/principal.ts";
import { takenBehindFence } from "#http/answer/fenced-write.ts";
import { closingOf, joinedJson } from "#http/answer/json-list.ts";
import { MEMORY_LIST_OPENING } from "#http/answer/memory-streams.ts";
import { jsonReply } from "#http/answer/reply.ts";
import type { ResponseWriter } from "#http/answer/response-writer.ts";
import type { Handlers, Value } from "#http/route-handler.ts";
import type { Deps } from "#service/deps.ts";
import { getMemory, listMemories, type MemoryQuery } from "#service/memories/list-memories.ts";
import { pinMemory } from "#service/memories/pin-memory.ts";
import { type Readable, readBehindFence } from "#service/policy/fenced-read.ts";
import { nextCursor, pageOf } from "./paging.ts";

/** A page is read without a pause. */
const STREAM_PAGE = 200;

export const memoryReading: Pick<Handlers, "listMemories" | "getMemory" | "updateMemory"> = {
  async listMemories(deps, { query, principal, signal }, { response }) {
    const isUnfiltered = Object.values(query).every((value) => value === undefined);
    if (isUnfiltered) return streamMemories(deps, principal, response);
    const wanted = { ...query, superseded: query.superseded === "true", ...pageOf(query) };
    const load = async () => {
      const { memories, next } = await listMemories(deps, principal, wanted, signal());
      const value: Value<"listMemories"> = { memories, ...nextCursor(next) };
      return { value, quoted: memories };
    };
    return sendReadable(deps, principal, load, response);
  },

  getMemory: (deps, { params, principal }, { response }) => sendMemory(deps, principal, params.memoryId, response),

  async updateMemory(deps, { params, body, principal }, { response }) {
    await pinMemory(deps, { ...params, ...body }, principal);
    // It is read again: it may be forgotten meanwhile.
    await sendMemory(deps, principal, params.memoryId, response);
  },
};

function sendMemory(deps: Deps, principal: Principal, memoryId: string, response: ResponseWriter): Promise<void> {
  const load = async () => {
    const memory = await getMemory(deps, principal, memoryId);
    const value: Value<"getMemory"> = { memory };
    return { value, quoted: [memory] };
  };
  return sendReadable(deps, principal, load, response);
}

/** Sends a JSON reply that quotes memories. It leaves behind the fence. */
export async function sendReadable(
  deps: Deps,
  principal: Principal,
  load: () => Promise<Readable<unknown>>,
  response: ResponseWriter,
): Promise<void> {
  await response.turn();
  await readBehindFence(deps, principal, load, (value, lost) =>
    takenBehindFence(response, lost, () => response.send(jsonReply(value))),
  );
}

/** Sends all that the caller may read, page by page. Each page leaves behind the fence. */
async function streamMemories(deps: Deps, principal: Principal, response: ResponseWriter): Promise<void> {
  await response.turn();
  let before: number | undefined;
  let opening = MEMORY_LIST_OPENING;
  do {
    const query: MemoryQuery = { limit: STREAM_PAGE, before };
    const load = async () => {
      const page = await listMemories(deps, principal, query, response.signal());
      return { value: page, quoted: page.memories };
    };
    await readBehindFence(deps, principal, load, ({ memories, next }, lost) => {
      before = next;
      if (!response.hasBegun()) response.begin("application/json");
      if (memories.length === 0) return Promise.resolve();
      const text = opening + joinedJson(memories);
      opening = ",";
      return takenBehindFence(response, lost, () => response.write(text));
    });
    if (response.isClosed()) return;
    // A client that reads fast would otherwise keep all others waiting. Not behind the fence, which others wait for.
    await nextTurn();
  } while (before !== undefined);
  await response.write(closingOf(opening));
  response.end();
}
