// History checker: records policy changes, removals and uses of memories in their order, and finds leaks. A leak is a
// prompt that left, a piece of an answer that was released, or a page that was read, with a namespace whose revoke had been
// acknowledged before, with a memory whose removal had been, or with a memory of another tenant.

export interface Rule {
  readonly agentId: string;
  readonly namespace: string;
}

/** A change of one rule, with the moments of its request and of its acknowledgement. */
interface Change extends Rule {
  readonly allowed: boolean;
  readonly asked: number;
  /** Absent until the change is acknowledged. */
  acknowledged?: number;
}

interface Use {
  readonly what: "prompt" | "answer" | "page";
  readonly agentId: string;
  readonly namespaces: readonly string[];
  readonly memories: readonly string[];
  readonly at: number;
}

export interface Leak {
  readonly what: Use["what"];
  readonly agentId: string;
  readonly of: "namespace" | "memory" | "tenant";
  readonly name: string;
  /** How long after the acknowledgement, in units of the history's clock. */
  readonly late: number;
}

interface HistoryOptions {
  readonly now?: () => number;
  readonly isOurs?: (memory: string) => boolean;
}

export interface History {
  /** Records that the rules are about to change. The function that it returns records the acknowledgement. */
  changing(rules: readonly (Rule & { readonly allowed: boolean })[]): () => void;
  /**
   * Records that memories are about to be forgotten or superseded, or have expired. The function that it returns records
   * the acknowledgement. A memory has a name of its own, and does not come back. A superseded one can still be read.
   */
  removing(memories: Iterable<string>, options?: { readonly staysReadable?: boolean }): () => void;
  used(what: Use["what"], agentId: string, namespaces: Iterable<string>, memories?: Iterable<string>): void;
  leaks(): Leak[];
  /** As the changes say, which must have come one after another. */
  isAllowed(rule: Rule): boolean;
  isRemoved(memory: string): boolean;
  readonly uses: number;
}

/** `isOurs` tells memories of this tenant from others'. `now` is the clock. It must grow with every call. */
export function createHistory({ now = counter(), isOurs = () => true }: HistoryOptions = {}): History {
  const changes: Change[] = [];
  const uses: Use[] = [];
  /** From when on a memory was in no answer, and on no page. */
  const [unusable, unreadable] = [new Map<string, number>(), new Map<string, number>()];

  return {
    changing(rules) {
      const asked = now();
      const added: Change[] = rules.map(({ agentId, namespace, allowed }) => ({ agentId, namespace, allowed, asked }));
      changes.push(...added);
      return () => {
        const acknowledged = now();
        for (const change of added) change.acknowledged = acknowledged;
      };
    },
    removing(memories, { staysReadable = false } = {}) {
      const names = [...memories];
      return () => {
        const acknowledged = now();
        for (const removed of staysReadable ? [unusable] : [unusable, unreadable])
          for (const name of names) if (!removed.has(name)) removed.set(name, acknowledged);
      };
    },
    used(what, agentId, namespaces, memories = []) {
      uses.push({ what, agentId, namespaces: [...namespaces], memories: [...memories], at: now() });
    },
    leaks: () =>
      uses.flatMap((use) => [
        ...use.namespaces.flatMap((namespace) => leakOfNamespace(use, namespace, changes) ?? []),
        ...use.memories.flatMap(
          (memory) => leakOfMemory(use, memory, use.what === "page" ? unreadable : unusable) ?? [],
        ),
        ...use.memories
          .filter((memory) => !isOurs(memory))
          .map((name) => ({ what: use.what, agentId: use.agentId, of: "tenant" as const, name, late: 0 })),
      ]),
    isAllowed: ({ agentId, namespace }) =>
      changes.findLast((change) => change.agentId === agentId && change.namespace === namespace)?.allowed === true,
    isRemoved: (memory) => unusable.has(memory),
    get uses() {
      return uses.length;
    },
  };
}

/**
 * A use is a leak if a revoke was acknowledged before it and no grant can have followed that revoke: every grant was
 * acknowledged before the revoke was requested, or was requested after the use.
 */
function leakOfNamespace({ what, agentId, at }: Use, namespace: string, changes: readonly Change[]): Leak | undefined {
  const ours = changes.filter((change) => change.agentId === agentId && change.namespace === namespace);
  const grants = ours.filter(({ allowed, asked }) => allowed && asked < at);
  for (const { allowed, asked, acknowledged } of ours) {
    if (allowed || acknowledged === undefined || acknowledged >= at) continue;
    if (grants.some((grant) => !(grant.acknowledged !== undefined && grant.acknowledged < asked))) continue;
    return { what, agentId, of: "namespace", name: namespace, late: at - acknowledged };
  }
  return undefined;
}

function leakOfMemory(
  { what, agentId, at }: Use,
  name: string,
  removed: ReadonlyMap<string, number>,
): Leak | undefined {
  const acknowledged = removed.get(name);
  if (acknowledged === undefined || acknowledged >= at) return undefined;
  return { what, agentId, of: "memory", name, late: at - acknowledged };
}

export function sentenceOf({ what, agentId, of, name, late }: Leak): string {
  if (of === "tenant") return `${what} of ${agentId || "an admin"} with ${name}, which is not as its tenant left it`;
  return `${what} of ${agentId || "an admin"} with ${of} ${name}, ${late} after its removal or revoke was acknowledged`;
}

function counter(): () => number {
  let count = 0;
  return () => ++count;
}
