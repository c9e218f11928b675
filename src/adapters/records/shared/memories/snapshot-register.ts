/** How many snapshots of one namespace are on record. Replicas make their own. */
export const SNAPSHOTS_KEPT = 8;

export interface SnapshotRow {
  readonly namespace: string;
  readonly digest: string;
}

export function digestsByNamespace(rows: readonly SnapshotRow[]): Map<string, Set<string>> {
  const digests = new Map<string, Set<string>>();
  for (const { namespace, digest } of rows) {
    const known = digests.get(namespace);
    if (known === undefined) digests.set(namespace, new Set([digest]));
    else known.add(digest);
  }
  return digests;
}
