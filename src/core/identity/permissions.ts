// What a caller may do beyond calling a route. Whatever is not named here is refused.
import { defined } from "#core/defined.ts";
import { invalidFields, PortcullisError } from "#core/errors.ts";
import { isAllowed, type Policy } from "#core/gate/policy.ts";
import type { GivenFact } from "#core/memory.ts";
import { namesInWords } from "#core/names/names-in-words.ts";
import { type Principal, type RoleName, roleText } from "./principal.ts";

/** Who may call a route. An admin may call every one that is about its tenant. */
export type Access = "public" | "operators" | readonly Exclude<RoleName, "admin" | "public">[];

export function mayCall(principal: Principal, access: Access): boolean {
  const { role } = principal;
  if (access === "public") return true;
  if (access === "operators") return isOperator(principal);
  return role === "admin" || (role !== "public" && access.includes(role));
}

const isOperator = ({ role, operates }: Principal): boolean => role === "operator" || operates === true;

/** An agent is itself, and may leave its id out. An admin speaks as any agent, and names it. */
export function agentFor(principal: Principal, named: string | undefined, field = "agentId"): string {
  if (principal.role === "agent") {
    if (named !== undefined && named !== principal.agentId)
      throw forbidden(`This key speaks as another agent than ${field} says.`);
    return principal.agentId;
  }
  if (principal.role !== "admin") throw forbidden("This needs an agent's key, or an admin's.");
  if (named !== undefined) return named;
  throw invalidFields({ pointer: `#/${field}`, detail: "must be named, unless the key is an agent's" });
}

/** Refuses a capture into a namespace that the caller's key does not name: a fact that anyone may write poisons. */
export function checkCapture(principal: Principal, namespace: string): void {
  if (principal.role === "admin") return;
  if (principal.role === "agent" && (principal.capturesAnywhere || principal.captures.includes(namespace))) return;
  const own = principal.role === "agent" ? principal.captures : [];
  throw forbidden(`This key may not capture into this namespace. It may capture into: ${namesInWords(own)}.`);
}

type Draft = Omit<GivenFact, "sourceAgent"> & { readonly sourceAgent?: string | undefined };

export function factBy<D extends Draft>(principal: Principal, draft: D): D & GivenFact {
  const sourceAgent = agentFor(principal, draft.sourceAgent, "sourceAgent");
  checkCapture(principal, draft.namespace);
  return { ...draft, sourceAgent };
}

/** Refuses a change of the policy, of pins or of settings of a namespace by anybody but its admins. */
export function checkGoverns(principal: Principal, namespace: string): void {
  if (!governs(principal, namespace)) throw notGoverned();
}

export const notGoverned = () => forbidden("This key does not administer this namespace.");

export function governs(principal: Principal, namespace: string): boolean {
  if (principal.role === "admin") return true;
  return principal.role === "namespace-admin" && principal.namespaces.includes(namespace);
}

/** The namespaces that the caller governs; undefined when it governs all. */
export function governedBy(principal: Principal): readonly string[] | undefined {
  if (principal.role === "admin") return undefined;
  return principal.role === "namespace-admin" ? principal.namespaces : [];
}

/** Whether the caller may read memories of a namespace now. `policy` is the agent's; the others have none. */
export function mayRead(principal: Principal, namespace: string, policy: Policy | undefined): boolean {
  if (principal.role !== "agent") return governs(principal, namespace);
  return policy !== undefined && isAllowed(policy, principal.agentId, namespace);
}

export const mayReadWholePolicy = ({ role }: Principal): boolean => role === "admin" || role === "auditor";

export const forbidden = (sentence: string): PortcullisError => new PortcullisError("forbidden", sentence);

/** The caller with the rights of one agent alone: a program that acts for a model needs no power over the rest. */
export function actingAs(principal: Principal, agentId: string): Principal {
  const { role } = principal;
  if (role === "public" || (role === "agent" && principal.agentId === agentId)) return principal;
  if (role === "agent") throw forbidden("This key speaks as another agent than Portcullis-Agent says.");
  if (role !== "admin") throw forbidden("Only an agent's key, or an admin's, acts as an agent.");
  const { id, name, credential, tenant } = principal;
  return { role: "agent", agentId, captures: [], capturesAnywhere: true, id, name, ...defined({ credential, tenant }) };
}

/** Tells callers apart whose requests are carried out once: one admin, or one subject of tokens, may act as many agents. */
export const idempotencyIdentityOf = (principal: Principal): string =>
  JSON.stringify([principal.id, roleText(principal)]);
