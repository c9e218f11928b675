import type { DatabaseSync } from "node:sqlite";
import { detailsText } from "#adapters/records/shared/logs/decisions.ts";
import type { RestoredDecision } from "#ports.ts";

const listOf = (digest: string) => `(SELECT id FROM blocked_lists WHERE digest = ${digest})`;

/** Decisions of another service. Equal ones are told apart by their number. Writes must run inside a transaction. */
export function restoredDecisions(database: DatabaseSync) {
  const insert = database.prepare(
    `INSERT INTO decisions (at, principal_id, principal_name, role, agent_id, route, policy_version, allowed_list,
       allowed_count, blocked_list, blocked_count, outcome, answer_id, memory_id, namespace, details)
     SELECT :at, :principalId, :principalName, :role, :agentId, :route, :policyVersion, ${listOf(":allowedDigest")},
       :allowedCount, ${listOf(":blockedDigest")}, :blockedCount, :outcome, :answerId, :memoryId, :namespace, :details
     WHERE :copy >= (
       SELECT count(*) FROM decisions
       WHERE at = :at AND principal_id = :principalId AND principal_name = :principalName AND role = :role
         AND agent_id IS :agentId AND route = :route AND policy_version = :policyVersion AND outcome = :outcome
         AND answer_id IS :answerId AND memory_id IS :memoryId AND namespace IS :namespace AND details IS :details)`,
  );
  return {
    /** Answers how many were not on record. */
    restore(decisions: readonly RestoredDecision[]): number {
      const added = decisions.map(
        ({ allowed, blocked, agentId, answerId, memoryId, namespace, details, ...fields }) => {
          const { changes } = insert.run({
            ...fields,
            agentId: agentId ?? null,
            answerId: answerId ?? null,
            memoryId: memoryId ?? null,
            namespace: namespace ?? null,
            details: detailsText(details),
            allowedDigest: allowed?.digest ?? null,
            allowedCount: allowed?.count ?? null,
            blockedDigest: blocked?.digest ?? null,
            blockedCount: blocked?.count ?? null,
          });
          return Number(changes);
        },
      );
      return added.reduce((sum, changes) => sum + changes, 0);
    },
  };
}
