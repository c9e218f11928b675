// Namespaces as things: what they hold, and what is said about them. A namespace needs no settings to be used.
import { orAfter } from "#async/with-deadline.ts";
import { countFitting } from "#core/collections/count-fitting.ts";
import { PortcullisError } from "#core/errors.ts";
import { checkGoverns, governedBy } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { GivenSettings, NamespaceEntry, NamespacePage } from "#ports.ts";
import type { Call } from "#service/call.ts";
import { decisionOf } from "#service/decisions/decision-log.ts";
import { PAGE_BYTES, weightOf } from "#service/scan-budget.ts";
import type { Tenant } from "#service/tenant.ts";
import { type EncryptedNamespace, type Encryptor, encryptNamespace, requireEncryptionKey } from "./encryption.ts";

/** Those that the caller governs, or may use, an agent behind the fence. An auditor gets all. */
export async function listNamespaces(
  { records, policyMirror }: Pick<Tenant, "records" | "policyMirror">,
  principal: Principal,
  { limit, after }: { readonly limit: number; readonly after?: string | undefined },
): Promise<NamespacePage> {
  const names = await namesFor(policyMirror, principal);
  const page = await records.namespaces.page({ limit, after, names });
  const namespaces = page.namespaces.slice(0, countFitting(page.namespaces.map(weightOf), PAGE_BYTES));
  const last = namespaces.at(-1);
  return namespaces.length < page.namespaces.length && last ? { namespaces, next: last.name } : page;
}

export async function getNamespace(
  tenant: Pick<Tenant, "records" | "policyMirror">,
  principal: Principal,
  name: string,
): Promise<NamespaceEntry> {
  const names = await namesFor(tenant.policyMirror, principal);
  const found = names?.includes(name) === false ? undefined : await tenant.records.namespaces.find(name);
  if (found === undefined) throw new PortcullisError("not-found", "There is no such namespace.");
  return found;
}

export async function putNamespace(
  tenant: Encryptor & Pick<Tenant, "policyMirror">,
  settings: GivenSettings,
  call: Call,
): Promise<{ namespace: NamespaceEntry; encryption?: EncryptionProgress }> {
  const { principal } = call;
  checkGoverns(principal, settings.name);
  if (settings.encrypted) requireEncryptionKey(tenant);
  const decision = decisionOf(tenant, call, { outcome: "changed", namespace: settings.name });
  await tenant.records.namespaces.put(settings, { by: principal.name, at: tenant.now().toISOString(), decision });
  tenant.index.wake();
  const encryption = settings.encrypted ? await encryptForAMoment(tenant, settings.name, principal.name) : undefined;
  const namespace = await getNamespace(tenant, principal, settings.name);
  return encryption === undefined ? { namespace } : { namespace, encryption };
}

/** What became of the memories that were open, and what of them stays public. */
export interface EncryptionProgress extends EncryptedNamespace {
  /** False: it goes on in the background. */
  readonly done: boolean;
}

const ENCRYPTION_MS = 5_000;

/** It may take long. What does not end here goes on, and is taken up by the work in the background after a crash. */
async function encryptForAMoment(tenant: Encryptor, name: string, by: string): Promise<EncryptionProgress> {
  let progress: EncryptedNamespace = { encrypted: 0, forgottenHistory: 0, anchoredReceipts: 0 };
  const onProgress = (done: EncryptedNamespace) => {
    progress = done;
  };
  const whole = encryptNamespace(tenant, name, { by, onProgress }).catch(() => undefined);
  const ended = await orAfter(ENCRYPTION_MS, whole, undefined);
  return ended === undefined ? { ...progress, done: false } : { ...ended, done: true };
}

/** Undefined when the caller may see all of them. */
async function namesFor(policyMirror: Tenant["policyMirror"], principal: Principal) {
  if (principal.role === "agent") return policyMirror.allowedNamespaces(principal.agentId);
  return principal.role === "auditor" ? undefined : governedBy(principal);
}
