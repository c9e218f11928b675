// What a user types to have something done: "close health to assistant", "export work", "forget peanuts".
import type { AccessRule } from "#core/gate/policy.ts";

type Verb = "open" | "close" | "export" | "forget";

const VERBS: Readonly<Record<string, Verb>> = {
  ...{ open: "open", allow: "open", close: "close", shut: "close", revoke: "close" },
  ...{ export: "export", save: "export", forget: "forget", delete: "forget" },
};

export interface Command {
  readonly verb: Verb;
  readonly rest: string;
}

export function readCommand(text: string): Command | undefined {
  const [, word = "", rest = ""] = /^(\S+)(?:\s+(.*))?$/s.exec(text.trim()) ?? [];
  const key = word.toLowerCase();
  const verb = Object.hasOwn(VERBS, key) ? VERBS[key] : undefined;
  return verb && { verb, rest: rest.trim() };
}

type Cell = Omit<AccessRule, "allowed">;

/**
 * The gates that a text names: "health to assistant", or "health" for those of all agents. A name may be cut, and may
 * have such a word itself. At most `limit` of those that `isWanted`; whole names come first.
 */
export function gatesNamed(
  text: string,
  { agents, namespaces }: { readonly agents: readonly string[]; readonly namespaces: readonly string[] },
  isWanted: (cell: Cell) => boolean,
  limit: number,
): Cell[] {
  const found = new Map<string, Cell>();
  const divisions = [...text.matchAll(/\s+(?:to|for|from)(?:\s+|$)/gi)].map(
    ({ index, 0: { length } }) => [text.slice(0, index), text.slice(index + length)] as const,
  );
  for (const [namespacePart, agentPart] of [...divisions, [text, ""] as const])
    for (const namespace of namesLike(namespacePart, namespaces))
      for (const agentId of namesLike(agentPart, agents)) {
        if (found.size >= limit) return [...found.values()];
        const cell = { agentId, namespace };
        if (isWanted(cell)) found.set(JSON.stringify([agentId, namespace]), cell);
      }
  return [...found.values()];
}

/** Those that begin with a text, in upper or lower case; the same name alone if there is one. */
export function namesLike(text: string, names: readonly string[]): readonly string[] {
  const part = text.toLowerCase();
  const same = names.filter((name) => name.toLowerCase() === part);
  return same.length > 0 ? same : names.filter((name) => name.toLowerCase().startsWith(part));
}
