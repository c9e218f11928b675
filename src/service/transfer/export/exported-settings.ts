// Settings of namespaces, and the leaves of the policy.

import { setImmediate as nextTurn } from "node:timers/promises";
import type { AccessRule } from "#core/gate/policy.ts";
import { governs } from "#core/identity/permissions.ts";
import { listNamespaces } from "#service/memories/namespaces.ts";
import { type ExportScope, writePages } from "./export-scope.ts";

const PAGE = 500;

/** So that who has the SEAL_KEY can use them. */
export async function exportSealSecrets({ deps, principal, filter, writer }: ExportScope): Promise<void> {
  if (principal.role !== "admin" || filter.open) return;
  const secrets = await deps.records.seals.secrets();
  const records = [...secrets].map(([keyId, wrapped]) => ({
    kind: "seal-secret" as const,
    keyId,
    wrapped: Buffer.from(wrapped).toString("base64url"),
  }));
  await writer.records(records);
}

export async function exportNamespaces(scope: ExportScope): Promise<void> {
  const { deps, principal, filter } = scope;
  // Settings belong to no person.
  if (filter.sourceAgent !== undefined) return;
  await writePages<string>(scope, async (after) => {
    const { namespaces, next } = await listNamespaces(deps, principal, { limit: PAGE, after });
    const wanted = namespaces.filter(({ name }) => filter.namespace === undefined || filter.namespace === name);
    const records = wanted.map(({ memories: _, ...settings }) => ({ kind: "namespace" as const, ...settings }));
    return { records, quoted: [], next };
  });
}

/** The leaves are a persistent map: what is written is the policy of one moment. */
export async function exportPolicy({ deps, principal, filter, writer }: ExportScope): Promise<void> {
  const { leaves } = await deps.gatekeeper.policy();
  function isReadable({ agentId, namespace }: AccessRule): boolean {
    if (principal.role === "agent" && principal.agentId !== agentId) return false;
    if (principal.role === "namespace-admin" && !governs(principal, namespace)) return false;
    if (filter.namespace !== undefined && filter.namespace !== namespace) return false;
    return filter.sourceAgent === undefined || filter.sourceAgent === agentId;
  }
  for (const chunk of leaves) {
    if (writer.isClosed()) return;
    await writer.records(chunk.filter(isReadable).map((leaf) => ({ kind: "leaf", ...leaf })));
    await nextTurn();
  }
}
