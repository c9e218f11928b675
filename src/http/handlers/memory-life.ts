// The life of a memory: captured, forgotten, found by its key, and what is said of its namespace.
import { factBy } from "#core/identity/permissions.ts";
import { jsonReply } from "#http/answer/reply.ts";
import type { Handlers, Value } from "#http/route-handler.ts";
import type { NamespaceEntry } from "#ports.ts";
import { capture } from "#service/memories/capture.ts";
import { forgetByKey, getByKey } from "#service/memories/fact-keys.ts";
import { getNamespace, listNamespaces, putNamespace } from "#service/memories/namespaces.ts";
import { forgetMemory } from "#service/memories/removal/forget.ts";
import { forgetMany } from "#service/memories/removal/forget-many.ts";
import { getTombstone, listUses } from "#service/memories/removal/traces.ts";
import { similarTo } from "#service/memories/similar.ts";
import type { Quoted } from "#service/policy/fenced-read.ts";
import { sendReadable } from "./memory-reading.ts";
import { DEFAULT_PAGE, nextCursor } from "./paging.ts";

type Names =
  | "capture"
  | "forgetMemory"
  | "forgetMemories"
  | "listUses"
  | "getTombstone"
  | "listNamespaces"
  | "getNamespace"
  | "putNamespace"
  | "getByKey"
  | "forgetByKey";

export const memoryLife: Pick<Handlers, Names> = {
  async capture(deps, { body, principal }, { response }) {
    const memory = await capture(deps, factBy(principal, body));
    const load = async () => {
      const close = await similarTo(deps, principal, memory);
      const similar = close.map(({ memoryId, score }) => ({ memoryId, score }));
      const value: Value<"capture"> = { memory, similar };
      return { value, quoted: close };
    };
    // The memory is on record in any case.
    const sendAlone = () => response.send(jsonReply({ memory, similar: [] } satisfies Value<"capture">));
    await sendReadable(deps, principal, load, response).catch((error) => {
      if (response.hasBegun() || response.isClosed()) throw error;
      return sendAlone();
    });
    return { memory };
  },

  forgetMemory: (deps, { params, query, principal }) => forgetMemory(deps, { ...params, ...query }, principal),
  forgetMemories: (deps, { body, principal }) => forgetMany(deps, body, principal),

  async listUses(deps, { params, query: { limit = DEFAULT_PAGE, cursor }, principal }) {
    const { uses, next } = await listUses(deps, principal, params.memoryId, { limit, before: cursor });
    return { uses, ...nextCursor(next) };
  },

  async getTombstone(deps, { params, principal }, { response }) {
    const load = async () => {
      const { tombstone, isPublic } = await getTombstone(deps, principal, params.memoryId);
      const value: Value<"getTombstone"> = { tombstone };
      return { value, quoted: [{ namespace: tombstone.namespace, isPublic }] };
    };
    return sendReadable(deps, principal, load, response);
  },

  async listNamespaces(deps, { query: { limit = DEFAULT_PAGE, cursor }, principal }, { response }) {
    const load = async () => {
      const { namespaces, next } = await listNamespaces(deps, principal, { limit, after: cursor });
      const value: Value<"listNamespaces"> = { namespaces, ...nextCursor(next) };
      return { value, quoted: namespaces.map(toQuoted) };
    };
    return sendReadable(deps, principal, load, response);
  },
  async getNamespace(deps, { params, principal }, { response }) {
    const load = async () => {
      const namespace = await getNamespace(deps, principal, params.name);
      const value: Value<"getNamespace"> = { namespace };
      return { value, quoted: [toQuoted(namespace)] };
    };
    return sendReadable(deps, principal, load, response);
  },
  putNamespace: (deps, { params, body, principal }) => putNamespace(deps, { ...params, ...body }, principal),

  async getByKey(deps, { params: { name: namespace, key }, query, principal }, { response }) {
    const load = async () => {
      const memory = await getByKey(deps, { namespace, key, ...query }, principal);
      const value: Value<"getByKey"> = { memory };
      return { value, quoted: [memory] };
    };
    return sendReadable(deps, principal, load, response);
  },
  forgetByKey: (deps, { params: { name: namespace, key }, query, principal }) =>
    forgetByKey(deps, { namespace, key, ...query }, principal),
};

/** What is said of a namespace is for those who may use it. */
const toQuoted = ({ name: namespace }: NamespaceEntry): Quoted => ({ namespace });
