// Namespaces of LangGraph are lists of parts. The service's are names: each part percent-encoded, joined by `/`.
import { InvalidNamespaceError, type MatchCondition } from "@langchain/langgraph-checkpoint";
import { LIMITS, nameFault } from "#core/encoding/text-validation.ts";

export function nameOf(path: readonly string[]): string {
  if (path.length === 0) throw new InvalidNamespaceError("A namespace needs at least one part.");
  const name = path.map(encoded).join("/");
  const fault =
    name.length > LIMITS.name ? `has ${name.length} characters, and ${LIMITS.name} is the most` : nameFault(name);
  if (fault !== undefined)
    throw new InvalidNamespaceError(`The namespace ${JSON.stringify(path)} is "${name}", which ${fault}.`);
  // Dot segments of a URL: they would name another route.
  if (name === "." || name === "..") throw new InvalidNamespaceError(`"${name}" cannot be a namespace.`);
  return name;
}

function encoded(part: string): string {
  if (typeof part !== "string" || part === "" || !part.isWellFormed())
    throw new InvalidNamespaceError(`A part of a namespace must be a text that is not empty: ${JSON.stringify(part)}.`);
  return encodeURIComponent(part);
}

/** Undefined for a name that no path has: somebody who does not use LangGraph chose it. */
export function pathOf(name: string): string[] | undefined {
  try {
    const path = name.split("/").map(decodeURIComponent);
    return nameOf(path) === name ? path : undefined;
  } catch {
    return undefined;
  }
}

/** As LangGraph defines it; `*` stands for any part. */
export function matches(path: readonly string[], { matchType, path: pattern }: MatchCondition): boolean {
  if (pattern.length > path.length) return false;
  const from = matchType === "prefix" ? 0 : path.length - pattern.length;
  return pattern.every((part, i) => part === "*" || part === path[from + i]);
}
