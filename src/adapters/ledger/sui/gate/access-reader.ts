// Reads the gate's table of entries, with the history of each. It may be long, so it is read only when it is needed.
import type { CoreClient } from "@mysten/sui/client";
import { AccessField, type GateIds } from "#adapters/ledger/gate-module.ts";
import { pages, safeVersion } from "#adapters/ledger/sui/chain-reader.ts";
import type { LeafChange } from "#core/gate/policy.ts";

export interface AccessEntry extends Pick<LeafChange, "agentId" | "namespace"> {
  /** In order. */
  readonly changes: readonly { readonly version: number; readonly allowed: boolean }[];
}

export async function readAccess(client: CoreClient, { gateId }: GateIds, accessId: string): Promise<AccessEntry[]> {
  const entries: AccessEntry[] = [];
  for await (const page of pages((cursor) => client.listDynamicFields({ parentId: accessId, cursor, limit: 1_000 }))) {
    const objectIds = page.dynamicFields.map(({ fieldId }) => fieldId);
    const { objects } = await client.getObjects({ objectIds, include: { content: true } });
    for (const object of objects) {
      if (object instanceof Error) throw object;
      const { name, value } = AccessField.parse(object.content);
      const changes = value.changes.map(({ version, allowed }) => ({ version: safeVersion(version, gateId), allowed }));
      entries.push({ agentId: name.agent, namespace: name.namespace, changes });
    }
  }
  return entries;
}

/** The greatest version of which the entries know. */
export function greatestVersion(entries: readonly AccessEntry[]): number {
  return entries.reduce((greatest, { changes }) => Math.max(greatest, changes.at(-1)?.version ?? 0), 0);
}

/** Whether the entry is allowed: as of a version, or after all of its changes. */
export function isAllowedIn({ changes }: AccessEntry, version = Number.POSITIVE_INFINITY): boolean {
  return changes.findLast((change) => change.version <= version)?.allowed ?? false;
}
