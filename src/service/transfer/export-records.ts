// GET /api/export: everything that the caller may read, page by page. Each page that quotes memories leaves behind the
// fence, so that a revoke or a forgetting in the middle of the stream counts for the rest of it.
import { setImmediate as nextTurn } from "node:timers/promises";
import { defined } from "#core/defined.ts";
import type { AccessRule } from "#core/gate/policy.ts";
import { governs } from "#core/identity/permissions.ts";
import { factFilterOf, readsDetails } from "#core/memories/fact-filter.ts";
import type { ExportHeader } from "#core/transfer/export-format.ts";
import type { Call } from "#service/call.ts";
import { listNamespaces } from "#service/memories/namespaces.ts";
import { inHex } from "#service/operations/overview.ts";
import type { Tenant } from "#service/tenant.ts";
import type { ExportFilter, ExportScope, ExportSink } from "./export-scope.ts";
import { createExportWriter, writePages } from "./export-scope.ts";
import * as sections from "./exported-records.ts";

export async function exportRecords(tenant: Tenant, call: Call, filter: ExportFilter, sink: ExportSink): Promise<void> {
  const writer = createExportWriter(tenant, sink);
  const scope: ExportScope = { tenant, call, principal: call.principal, filter, writer };
  await writer.header(await headerOf(scope));
  const isOfMemories = filter.namespacePrefix !== undefined || readsDetails(filter);
  const memories = [exportEncryptionSecrets, sections.exportHistory, sections.exportMemories];
  const everything = [
    exportEncryptionSecrets,
    exportNamespaces,
    exportPolicy,
    sections.exportHistory,
    sections.exportMemories,
    sections.exportTombstones,
    sections.exportReceipts,
    sections.exportAnchors,
    exportDecisions,
  ];
  for (const section of isOfMemories ? memories : everything) {
    if (writer.isClosed()) return;
    await section(scope);
  }
  await writer.trailer();
}

async function headerOf({ tenant, principal, filter }: ExportScope): Promise<ExportHeader> {
  const { records, policyMirror, about, ledger, now } = tenant;
  const keys = [...(await records.signingKeys.list()), ...(await records.signingKeys.imported())];
  const { namespace, decrypt = false } = filter;
  return {
    portcullis: "export",
    v: 1,
    exportedAt: now().toISOString(),
    by: {
      role: principal.role,
      name: principal.name,
      ...(principal.role === "agent" && { agentId: principal.agentId }),
    },
    filter: { ...defined({ namespace, ...factFilterOf(filter) }), ...(decrypt && { decrypt }) },
    policyVersion: (await policyMirror.current()).version,
    blobs: about.blobs.kind,
    network: ledger.network,
    keys: keys.map(inHex),
  };
}

const PAGE = 200;

/** So that who has the ENCRYPTION_KEY can use them. */
async function exportEncryptionSecrets({ tenant, principal, filter, writer }: ExportScope): Promise<void> {
  if (principal.role !== "admin" || filter.decrypt) return;
  const secrets = await tenant.records.encryption.secrets();
  const records = [...secrets].map(([keyId, wrapped]) => ({
    kind: "encryption-secret" as const,
    keyId,
    wrapped: Buffer.from(wrapped).toString("base64url"),
  }));
  await writer.records(records);
}

async function exportNamespaces(scope: ExportScope): Promise<void> {
  const { tenant, principal, filter } = scope;
  // Settings belong to no person.
  if (filter.sourceAgent !== undefined) return;
  await writePages<string>(scope, async (after) => {
    const { namespaces, next } = await listNamespaces(tenant, principal, { limit: PAGE, after });
    const wanted = namespaces.filter(({ name }) => filter.namespace === undefined || filter.namespace === name);
    const records = wanted.map(({ memories: _, ...settings }) => ({ kind: "namespace" as const, ...settings }));
    return { records, quoted: wanted.map(({ name }) => ({ namespace: name })), next };
  });
}

/** The rules are a persistent map: what is written is the policy of one moment. */
async function exportPolicy({ tenant, principal, filter, writer }: ExportScope): Promise<void> {
  const { rules } = await tenant.policyMirror.current();
  function isReadable({ agentId, namespace }: AccessRule): boolean {
    if (principal.role === "agent" && principal.agentId !== agentId) return false;
    if (principal.role === "namespace-admin" && !governs(principal, namespace)) return false;
    if (filter.namespace !== undefined && filter.namespace !== namespace) return false;
    return filter.sourceAgent === undefined || filter.sourceAgent === agentId;
  }
  for (const chunk of rules) {
    if (writer.isClosed()) return;
    await writer.records(chunk.filter(isReadable).map((rule) => ({ kind: "rule", ...rule })));
    await nextTurn();
  }
}

async function exportDecisions(scope: ExportScope): Promise<void> {
  const { tenant, filter } = scope;
  const wanted = sections.ofAgent(scope);
  // The log cannot be divided by namespaces.
  if (wanted === undefined || filter.namespace !== undefined) return;
  const writeLists = sections.exportedLists(scope);
  await writePages<number>(scope, async (before) => {
    const { decisions, next } = await tenant.records.decisions.page({ ...wanted, before, limit: PAGE });
    await writeLists(decisions.flatMap(({ allowed, blocked }) => [allowed?.digest, blocked?.digest]));
    // The sequence counts the decisions about all agents. The log of another service has no such request.
    const exported = decisions.map(({ sequence: _, requestId: __, ...decision }) => decision);
    const records = exported.map(({ agentId, answerId, memoryId, namespace, details, ...decision }) => ({
      kind: "decision" as const,
      ...decision,
      ...defined({ agentId, answerId, memoryId, namespace, details }),
    }));
    return { records, quoted: [], next };
  });
}
