// What the fence decides: whether a request may still use what it has read.

/** What a request uses: namespaces and memories, and the state that they were read in. */
export interface ReadSet {
  readonly agentId: string;
  readonly policyVersion: number;
  /** Of that version, as in `FeedCursor`. */
  readonly policyDigest?: string;
  /** Of the memories that the request uses. */
  readonly namespaces: readonly string[];
  /** How many removals of memories there had been (`Snapshot`). When there are no more, all memories are still current. */
  readonly removals: number;
  readonly memoryIds: readonly string[];
  /** Memories that became history meanwhile do no harm: the request reads history. */
  readonly allowsSuperseded?: boolean;
  /** When the first of them expires, if any does. */
  readonly expiresAt?: string | undefined;
}

/** The records while nobody can change them. */
export interface FenceState {
  readonly policy: number;
  readonly removal: number;
  readonly now: string;
  /** Of the policy, where its version alone does not tell (`isOfPolicy`). */
  readonly digest?: string;
}

/** What there is to know about read sets that are older than the state. */
export interface FenceLookup {
  isAllowed(agentId: string, namespace: string): boolean;
  /** Whether it is on record and has not expired; with `orSuperseded`, also as history. */
  isOnRecord(memoryId: string, orSuperseded: boolean): boolean;
}

/** Whether the read set is of the policy's version. A failover may have lost changes, and others have taken their versions. */
export const isOfPolicy = ({ policyVersion, policyDigest }: ReadSet, { policy, digest }: FenceState): boolean =>
  policyVersion === policy && (digest === undefined || (policyDigest ?? digest) === digest);

/** Whether all memories of the read set are known to be on record without looking. */
export const hasAllMemories = ({ removals }: ReadSet, { removal }: FenceState): boolean => removals === removal;

/** Whether the read set is as it was: allowed, on record, and not expired. */
export function holds(readSet: ReadSet, state: FenceState, lookup: FenceLookup): boolean {
  const { agentId, namespaces, memoryIds, allowsSuperseded = false, expiresAt } = readSet;
  if (expiresAt !== undefined && expiresAt <= state.now) return false;
  if (!isOfPolicy(readSet, state) && !namespaces.every((namespace) => lookup.isAllowed(agentId, namespace)))
    return false;
  return hasAllMemories(readSet, state) || memoryIds.every((id) => lookup.isOnRecord(id, allowsSuperseded));
}
