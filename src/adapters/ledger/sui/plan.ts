// What goes into the next transaction: the changes of the policy that the chain lacks, and then the anchors.
import { type AccessRule, isAllowed, type Policy, rulesOf } from "#core/gate/policy.ts";
import type { PendingChainAnchor } from "#ports.ts";
import type { ChainState } from "./chain-state.ts";

export interface Plan {
  readonly changes: readonly AccessRule[];
  readonly anchors: readonly PendingChainAnchor[];
  /** What the gate's version will be when the anchors are evaluated, if nobody else changes the policy meanwhile. */
  readonly version: bigint;
}

// Sui's limits for one transaction: 1,023 commands, 128 KiB, 2,048 objects, 1,024 events, and 1,000 dynamic fields
// looked at (object_runtime_max_num_cached_objects), which is the narrowest. We stay clear of all of them.
const FIELDS = 900;
const BYTES = 100 * 1024;
/** A Move call with its references, and what BCS adds around the arguments. */
const CALL_BYTES = 110;

/** Changes first: a claim is judged by the whole policy, so no anchor travels before the last change that is due. */
export function planNext(state: ChainState, policy: Policy, waiting: readonly PendingChainAnchor[]): Plan {
  const due = state.policyCap === undefined ? [] : missingOnChain(policy, state.access);
  const room = createRoom();
  const changes = takeWhile(due, ({ agentId, namespace }) => room.take([[agentId, namespace]], agentId + namespace));
  const version = state.version + BigInt(changes.length);
  if (changes.length < due.length) return { changes, anchors: [], version };
  const anchors = takeWhile(waiting, ({ agentId, blobId, digest, claimed }) => {
    const fields = [["", digest, ...claimed], ...claimed.map((namespace) => [agentId, namespace])];
    return room.take(fields, agentId + blobId + digest + claimed.join(" "));
  });
  return { changes, anchors, version };
}

/** The leaves that the chain has otherwise than the policy. The chain keeps what is allowed and nothing else. */
export function missingOnChain(policy: Policy, access: Policy): AccessRule[] {
  const allowed = rulesOf(policy).filter((rule) => rule.allowed);
  return [
    ...allowed.filter(({ agentId, namespace }) => !isAllowed(access, agentId, namespace)),
    ...rulesOf(access)
      .filter(({ agentId, namespace }) => !isAllowed(policy, agentId, namespace))
      .map((rule) => ({ ...rule, allowed: false })),
  ];
}

/** Counts dynamic fields, each once however often it is looked at, and bytes. */
function createRoom() {
  const fields = new Set<string>();
  let bytes = 0;
  return {
    take(names: readonly (readonly string[])[], text: string): boolean {
      const added = names.map((name) => JSON.stringify(name)).filter((name) => !fields.has(name));
      const size = CALL_BYTES + Buffer.byteLength(text);
      if (fields.size + added.length > FIELDS || bytes + size > BYTES) return false;
      for (const name of added) fields.add(name);
      bytes += size;
      return true;
    },
  };
}

function takeWhile<T>(items: readonly T[], fits: (item: T) => boolean): T[] {
  const end = items.findIndex((item) => !fits(item));
  return end === -1 ? [...items] : items.slice(0, end);
}
