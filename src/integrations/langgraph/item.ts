// Items of LangGraph as memories: the value is canonical JSON, and the key is the memory's key.
import type { Item } from "@langchain/langgraph-checkpoint";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { keyFault, LIMITS, textFault } from "#core/encoding/text-validation.ts";
import type { Memory } from "#core/memory.ts";
import { pathOf } from "./namespace-path.ts";
import { UnsupportedOperationError } from "./unsupported-operation-error.ts";

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
  // Dot segments of a URL: they would name another route.
  if (key === "." || key === "..") throw new UnsupportedOperationError(`"${key}" cannot be a key.`);
}

/**
 * The item that a memory is for this agent. Keys are each agent's own, so what others put stands under its memory's id,
 * and so does what was not put by a store, with its text as `content`. Undefined if no path leads to its namespace.
 */
export function itemOf(memory: Memory, agentId: string): Item | undefined {
  const namespace = pathOf(memory.namespace);
  if (namespace === undefined) return undefined;
  const { key, content, memoryId, sourceAgent } = memory;
  const value = key === undefined ? undefined : valueIn(content);
  const isOwn = value !== undefined && sourceAgent === agentId;
  const time = new Date(memory.createdAt);
  return {
    namespace,
    key: isOwn && key !== undefined ? key : memoryId,
    value: value ?? { content },
    createdAt: time,
    updatedAt: time,
  };
}

function valueIn(content: string): Value | undefined {
  try {
    const value: unknown = JSON.parse(content);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Value {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
