// The gate at work: `recall` of core/gate.ts over everything that is recorded. The index and the policy are caught up
// with the records before every recall, so that nothing is decided on an older state than the caller has seen.

import { coalesce } from "#async/coalesce.ts";
import { digestOf } from "#core/encoding/digest.ts";
import { admit, divide, type Recall } from "#core/gate/gate.ts";
import { type Policy, policyFrom, revokedNamespaces } from "#core/gate/policy.ts";
import { createIndex } from "#core/recall/recall-index.ts";
import type { RecordStore } from "#ports.ts";

export interface GateView extends Recall {
  readonly policyVersion: number;
  readonly policyDigest: string;
  /** The namespaces with a leaf of `false` for this agent. */
  readonly revoked: readonly string[];
}

export interface Gatekeeper {
  recall(agentId: string, query: string): Promise<GateView>;
  /** The policy as it is now. */
  policy(): Promise<Policy>;
  /** Brings the index up to date, as every recall does. At start-up this builds it. */
  catchUp(): Promise<void>;
  /** What it knows, as of the last time that it was brought up to date. */
  known(): {
    readonly position: number;
    readonly policyVersion: number;
    readonly memories: ReadonlyMap<string, number>;
  };
}

interface KnownPolicy {
  readonly policy: Policy;
  readonly version: number;
  readonly digest: string;
}

export function createGatekeeper({
  records,
  limit,
}: {
  records: Pick<RecordStore, "changeFeed" | "memories">;
  limit: number;
}): Gatekeeper {
  const index = createIndex();
  let position = 0;
  let known: KnownPolicy = asKnown(policyFrom([]), 0);

  const catchUp = coalesce(async () => {
    for (let complete = false; !complete; ) {
      const snapshot = await records.changeFeed.since({ position, policyVersion: known.version });
      for (const change of snapshot.changes) index.apply(change);
      position = snapshot.position;
      if (snapshot.policy !== undefined) known = asKnown(snapshot.policy, snapshot.policyVersion);
      complete = snapshot.complete;
    }
  });

  return {
    catchUp,
    known: () => ({ position, policyVersion: known.version, memories: index.counts() }),

    async policy() {
      await catchUp();
      return known.policy;
    },

    async recall(agentId, query) {
      await catchUp();
      const { policy, version, digest } = known;
      const { allowed, blocked } = divide(agentId, index.namespaces(), policy);
      const memories = await records.memories.at(index.search(query, allowed, limit));
      return {
        // The index searched allowed namespaces only. What the records then gave passes the gate all the same.
        memories: admit(agentId, memories, policy),
        blockedNamespaces: blocked,
        policyVersion: version,
        policyDigest: digest,
        revoked: revokedNamespaces(policy, agentId),
      };
    },
  };
}

function asKnown(policy: Policy, version: number): KnownPolicy {
  return { policy, version, digest: digestOf(policy) };
}
