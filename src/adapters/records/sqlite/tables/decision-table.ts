import type { DatabaseSync } from "node:sqlite";
import { detailsText } from "#adapters/records/shared/logs/decisions.ts";
import type { Decision } from "#ports.ts";
import type { NameLists } from "./name-lists.ts";

/** Writes to the decision log. They must run inside a transaction. */
export interface DecisionTable {
  add(decision: Decision | undefined): void;
}

export function decisionTable(database: DatabaseSync, lists: NameLists): DecisionTable {
  const insert = database.prepare(
    `INSERT INTO decisions (at, principal_id, principal_name, role, agent_id, route, policy_version, allowed_list,
       allowed_count, blocked_list, blocked_count, outcome, answer_id, memory_id, request_id, namespace, details)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  return {
    add(decision) {
      if (decision === undefined) return;
      const { at, principalId, principalName, role, agentId, route, policyVersion, allowed, blocked } = decision;
      insert.run(
        at,
        principalId,
        principalName,
        role,
        agentId ?? null,
        route,
        policyVersion,
        lists.keep(allowed),
        allowed?.names.length ?? null,
        lists.keep(blocked),
        blocked?.names.length ?? null,
        decision.outcome,
        decision.answerId ?? null,
        decision.memoryId ?? null,
        decision.requestId ?? null,
        decision.namespace ?? null,
        detailsText(decision.details),
      );
    },
  };
}
