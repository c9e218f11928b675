// History checker: records policy changes and uses of memories in their order, and finds leaks. A leak is a prompt that
// left, or a piece of an answer that was released, with a namespace whose revoke had been acknowledged before.

export interface Leaf {
  readonly agentId: string;
  readonly namespace: string;
}

/** A change of one leaf, with the moments of its request and of its acknowledgement. */
interface Change extends Leaf {
  readonly allowed: boolean;
  readonly asked: number;
  /** Absent until the change is acknowledged. */
  acknowledged?: number;
}

interface Use {
  readonly what: "prompt" | "answer";
  readonly agentId: string;
  readonly namespaces: readonly string[];
  readonly at: number;
}

export interface Leak extends Leaf {
  readonly what: Use["what"];
  /** How long after the acknowledgement, in units of the history's clock. */
  readonly late: number;
}

export interface History {
  /** Records that the leaves are about to change. The function that it returns records the acknowledgement. */
  changing(leaves: readonly (Leaf & { readonly allowed: boolean })[]): () => void;
  used(what: Use["what"], agentId: string, namespaces: Iterable<string>): void;
  leaks(): Leak[];
  readonly uses: number;
}

/** `now` is the clock. It must grow with every call. */
export function createHistory(now: () => number = counter()): History {
  const changes: Change[] = [];
  const uses: Use[] = [];

  return {
    changing(leaves) {
      const asked = now();
      const added: Change[] = leaves.map(({ agentId, namespace, allowed }) => ({ agentId, namespace, allowed, asked }));
      changes.push(...added);
      return () => {
        const acknowledged = now();
        for (const change of added) change.acknowledged = acknowledged;
      };
    },
    used(what, agentId, namespaces) {
      uses.push({ what, agentId, namespaces: [...namespaces], at: now() });
    },
    leaks: () => uses.flatMap((use) => use.namespaces.flatMap((namespace) => leakOf(use, namespace, changes) ?? [])),
    get uses() {
      return uses.length;
    },
  };
}

/**
 * A use is a leak if a revoke was acknowledged before it and no grant can have followed that revoke: every grant was
 * acknowledged before the revoke was requested, or was requested after the use.
 */
function leakOf({ what, agentId, at }: Use, namespace: string, changes: readonly Change[]): Leak | undefined {
  const ours = changes.filter((change) => change.agentId === agentId && change.namespace === namespace);
  const grants = ours.filter(({ allowed, asked }) => allowed && asked < at);
  for (const { allowed, asked, acknowledged } of ours) {
    if (allowed || acknowledged === undefined || acknowledged >= at) continue;
    if (grants.some((grant) => !(grant.acknowledged !== undefined && grant.acknowledged < asked))) continue;
    return { what, agentId, namespace, late: at - acknowledged };
  }
  return undefined;
}

function counter(): () => number {
  let count = 0;
  return () => ++count;
}
