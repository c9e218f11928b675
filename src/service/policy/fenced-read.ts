// Reading outside an answer: listings, single memories and receipts. What is read leaves behind the same fence as an answer
// does, so that nothing of a revoked namespace is sent to an agent once the revoke was acknowledged, and nothing of a
// forgotten memory to anybody.
import { NEVER_ABORTS } from "#async/never-aborts.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { Memory } from "#core/memory.ts";
import type { Deps } from "#service/deps.ts";
import { readSetOf } from "./read-set.ts";

const MAX_ATTEMPTS = 3;

/** Whoever reads. */
export type Reader = { readonly role: Principal["role"]; readonly agentId?: string };

export interface Readable<T> {
  readonly value: T;
  /** What `value` quotes. */
  readonly quoted: readonly Quoted[];
}

/** A memory, or an event of a namespace, which has no memory that must still be there. */
export type Quoted = Pick<Memory, "namespace" | "expiresAt"> & {
  readonly memoryId?: string;
  /** Anybody may read it while it is on record, whatever the policy says. */
  readonly isPublic?: boolean;
};

/** Has `release` send what `load` read. Reads again when the policy, or a forgetting, took some of it away meanwhile. */
export async function readBehindFence<T>(
  { gatekeeper, records }: Pick<Deps, "gatekeeper" | "records">,
  { role, agentId: own }: Reader,
  load: () => Promise<Readable<T>>,
  /** The signal is that of a `FencedAction`. */
  release: (value: T, lost: AbortSignal) => Promise<void>,
): Promise<void> {
  const agentId = role === "agent" ? own : undefined;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    // Taken before anything is read: the fence looks closer when the state has changed since.
    const state = await gatekeeper.fenceState();
    const { value, quoted } = await load();
    if (quoted.length === 0) return release(value, NEVER_ABORTS);
    const memories = quoted.flatMap(({ memoryId, ...rest }) => (memoryId === undefined ? [] : { memoryId, ...rest }));
    // The gate is for agents. History may be read.
    const gated = agentId === undefined ? [] : quoted.filter(({ isPublic }) => isPublic !== true);
    const namespaces = [...new Set(gated.map(({ namespace }) => namespace))];
    const readSet = {
      ...readSetOf(state, memories),
      agentId: agentId ?? "",
      namespaces,
      allowsSuperseded: true,
    };
    if (await records.policy.passFence(readSet, (lost) => release(value, lost))) return;
  }
  throw new PortcullisError(
    "policy-changed",
    "The policy, or the memories, kept changing while this was read. Ask again.",
  );
}
