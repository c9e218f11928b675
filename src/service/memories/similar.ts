// Memories that say nearly the same as a new one, so that an agent can correct one instead of adding another.
import { governedBy } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { Memory } from "#core/memory.ts";
import type { Deps } from "#service/deps.ts";

export interface SimilarMemory {
  readonly memoryId: string;
  /** How close the meanings are, up to 1. */
  readonly score: number;
}

const MOST_SIMILAR = 5;
const LEAST_SCORE = 0.6;

/** Of the namespaces that the caller may use. What an agent gets must leave behind the fence. */
export async function similarTo(
  { gatekeeper }: Deps,
  principal: Principal,
  memory: Memory,
): Promise<readonly (SimilarMemory & Pick<Memory, "namespace" | "expiresAt">)[]> {
  const among = principal.role === "agent" ? { agentId: principal.agentId } : { namespaces: governedBy(principal) };
  const found = await gatekeeper.closest(memory.content, among, MOST_SIMILAR + 1);
  return found
    .filter(({ memoryId, score }) => memoryId !== memory.memoryId && score >= LEAST_SCORE)
    .slice(0, MOST_SIMILAR);
}
