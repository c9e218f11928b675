import type { ListNamespacesOperation } from "@langchain/langgraph-checkpoint";
import type { MemoryReader } from "./memory-reader.ts";
import { matches, pathOf } from "./namespace-path.ts";

/** The namespaces that the agent may use, by name; cut to `maxDepth` parts, each once. */
export async function listPaths(memories: MemoryReader, operation: ListNamespacesOperation): Promise<string[][]> {
  const { matchConditions = [], maxDepth, limit = 100, offset = 0 } = operation;
  const paths = (await memories.namespaces()).flatMap((name) => {
    const path = pathOf(name);
    return path !== undefined && matchConditions.every((condition) => matches(path, condition)) ? [path] : [];
  });
  const cut = new Map(paths.map((path) => path.slice(0, maxDepth)).map((path) => [JSON.stringify(path), path]));
  return [...cut.values()].sort(byParts).slice(offset, offset + limit);
}

function byParts(a: readonly string[], b: readonly string[]): number {
  const i = a.findIndex((part, at) => part !== b[at]);
  if (i === -1) return a.length - b.length;
  return b[i] === undefined || (a[i] as string) > b[i] ? 1 : -1;
}
