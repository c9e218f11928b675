// Items of LangGraph as memories: a path is a namespace, the value is canonical JSON, and the key is the memory's key.
import { InvalidNamespaceError, type Item, type MatchCondition } from "@langchain/langgraph-checkpoint";
import { defined, orUndefined } from "#core/defined.ts";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { keyFault, LIMITS, nameFault, textFault } from "#core/encoding/text-validation.ts";
import type { Memory } from "#core/memory.ts";

/** The framework asks for something that the service cannot do. A wrong result would be worse. */
export class UnsupportedOperationError extends Error {
  override readonly name = "UnsupportedOperationError";
}

export function nameOf(path: readonly string[]): string {
  if (path.length === 0) throw new InvalidNamespaceError("A namespace needs at least one part.");
  const name = path.map(encoded).join("/");
  const fault =
    name.length > LIMITS.name ? `has ${name.length} characters, and ${LIMITS.name} is the most` : nameFault(name);
  if (fault !== undefined)
    throw new InvalidNamespaceError(`The namespace ${JSON.stringify(path)} is "${name}", which ${fault}.`);
  if (isDotSegment(name)) throw new InvalidNamespaceError(`"${name}" cannot be a namespace.`);
  return name;
}

function encoded(part: string): string {
  if (typeof part !== "string" || part === "" || !part.isWellFormed())
    throw new InvalidNamespaceError(`A part of a namespace must be a text that is not empty: ${JSON.stringify(part)}.`);
  return encodeURIComponent(part);
}

/** Undefined for a name that no path has: somebody who does not use LangGraph chose it. */
export function pathOf(name: string): string[] | undefined {
  const path = orUndefined(() => name.split("/").map(decodeURIComponent));
  return path !== undefined && orUndefined(() => nameOf(path)) === name ? path : undefined;
}

/** As LangGraph defines it; `*` stands for any part. */
export function matches(path: readonly string[], { matchType, path: pattern }: MatchCondition): boolean {
  if (pattern.length > path.length) return false;
  const from = matchType === "prefix" ? 0 : path.length - pattern.length;
  return pattern.every((part, i) => part === "*" || part === path[from + i]);
}

type Value = Item["value"];

/** The text of a value. What JSON cannot say is refused, and so is what is too long. */
export function contentOf(value: Value): string {
  const content = canonicalJson(JSON.parse(JSON.stringify(value)));
  if (!isRecord(value)) throw new UnsupportedOperationError("A value must be an object.");
  const fault = textFault(content, LIMITS.content);
  if (fault !== undefined) throw new UnsupportedOperationError(`A value's canonical JSON ${fault}.`);
  return content;
}

export function checkKey(key: string): void {
  const fault = typeof key === "string" ? keyFault(key) : "must be a text";
  if (fault !== undefined) throw new UnsupportedOperationError(`A key ${fault}.`);
  if (isDotSegment(key)) throw new UnsupportedOperationError(`"${key}" cannot be a key.`);
}

/** In a URL it would name another route. */
const isDotSegment = (text: string): boolean => text === "." || text === "..";

/**
 * The item that a memory is for this agent. Keys are each agent's own, so what others put stands under its memory's id,
 * and so does what was not put by a store, with its text as `content`, and `occurredAt` if it has one. Undefined if no path leads to its namespace.
 */
export function itemOf(memory: Memory, agentId: string): Item | undefined {
  const namespace = pathOf(memory.namespace);
  if (namespace === undefined) return undefined;
  const { key, content, occurredAt, memoryId, sourceAgent } = memory;
  const value = key === undefined ? undefined : valueIn(content);
  const isOwn = value !== undefined && sourceAgent === agentId;
  const time = new Date(memory.createdAt);
  return {
    namespace,
    key: isOwn && key !== undefined ? key : memoryId,
    value: value ?? { content, ...defined({ occurredAt }) },
    createdAt: time,
    updatedAt: time,
  };
}

function valueIn(content: string): Value | undefined {
  const value: unknown = orUndefined(() => JSON.parse(content));
  return isRecord(value) ? value : undefined;
}

const isStructure = (value: unknown): value is object => typeof value === "object" && value !== null;
const isRecord = (value: unknown): value is Value => isStructure(value) && !Array.isArray(value);

type Compare = (value: unknown, wanted: unknown) => boolean;

const isIn: Compare = (value, wanted) => Array.isArray(wanted) && wanted.some((each) => isEqual(value, each));

const OPERATORS: ReadonlyMap<string, Compare> = new Map<string, Compare>([
  ["$eq", isEqual],
  ["$ne", (value, wanted) => !isEqual(value, wanted)],
  ["$gt", (value, wanted) => Number(value) > Number(wanted)],
  ["$gte", (value, wanted) => Number(value) >= Number(wanted)],
  ["$lt", (value, wanted) => Number(value) < Number(wanted)],
  ["$lte", (value, wanted) => Number(value) <= Number(wanted)],
  ["$in", isIn],
  ["$nin", (value, wanted) => !isIn(value, wanted)],
]);

/** Every field must be equal, or pass every operator. Refuses operators that LangGraph does not have. */
export function itemFilter(filter: Readonly<Record<string, unknown>> = {}) {
  const tests = Object.entries(filter).map(([field, wanted]) => ({ field, test: testFor(wanted) }));
  return (value: Readonly<Record<string, unknown>>): boolean =>
    tests.every(({ field, test }) => test(Object.hasOwn(value, field) ? value[field] : undefined));
}

function testFor(wanted: unknown): (value: unknown) => boolean {
  const operations = isRecord(wanted) ? Object.entries(wanted) : [];
  if (!operations.some(([name]) => name.startsWith("$"))) return (value) => isEqual(value, wanted);
  const tests = operations.map(([name, operand]) => {
    const compare = OPERATORS.get(name);
    if (compare === undefined)
      throw new UnsupportedOperationError(
        `A filter has no operator ${name}. It has ${[...OPERATORS.keys()].join(", ")}.`,
      );
    return (value: unknown) => compare(value, operand);
  });
  return (value) => tests.every((test) => test(value));
}

function isEqual(value: unknown, wanted: unknown): boolean {
  if (value === wanted) return true;
  return isStructure(value) && isStructure(wanted) && canonicalJson(value) === canonicalJson(wanted);
}
