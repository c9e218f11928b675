// What happened, in the order it happened, and what of it must not have: a prompt that left, or anything of an answer
// that was released, with a namespace whose revoke had been acknowledged.

export interface Leaf {
  readonly agentId: string;
  readonly namespace: string;
}

/** A change of one leaf: when it was asked for, and when that was acknowledged. */
interface Change extends Leaf {
  readonly allowed: boolean;
  readonly asked: number;
  /** Absent while nobody has been told. */
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
  /** How much later than the acknowledgement, in the history's own units. */
  readonly late: number;
}

export interface History {
  /** Notes that the leaves are about to change; what it returns notes that this was acknowledged. */
  changing(leaves: readonly (Leaf & { readonly allowed: boolean })[]): () => void;
  used(what: Use["what"], agentId: string, namespaces: Iterable<string>): void;
  leaks(): Leak[];
  readonly uses: number;
}

/** `now` must grow with every call. */
export function createHistory(now: () => number = counter()): History {
  const changes: Change[] = [];
  const uses: Use[] = [];

  return {
    changing(leaves) {
      const asked = now();
      const mine: Change[] = leaves.map(({ agentId, namespace, allowed }) => ({ agentId, namespace, allowed, asked }));
      changes.push(...mine);
      return () => {
        const acknowledged = now();
        for (const change of mine) change.acknowledged = acknowledged;
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
 * A use leaks if some revoke was acknowledged before it, and nobody can say that a grant came after that revoke: every
 * grant was acknowledged before the revoke was asked for, or asked for after the use.
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
