// Explains a recall to whoever governs its namespaces. No model is asked and there is no receipt; it is in the decision log.
import { defined } from "#core/defined.ts";
import type { Explained, FATES } from "#core/gate/explain.ts";
import { governedBy, governs } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { Memory } from "#core/memory.ts";
import { snippetOf } from "#core/receipt/receipt.ts";
import { refuseAbove } from "#service/answers/recall-memories.ts";
import type { Call } from "#service/call.ts";
import { recordGiven } from "#service/decisions/decision-log.ts";
import { notFound } from "#service/memories/forget.ts";
import type { Tenant } from "#service/tenant.ts";
import type { ToExplain } from "./search.ts";

interface Query extends Omit<ToExplain, "namespaces" | "wanted"> {
  readonly memoryId?: string | undefined;
}

/** The admin of namespaces is told of these alone, as if there were no others: a rank would tell of their memories. */
export async function explain(
  tenant: Pick<Tenant, "records" | "policyMirror" | "now" | "search" | "settings">,
  { memoryId, ...asked }: Query,
  call: Call,
) {
  refuseAbove(tenant.settings.recallLimit, asked.limit);
  const namespaces = governedBy(call.principal);
  const wanted = memoryId === undefined ? undefined : await find(tenant, memoryId, call.principal);
  const memory = wanted !== undefined && "content" in wanted ? wanted : undefined;
  const { policyVersion, explained } = await tenant.search.explain({ ...asked, namespaces, wanted: memory });
  await recordGiven(tenant, call, asked.agentId, memoryId);
  const gone = wanted !== undefined && !("content" in wanted) ? [wanted] : [];
  const incomplete = namespaces && { incomplete: true as const };
  const value = { policyVersion, memories: [...explained.map(shown), ...gone], ...incomplete };
  return { value, quoted: explained.map((each) => each.memory) };
}

function shown({ memory, ...explained }: Explained) {
  const { memoryId, namespace, content, createdAt, supersededBy } = memory;
  return { memoryId, namespace, snippet: snippetOf(content), createdAt, ...defined({ supersededBy }), ...explained };
}

interface Gone extends Pick<Memory, "memoryId" | "namespace"> {
  readonly fate: Extract<(typeof FATES)[number], "expired" | "forgotten">;
}

/** The memory, or what became of it. One that the caller does not govern does not exist for it. */
async function find(
  { records: { memories } }: Pick<Tenant, "records">,
  memoryId: string,
  principal: Principal,
): Promise<Memory | Gone> {
  const memory = await memories.find(memoryId);
  const tombstone = memory === undefined ? (await memories.tombstone(memoryId))?.tombstone : undefined;
  // One that has expired may still be on record.
  const { namespace } = memory ?? tombstone ?? (await memories.findRemovable({ memoryId })) ?? {};
  if (namespace === undefined || !governs(principal, namespace)) throw notFound();
  if (memory !== undefined) return memory;
  const isForgotten = tombstone !== undefined && tombstone.cause !== "expired";
  return { memoryId, namespace, fate: isForgotten ? "forgotten" : "expired" };
}
