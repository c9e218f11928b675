// The decision log of an export, newest first.
import type { DecisionFilter } from "#ports.ts";
import { type ExportScope, writePages } from "./export-scope.ts";
import { exportedLists } from "./exported-lists.ts";

const PAGE = 500;

export async function exportDecisions(scope: ExportScope): Promise<void> {
  const { deps, filter } = scope;
  const wanted = decisionsOf(scope);
  // The log cannot be divided by namespaces.
  if (wanted === undefined || filter.namespace !== undefined) return;
  const writeLists = exportedLists(scope);
  await writePages<number>(scope, async (before) => {
    const from = before === undefined ? {} : { before };
    const { decisions, next } = await deps.records.decisions.page({ ...wanted, ...from, limit: PAGE });
    await writeLists(decisions.flatMap(({ allowed, blocked }) => [allowed?.digest, blocked?.digest]));
    // The sequence counts the decisions about all agents. The log of another service has no such request.
    const exported = decisions.map(({ sequence: _, requestId: __, ...decision }) => decision);
    const records = exported.map(({ agentId, answerId, memoryId, namespace, details, ...decision }) => ({
      kind: "decision" as const,
      ...decision,
      ...(agentId !== undefined && { agentId }),
      ...(answerId !== undefined && { answerId }),
      ...(memoryId !== undefined && { memoryId }),
      ...(namespace !== undefined && { namespace }),
      ...(details !== undefined && { details }),
    }));
    return { records, quoted: [], next };
  });
}

/** Undefined when the caller reads none of those that are wanted. */
function decisionsOf({ principal, filter: { sourceAgent } }: ExportScope): DecisionFilter | undefined {
  if (principal.role === "admin" || principal.role === "auditor")
    return sourceAgent === undefined ? {} : { agentId: sourceAgent };
  if (principal.role !== "agent") return undefined;
  const { agentId } = principal;
  return sourceAgent === undefined || sourceAgent === agentId ? { agentId } : undefined;
}
