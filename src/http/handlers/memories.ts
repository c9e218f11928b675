// Memories, and the settings of their namespaces. An admin reads all, the admin of a namespace those of the namespace, and an
// agent what the gate gives it, behind the fence.
import { setImmediate as nextTurn } from "node:timers/promises";
import { NDJSON_TYPE } from "#contract/media-types.ts";
import type { Body } from "#contract/routes.ts";
import type { memoryRows, namespaceRows } from "#contract/rows/memories.ts";
import { factBy } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import { jsonReply } from "#http/answer/reply.ts";
import { type ResponseWriter, sendPieces } from "#http/answer/response-writer.ts";
import { takenBehindFence } from "#http/answer/send-answer.ts";
import type { ParsedLine } from "#http/request/body.ts";
import type { Handlers, Value } from "#http/route-handler.ts";
import type { NamespaceEntry } from "#ports.ts";
import type { Call } from "#service/call.ts";
import { capture, type ImportLine, importMemories, pinMemory } from "#service/memories/capture.ts";
import { forgetByKey, forgetMany, forgetMemory, getTombstone, listUses } from "#service/memories/forget.ts";
import { getNamespace, listNamespaces, putNamespace } from "#service/memories/namespaces.ts";
import { getByKey, getMemory, listMemories, type MemoryQuery, similarTo } from "#service/memories/read-memories.ts";
import { type Quoted, readBehindFence } from "#service/policy/fenced-read.ts";
import { STREAM_PAGE_BYTES } from "#service/scan-budget.ts";
import type { Tenant } from "#service/tenant.ts";
import { behindFence, closingOf, DEFAULT_PAGE, joinedJson, nextCursor, pageOf } from "./replies.ts";

type MemoryRoute = keyof typeof memoryRows | keyof typeof namespaceRows;

const sendMemory = behindFence<"getMemory">(async (tenant, { params, call }) => {
  const memory = await getMemory(tenant, call, params.memoryId);
  return { value: { memory }, quoted: [memory] };
});

const sendMemoryPage = behindFence<"listMemories">(async (tenant, { query, call }) => {
  const wanted = { ...query, superseded: query.superseded === "true", ...pageOf(query) };
  const { memories, next } = await listMemories(tenant, call, wanted);
  return { value: { memories, ...nextCursor(next) }, quoted: memories };
});

export const memoryHandlers: Pick<Handlers, MemoryRoute> = {
  async capture(tenant, input, exchange) {
    const memory = await capture(tenant, factBy(input.principal, input.body), input.call);
    const sendWithSimilar = behindFence<"capture">(async (_, { principal }) => {
      const close = await similarTo(tenant, principal, memory);
      const similar = close.map(({ memoryId, score }) => ({ memoryId, score }));
      return { value: { memory, similar }, quoted: close };
    });
    const { response } = exchange;
    await sendWithSimilar(tenant, input, exchange).catch((error) => {
      if (response.hasBegun() || response.isClosed()) throw error;
      // The memory is on record in any case.
      return response.send(jsonReply({ memory, similar: [] } satisfies Value<"capture">));
    });
    return { memory };
  },
  importMemories: (tenant, { body, query, call }, { response, problemOf }) => {
    // No further line is read before the client takes a result, so a client must read while it writes.
    async function* results(): AsyncGenerator<string> {
      for await (const result of importMemories(tenant, factsIn(body, call), call, query.dryRun === "true")) {
        const { line } = result;
        yield `${JSON.stringify("error" in result ? { line, problem: problemOf(result.error) } : result)}\n`;
      }
    }
    return tenant.importSlots.run(call.principal, () => {
      response.reserve();
      // Some clients send the body only when they have seen the head.
      response.begin(NDJSON_TYPE, { flush: true });
      return sendPieces(response, NDJSON_TYPE, results());
    });
  },

  async listMemories(tenant, input, exchange) {
    const isUnfiltered = Object.values(input.query).every((value) => value === undefined);
    return isUnfiltered
      ? streamMemories(tenant, input.call, exchange.response)
      : sendMemoryPage(tenant, input, exchange);
  },
  getMemory: sendMemory,
  async updateMemory(tenant, { body, ...input }, exchange) {
    await pinMemory(tenant, { ...input.params, ...body }, input.call);
    // It is read again: it may be forgotten meanwhile.
    await sendMemory(tenant, { ...input, body: undefined, query: undefined }, exchange);
  },

  forgetMemory: (tenant, { params, query, call }) => forgetMemory(tenant, { ...params, ...query }, call),
  forgetMemories: (tenant, { body, call }) => forgetMany(tenant, body, call),
  async listUses(tenant, { params, query: { limit = DEFAULT_PAGE, cursor }, principal }) {
    const { uses, next } = await listUses(tenant, principal, params.memoryId, { limit, before: cursor });
    return { uses, ...nextCursor(next) };
  },
  getTombstone: behindFence<"getTombstone">(async (tenant, { params, principal }) => {
    const { tombstone, isPublic } = await getTombstone(tenant, principal, params.memoryId);
    return { value: { tombstone }, quoted: [{ namespace: tombstone.namespace, isPublic }] };
  }),

  listNamespaces: behindFence<"listNamespaces">(
    async (tenant, { query: { limit = DEFAULT_PAGE, cursor }, principal }) => {
      const { namespaces, next } = await listNamespaces(tenant, principal, { limit, after: cursor });
      return { value: { namespaces, ...nextCursor(next) }, quoted: namespaces.map(toQuoted) };
    },
  ),
  getNamespace: behindFence<"getNamespace">(async (tenant, { params, principal }) => {
    const namespace = await getNamespace(tenant, principal, params.name);
    return { value: { namespace }, quoted: [toQuoted(namespace)] };
  }),
  putNamespace: (tenant, { params, body, call }) => putNamespace(tenant, { ...params, ...body }, call),

  getByKey: behindFence<"getByKey">(async (tenant, { params: { name: namespace, key }, query, call }) => {
    const memory = await getByKey(tenant, { namespace, key, ...query }, call);
    return { value: { memory }, quoted: [memory] };
  }),
  forgetByKey: (tenant, { params: { name: namespace, key }, query, call }) =>
    forgetByKey(tenant, { namespace, key, ...query }, call),
};

/** What is said of a namespace is for those who may use it. */
const toQuoted = ({ name: namespace }: NamespaceEntry): Quoted => ({ namespace });

/** A page is read without a pause. */
const STREAM_PAGE = 200;

/** Sends all that the caller may read, page by page. Each page leaves behind the fence. */
async function streamMemories(
  tenant: Pick<Tenant, "records" | "policyMirror" | "now">,
  call: Call,
  response: ResponseWriter,
): Promise<void> {
  await response.turn();
  response.reserve();
  let before: number | undefined;
  let opening = '{"memories":[';
  do {
    const query: MemoryQuery = { limit: STREAM_PAGE, before, bytes: STREAM_PAGE_BYTES };
    const load = async () => {
      const { memories, next } = await listMemories(tenant, call, query);
      const text = memories.length === 0 ? "" : opening + joinedJson(memories);
      return { value: { text, next }, quoted: memories };
    };
    await readBehindFence(tenant, call.principal, load, ({ text, next }, lost) => {
      before = next;
      if (!response.hasBegun()) response.begin("application/json");
      if (text === "") return Promise.resolve();
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

async function* factsIn(
  lines: AsyncIterable<ParsedLine<Body<"importMemories">>>,
  { principal }: Call,
): AsyncGenerator<ImportLine> {
  for await (const line of lines) yield "error" in line ? line : factIn(line.line, line.value, principal);
}

function factIn(line: number, draft: Body<"importMemories">, principal: Principal): ImportLine {
  try {
    return { line, fact: factBy(principal, draft) };
  } catch (error) {
    return { line, error };
  }
}
