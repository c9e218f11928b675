// Namespaces as things: what they hold, and what is said about them. A namespace needs no settings to be used.
import { PortcullisError } from "#core/errors.ts";
import { checkGoverns, governedBy } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { NamespaceEntry, NamespacePage, NamespaceSettings } from "#ports.ts";
import { decisionOf } from "#service/decisions/decision-log.ts";
import type { Deps } from "#service/deps.ts";
import { requireSealKey, sealNamespace } from "#service/sealing/seal-namespace.ts";

/** Those that the caller governs, or may use. An auditor gets all: they are counts and names. */
export async function listNamespaces(
  { records, gatekeeper }: Deps,
  principal: Principal,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<NamespacePage> {
  const names = await namesFor(gatekeeper, principal);
  return records.namespaces.page({ limit, ...(after !== undefined && { after }), ...(names && { names }) });
}

export async function getNamespace(deps: Deps, principal: Principal, name: string): Promise<NamespaceEntry> {
  const names = await namesFor(deps.gatekeeper, principal);
  const found = names?.includes(name) === false ? undefined : await deps.records.namespaces.find(name);
  if (found === undefined) throw new PortcullisError("not-found", "There is no such namespace.");
  return found;
}

export async function putNamespace(
  deps: Deps,
  settings: NamespaceSettings,
  principal: Principal,
): Promise<NamespaceEntry> {
  checkGoverns(principal, settings.name);
  if (settings.sealed) requireSealKey(deps);
  const decision = decisionOf(deps, { outcome: "changed" });
  await deps.records.namespaces.put(settings, { by: principal.name, at: deps.now().toISOString(), decision });
  deps.gatekeeper.wake();
  // It may take long. What does not end here is taken up by the work in the background.
  if (settings.sealed) void sealNamespace(deps, settings.name, { by: principal.name }).catch(() => undefined);
  return getNamespace(deps, principal, settings.name);
}

/** Undefined when the caller may see all of them. */
async function namesFor(gatekeeper: Deps["gatekeeper"], principal: Principal): Promise<readonly string[] | undefined> {
  if (principal.role === "agent") return gatekeeper.allowedNamespaces(principal.agentId);
  return principal.role === "auditor" ? undefined : governedBy(principal);
}
