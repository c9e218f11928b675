import { forbidden } from "./permissions.ts";
import type { Principal } from "./principal.ts";

/**
 * The caller with the rights of one agent, and no others. An admin may act as any agent, so that a program that acts for a
 * model needs no power over the rest. It captures anywhere, as an admin does. An agent is itself. Who has not said who
 * they are has no rights to give up.
 */
export function actingAs(principal: Principal, agentId: string): Principal {
  const { role } = principal;
  if (role === "public" || (role === "agent" && principal.agentId === agentId)) return principal;
  if (role === "agent") throw forbidden("This key speaks as another agent than Portcullis-Agent says.");
  if (role !== "admin") throw forbidden("Only an agent's key, or an admin's, acts as an agent.");
  const { id, name, credential } = principal;
  return {
    role: "agent",
    agentId,
    captures: [],
    capturesAnywhere: true,
    id,
    name,
    ...(credential !== undefined && { credential }),
  };
}

/** Tells callers apart whose requests are carried out once: one admin may act as many agents. */
export function idempotencyIdentityOf(principal: Principal): string {
  const isActing = principal.role === "agent" && principal.capturesAnywhere;
  return isActing ? JSON.stringify([principal.id, principal.agentId]) : principal.id;
}
