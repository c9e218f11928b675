// The memories of an export, newest first: current ones, history, and what stays of forgotten ones.
import { governedBy } from "#core/identity/permissions.ts";
import type { ExportRecord } from "#core/transfer/export-format.ts";
import type { MemoryOnRecord, Superseding } from "#ports.ts";
import { listMemories } from "#service/memories/list-memories.ts";
import { type ExportPage, type ExportScope, readingDeps, writePages } from "./export-scope.ts";

/** A page is read without a pause. */
const PAGE = 100;

export const exportMemories = (scope: ExportScope): Promise<void> => exportPages(scope, false);
export const exportHistory = (scope: ExportScope): Promise<void> => exportPages(scope, true);

async function exportPages(scope: ExportScope, superseded: boolean): Promise<void> {
  const { principal, signal } = scope;
  const { namespace, sourceAgent } = scope.filter;
  const deps = readingDeps(scope);
  // An auditor reads no memories.
  if (principal.role === "auditor") return;
  await writePages<number>(scope, async (before) => {
    const query = { namespace, sourceAgent, limit: PAGE, before, superseded };
    const { memories, next } = await listMemories(deps, principal, query, signal);
    return { records: await toRecords(scope, memories), quoted: memories, next };
  });
}

async function toRecords(
  { deps: { records } }: ExportScope,
  memories: readonly MemoryOnRecord[],
): Promise<ExportRecord[]> {
  const history = memories.filter(({ supersededBy }) => supersededBy !== undefined);
  const supersedings = history.length === 0 ? NONE : await records.transfer.supersededAt(history.map(idOf));
  return memories.map((memory) => {
    const superseded = supersedings.get(memory.memoryId);
    return { kind: "memory", memory, ...(superseded && { superseded }) };
  });
}

const NONE: ReadonlyMap<string, Superseding> = new Map();
const idOf = ({ memoryId }: MemoryOnRecord): string => memoryId;

/** Of the namespaces that the caller may read. */
export async function exportTombstones(scope: ExportScope): Promise<void> {
  const { deps, principal, filter } = scope;
  if (principal.role === "auditor") return;
  await writePages<number>(scope, async (after): Promise<ExportPage<number>> => {
    const readable =
      principal.role === "agent" ? await allowedToAgent(scope, principal.agentId) : governedBy(principal);
    const { namespace, sourceAgent } = filter;
    const wanted = namespace === undefined ? readable : [namespace].filter((name) => readable?.includes(name) ?? true);
    const { tombstones, next } = await deps.records.transfer.tombstones({
      limit: PAGE,
      ...(after !== undefined && { after }),
      ...(wanted && { namespaces: wanted }),
      ...(sourceAgent !== undefined && { sourceAgent }),
    });
    return {
      records: tombstones.map((tombstone) => ({ kind: "tombstone", tombstone })),
      quoted: tombstones.map((tombstone) => ({ namespace: tombstone.namespace })),
      next,
    };
  });
}

/** All that the policy allows, namespaces without memories included. */
async function allowedToAgent({ deps }: ExportScope, agentId: string): Promise<string[]> {
  const policy = await deps.gatekeeper.policyOf(agentId);
  return Object.entries(policy[agentId] ?? {}).flatMap(([namespace, isAllowed]) => (isAllowed ? [namespace] : []));
}
