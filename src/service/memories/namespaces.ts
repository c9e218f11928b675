// Namespaces as things: what they hold, and what is said about them. A namespace needs no settings to be used.
import { orAfter } from "#async/with-deadline.ts";
import { countFitting } from "#core/count-fitting.ts";
import { PortcullisError } from "#core/errors.ts";
import { checkGoverns, governedBy } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { GivenSettings, NamespaceEntry, NamespacePage } from "#ports.ts";
import { decisionOf } from "#service/decisions/decision-log.ts";
import type { Deps } from "#service/deps.ts";
import { PAGE_BYTES, weightOf } from "#service/scan-budget.ts";
import { requireSealKey, type SealedNamespace, sealNamespace } from "#service/sealing/seal-namespace.ts";

/**
 * Those that the caller governs, or may use. An auditor gets all: they are counts and names. What an agent gets must leave
 * behind the fence.
 */
export async function listNamespaces(
  { records, gatekeeper }: Deps,
  principal: Principal,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<NamespacePage> {
  const names = await namesFor(gatekeeper, principal);
  const page = await records.namespaces.page({ limit, ...(after !== undefined && { after }), ...(names && { names }) });
  const namespaces = page.namespaces.slice(0, countFitting(page.namespaces.map(weightOf), PAGE_BYTES));
  const last = namespaces.at(-1);
  return namespaces.length < page.namespaces.length && last ? { namespaces, next: last.name } : page;
}

export async function getNamespace(deps: Deps, principal: Principal, name: string): Promise<NamespaceEntry> {
  const names = await namesFor(deps.gatekeeper, principal);
  const found = names?.includes(name) === false ? undefined : await deps.records.namespaces.find(name);
  if (found === undefined) throw new PortcullisError("not-found", "There is no such namespace.");
  return found;
}

export async function putNamespace(
  deps: Deps,
  settings: GivenSettings,
  principal: Principal,
): Promise<{ namespace: NamespaceEntry; sealing?: SealingProgress }> {
  checkGoverns(principal, settings.name);
  if (settings.sealed) requireSealKey(deps);
  const decision = decisionOf(deps, { outcome: "changed", namespace: settings.name });
  await deps.records.namespaces.put(settings, { by: principal.name, at: deps.now().toISOString(), decision });
  deps.gatekeeper.wake();
  const sealing = settings.sealed ? await sealForAMoment(deps, settings.name, principal.name) : undefined;
  const namespace = await getNamespace(deps, principal, settings.name);
  return sealing === undefined ? { namespace } : { namespace, sealing };
}

/** What became of the memories that were open, and what of them stays public. */
export interface SealingProgress extends SealedNamespace {
  /** False: it goes on in the background. */
  readonly done: boolean;
}

const SEALING_MS = 5_000;

/** It may take long. What does not end here goes on, and is taken up by the work in the background after a crash. */
async function sealForAMoment(deps: Deps, name: string, by: string): Promise<SealingProgress> {
  let progress: SealedNamespace = { sealed: 0, forgottenHistory: 0, anchoredReceipts: 0 };
  const onProgress = (done: SealedNamespace) => {
    progress = done;
  };
  const whole = sealNamespace(deps, name, { by, onProgress }).catch(() => undefined);
  const ended = await orAfter(SEALING_MS, whole, undefined);
  return ended === undefined ? { ...progress, done: false } : { ...ended, done: true };
}

/** Undefined when the caller may see all of them. */
async function namesFor(gatekeeper: Deps["gatekeeper"], principal: Principal): Promise<readonly string[] | undefined> {
  if (principal.role === "agent") return gatekeeper.allowedNamespaces(principal.agentId);
  return principal.role === "auditor" ? undefined : governedBy(principal);
}
