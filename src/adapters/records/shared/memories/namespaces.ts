// Settings of namespaces. They stand in the rows of their counts, which stay when a namespace is empty.

import { defaultOf, limitReached, quotaOf } from "#adapters/records/shared/limits.ts";
import { decisionStatements } from "#adapters/records/shared/logs/decisions.ts";
import type { Fence } from "#adapters/records/shared/policy/fence.ts";
import { cutPage, ifFound } from "#adapters/records/shared/rows.ts";
import type { Database, Statement } from "#adapters/records/shared/sql/database.ts";
import { among, LOCK_MEMORIES } from "#adapters/records/shared/sql/dialect.ts";
import type { NamespaceEntry, NamespaceRecords, RecordLimits } from "#ports.ts";
import { HAS_SETTINGS, type Name, nameStatements, takingNames } from "./names.ts";
import { proposalStatements } from "./proposals.ts";

const NAMESPACE_COLUMNS = 'name, memories, description, retention_seconds AS "retentionSeconds", encrypted';

interface SettingsRow {
  readonly name: string;
  readonly memories: number;
  readonly description: string | null;
  readonly retentionSeconds: number | null;
  readonly encrypted: number | boolean;
}

/** By hand, since every capture comes here. */
function toEntry({ name, memories, description, retentionSeconds, encrypted }: SettingsRow): NamespaceEntry {
  const said = description !== null && { description };
  const kept = retentionSeconds !== null && { retentionSeconds };
  return { name, memories, ...said, ...kept, encrypted: Boolean(encrypted) };
}

const QUOTA = quotaOf("namespaces", "$2");
const NO_ROOM = `
  SELECT ${QUOTA} AS quota FROM totals WHERE tenant = $tenant AND name = 'namespaces' AND value >= ${QUOTA}
    AND coalesce((SELECT memories FROM namespaces WHERE tenant = $tenant AND namespaces.name = $1), 0) = 0`;

/** Rejects when the namespace is new, and there are too many. */
export async function requireRoomFor({ row }: Database, namespace: string, limits: RecordLimits): Promise<void> {
  const limit = defaultOf("namespaces", limits);
  const found = await row<{ quota: number }>({ text: NO_ROOM, values: [namespace, limit] });
  if (found !== undefined) throw limitReached("namespaces", { limit: found.quota, isOwn: found.quota !== limit });
}

/** The names of namespaces that stay in use without any memory: `Name`. */
export const namesOfSettings: Statement = {
  text: `SELECT 'namespace' AS kind, name FROM namespaces WHERE tenant = $tenant AND ${HAS_SETTINGS}`,
  values: [],
};

const FIND = `SELECT ${NAMESPACE_COLUMNS} FROM namespaces WHERE tenant = $tenant AND name = $1`;
// A change of `encrypted` takes a number of its own, and the head of the namespace moves to it.
const TAKE = "UPDATE counters SET value = value + 1 WHERE tenant = $tenant AND name = 'memory'";
const LOG_ENCRYPTION = `
  INSERT INTO encryption_changes (tenant, sequence, namespace, encrypted, changed_by, changed_at)
  VALUES ($tenant, (SELECT value FROM counters WHERE tenant = $tenant AND name = 'memory'), $1, $2, $3, $4)`;
const MOVE_HEAD = `
  UPDATE namespaces SET head = (SELECT value FROM counters WHERE tenant = $tenant AND counters.name = 'memory')
  WHERE tenant = $tenant AND name = $1`;
const PUT = `
  INSERT INTO namespaces (tenant, name, memories, head, description, retention_seconds, encrypted)
  VALUES ($tenant, $1, 0, 0, $2, $3, $4)
  ON CONFLICT (tenant, name) DO UPDATE SET description = excluded.description, retention_seconds = excluded.retention_seconds,
    encrypted = excluded.encrypted`;
const IS_LISTED = `(memories > 0 OR ${HAS_SETTINGS})`;
const AFTER = `
  SELECT ${NAMESPACE_COLUMNS} FROM namespaces WHERE tenant = $tenant AND name > $1 AND ${IS_LISTED} ORDER BY name LIMIT $2`;

export function namespaceRecords(database: Database, limits: RecordLimits, fence: Fence): NamespaceRecords {
  const { rows, row } = database;
  const { use, useAnyway } = nameStatements;
  const AMONG = AFTER.replace("ORDER BY", `AND ${among("name", "$3")} ORDER BY`);

  return {
    find: (name) => row<SettingsRow>({ text: FIND, values: [name] }).then(ifFound(toEntry)),
    async put({ name, description = null, retentionSeconds = null, encrypted: wanted }, { by, at, decision }, options) {
      database.requireRoom();
      await requireRoomFor(database, name, limits);
      const names: Name[] = [{ kind: "namespace", name }];
      const reads = [LOCK_MEMORIES, { text: FIND, values: [name] }];
      const put = ([former]: readonly unknown[]) => {
        const wasEncrypted = Boolean((former as SettingsRow | undefined)?.encrypted);
        const encrypted = wanted ?? wasEncrypted;
        const changed: Statement[] = [
          { text: TAKE, values: [] },
          { text: LOG_ENCRYPTION, values: [name, encrypted, by, at] },
          { text: MOVE_HEAD, values: [name] },
          ...(encrypted ? [proposalStatements.dropPlain(name)] : []),
        ];
        return [
          { text: PUT, values: [name, description, retentionSeconds, encrypted] },
          ...(encrypted === wasEncrypted ? [] : changed),
          ...(options?.allowConfusable ? useAnyway : use)(names),
          ...decisionStatements.add([decision]),
        ];
      };
      const plan = (results: readonly (readonly unknown[])[]) => ({
        statements: put(results.at(-1) ?? []),
        outcome: undefined,
      });
      const record = () =>
        wanted
          ? fence.removal(reads, (results) => ({ ...plan(results), isChange: false }))
          : database.readThenWrite(reads, plan);
      await takingNames(database, names, record, options);
    },
    async page({ after = "", limit, names }) {
      const found = await rows<SettingsRow>(
        names === undefined
          ? { text: AFTER, values: [after, limit + 1] }
          : { text: AMONG, values: [after, limit + 1, names] },
      );
      const { page, more } = cutPage(found, limit, ({ name }) => name);
      return { namespaces: page.map(toEntry), ...more };
    },
  };
}
