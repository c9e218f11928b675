// Reading outside an answer. What is read leaves behind the same fence as an answer does, so that nothing of a revoked
// namespace is sent to an agent once the revoke was acknowledged, and nothing of a forgotten memory to anybody.
import { NEVER_ABORTS } from "#async/with-deadline.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { Memory } from "#core/memory.ts";
import type { ReadSet } from "#ports.ts";
import type { Tenant } from "#service/tenant.ts";
import { type FenceState, readSetOf } from "./policy-mirror.ts";

const MAX_ATTEMPTS = 3;
export type Reader = { readonly role: Principal["role"]; readonly agentId?: string };

export interface Readable<T> {
  readonly value: T;
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
  { policyMirror, records }: Pick<Tenant, "policyMirror" | "records">,
  { role, agentId: own }: Reader,
  load: () => Promise<Readable<T>>,
  /** The signal is that of a `FencedAction`. */
  release: (value: T, lost: AbortSignal) => Promise<void>,
): Promise<void> {
  const agentId = role === "agent" ? own : undefined;
  /** The records that were read are not held while `release` waits for a client, unless they are in `value`. */
  async function read() {
    // Taken before anything is read: the fence looks closer when the state has changed since.
    const state = await policyMirror.fenceState();
    const { value, quoted } = await load();
    return { value, readSet: quoted.length === 0 ? undefined : readSetFor(agentId, state, quoted) };
  }
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const { value, readSet } = await read();
    if (readSet === undefined) return release(value, NEVER_ABORTS);
    if (await records.policy.passFence(readSet, (lost) => release(value, lost))) return;
  }
  throw new PortcullisError(
    "policy-changed",
    "The policy, or the memories, kept changing while this was read. Ask again.",
  );
}

function readSetFor(agentId: string | undefined, state: FenceState, quoted: readonly Quoted[]): ReadSet {
  const memories = quoted.flatMap(({ memoryId, ...rest }) => (memoryId === undefined ? [] : { memoryId, ...rest }));
  // The gate is for agents. History may be read.
  const gated = agentId === undefined ? [] : quoted.filter(({ isPublic }) => isPublic !== true);
  const namespaces = [...new Set(gated.map(({ namespace }) => namespace))];
  return { ...readSetOf(state, memories), agentId: agentId ?? "", namespaces, allowsSuperseded: true };
}
