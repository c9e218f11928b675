// Memories by the names that their source agents gave them.
import { agentFor, mayRead } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { Memory } from "#core/memory.ts";
import type { NamedFact } from "#ports.ts";
import { recordGiven } from "#service/decisions/decision-log.ts";
import type { Deps } from "#service/deps.ts";
import { type ForgottenMemory, forgetMemory } from "./removal/forget.ts";
import { mayRemove, notFound } from "./removal/removable-memory.ts";

export interface KeyQuery extends Omit<NamedFact, "sourceAgent"> {
  /** An agent may leave itself out. */
  readonly sourceAgent?: string | undefined;
}

/** What an agent gets must leave behind the fence. */
export async function getByKey(deps: Deps, query: KeyQuery, principal: Principal): Promise<Memory> {
  const named = namedBy(query, principal);
  const memory = named && (await deps.records.memories.findByKey(named));
  const policy = principal.role === "agent" ? await deps.gatekeeper.policyOf(principal.agentId) : undefined;
  if (memory === undefined || !mayRead(principal, memory.namespace, policy)) throw notFound();
  if (principal.role === "agent") await recordGiven(deps, principal.agentId, memory.memoryId);
  return memory;
}

export async function forgetByKey(
  deps: Deps,
  { reason, ...query }: KeyQuery & { readonly reason?: string | undefined },
  principal: Principal,
): Promise<ForgottenMemory> {
  const named = namedBy(query, principal);
  const memory = named && (await deps.records.memories.findRemovable(named));
  if (memory === undefined || !mayRemove(principal, memory)) throw notFound();
  return forgetMemory(deps, { memoryId: memory.memoryId, reason }, principal);
}

/** The fact that is meant, if the caller says whose key it is. */
function namedBy({ namespace, key, sourceAgent }: KeyQuery, principal: Principal): NamedFact | undefined {
  const source = principal.role === "namespace-admin" ? sourceAgent : agentFor(principal, sourceAgent, "sourceAgent");
  return source === undefined ? undefined : { namespace, key, sourceAgent: source };
}
