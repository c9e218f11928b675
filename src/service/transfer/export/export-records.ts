// GET /api/export: everything that the caller may read, page by page. Each page that quotes memories leaves behind the
// fence, so that a revoke or a forgetting in the middle of the stream counts for the rest of it.
import type { Principal } from "#core/identity/principal.ts";
import type { ExportHeader } from "#core/transfer/export-format.ts";
import type { Deps } from "#service/deps.ts";
import type { ExportFilter, ExportScope } from "./export-scope.ts";
import { createExportWriter, type ExportSink } from "./export-writer.ts";
import { exportDecisions } from "./exported-decisions.ts";
import { exportHistory, exportMemories, exportTombstones } from "./exported-memories.ts";
import { exportAnchors, exportReceipts } from "./exported-receipts.ts";
import { exportNamespaces, exportPolicy, exportSealSecrets } from "./exported-settings.ts";

export async function exportRecords(
  deps: Deps,
  principal: Principal,
  filter: ExportFilter,
  sink: ExportSink,
  signal: AbortSignal,
): Promise<void> {
  const writer = createExportWriter(deps, sink);
  const scope: ExportScope = { deps, principal, filter, writer, signal };
  await writer.header(await headerOf(scope));
  const sections = [
    exportSealSecrets,
    exportNamespaces,
    exportPolicy,
    exportHistory,
    exportMemories,
    exportTombstones,
    exportReceipts,
    exportAnchors,
    exportDecisions,
  ];
  for (const section of sections) {
    if (writer.isClosed()) return;
    await section(scope);
  }
  await writer.trailer();
}

async function headerOf({ deps, principal, filter }: ExportScope): Promise<ExportHeader> {
  const { records, gatekeeper, about, ledger, now } = deps;
  const keys = await records.signingKeys.list();
  const { namespace, sourceAgent, open = false } = filter;
  return {
    portcullis: "export",
    v: 1,
    exportedAt: now().toISOString(),
    by: {
      role: principal.role,
      name: principal.name,
      ...(principal.role === "agent" && { agentId: principal.agentId }),
    },
    filter: {
      ...(namespace !== undefined && { namespace }),
      ...(sourceAgent !== undefined && { sourceAgent }),
      ...(open && { open }),
    },
    policyVersion: (await gatekeeper.policy()).version,
    blobs: about.blobs.kind,
    network: ledger.network,
    keys: keys.map(({ publicKey, ...key }) => ({ ...key, publicKey: Buffer.from(publicKey).toString("hex") })),
  };
}
