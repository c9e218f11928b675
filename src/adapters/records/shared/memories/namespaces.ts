import type { NamespaceEntry, NamespacePage } from "#ports.ts";

/** Of a row of `namespaces`. */
export const HAS_SETTINGS = "(description IS NOT NULL OR retention_seconds IS NOT NULL OR sealed)";

export const NAMESPACE_COLUMNS = 'name, memories, description, retention_seconds AS "retentionSeconds", sealed';

export interface SettingsRow {
  readonly name: string;
  readonly memories: number;
  readonly description: string | null;
  readonly retentionSeconds: number | null;
  readonly sealed: number | boolean;
}

function toEntry({ name, memories, description, retentionSeconds, sealed }: SettingsRow): NamespaceEntry {
  return {
    name,
    memories,
    ...(description !== null && { description }),
    ...(retentionSeconds !== null && { retentionSeconds }),
    sealed: Boolean(sealed),
  };
}

export function toSettings(row: SettingsRow | undefined): NamespaceEntry | undefined {
  return row && toEntry(row);
}

/** `rows` are up to one more than the limit. */
export function toNamespacePage(rows: readonly SettingsRow[], limit: number): NamespacePage {
  const namespaces = rows.slice(0, limit).map(toEntry);
  const last = namespaces.at(-1);
  return rows.length > limit && last !== undefined ? { namespaces, next: last.name } : { namespaces };
}
