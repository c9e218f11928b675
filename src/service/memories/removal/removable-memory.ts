// Whose memories a caller may forget or supersede: an agent what it captured, and the others what they govern. Whatever
// else there is, or is not, answers the same.
import { invalidFields, PortcullisError } from "#core/errors.ts";
import { governs } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { Memory } from "#core/memory.ts";
import type { Deps } from "#service/deps.ts";

type Owned = Pick<Memory, "namespace" | "sourceAgent">;

export function mayRemove(principal: Principal, { namespace, sourceAgent }: Owned): boolean {
  return principal.role === "agent" ? principal.agentId === sourceAgent : governs(principal, namespace);
}

export function notFound(): PortcullisError {
  return new PortcullisError("not-found", "There is no memory with this id.");
}

/** Refuses a draft that would supersede what its caller may not, or what is in another namespace. */
export async function checkSupersedable(
  { stored, call }: Pick<Deps, "stored" | "call">,
  { supersedes, namespace }: { readonly supersedes?: string | undefined; readonly namespace: string },
): Promise<void> {
  if (supersedes === undefined) return;
  const memory = await stored.memories.find(supersedes);
  const isOwn = memory !== undefined && (call === undefined || mayRemove(call.principal, memory));
  if (!isOwn || memory.supersededBy !== undefined) throw notFound();
  if (memory.namespace !== namespace)
    throw invalidFields({ pointer: "#/supersedes", detail: "must be a memory of the same namespace" });
}
