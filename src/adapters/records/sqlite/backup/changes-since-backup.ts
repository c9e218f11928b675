// What a restore would undo: gates that were closed since the backup, and keys that were revoked or rotated since.
import type { DatabaseSync } from "node:sqlite";
import { reader } from "#adapters/records/shared/rows.ts";
import { orUndefined } from "#core/defined.ts";
import { DEFAULT_TENANT } from "#core/identity/tenant.ts";
import { withDatabase } from "./with-database.ts";

interface GateName {
  /** Left out for `default`. */
  readonly tenant?: string;
  readonly agentId: string;
  readonly namespace: string;
}

export interface NamedKey {
  readonly keyId: string;
  readonly name: string;
}

export interface ChangesSinceBackup {
  /** Gates that are not open in the replaced database, and are in the restored one. */
  readonly reopened: readonly GateName[];
  readonly revoked: readonly NamedKey[];
  readonly rotated: readonly NamedKey[];
  /** Keys that the replaced database does not have, and that are good in the restored one. */
  readonly unknown: readonly NamedKey[];
}

const REOPENED = `
  SELECT nullif(tenants.id, '${DEFAULT_TENANT.id}') AS tenant, agent_id AS agentId, namespace
  FROM main.access AS new LEFT JOIN replaced.access AS old USING (tenant, agent_id, namespace)
    JOIN main.tenants ON tenants.number = new.tenant LEFT JOIN replaced.tenants AS now ON now.number = new.tenant
  WHERE new.allowed = 1 AND old.allowed IS NOT 1 AND now.deletion IS NULL ORDER BY tenants.number, agent_id, namespace`;

const KEYS = `
  SELECT key_id AS keyId, new.name, old.key_hash IS NULL AS isUnknown, old.revoked_at IS NOT NULL AS isRevoked
  FROM main.api_keys AS new LEFT JOIN replaced.api_keys AS old USING (key_id)
  WHERE new.revoked_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM replaced.tenants WHERE number = new.tenant AND deletion IS NOT NULL)
    AND (old.key_hash IS NULL OR old.revoked_at IS NOT NULL
    OR (old.key_hash, old.previous_hash, old.previous_ends_at)
      IS NOT (new.key_hash, new.previous_hash, new.previous_ends_at))
  ORDER BY new.number`;

/** The replaced database says which secrets are good: a key that it would refuse must not come back. */
const KEEP_KEYS = `
  UPDATE main.api_keys AS new SET revoked_at = coalesce(new.revoked_at, old.revoked_at), key_hash = old.key_hash,
    previous_hash = old.previous_hash, previous_ends_at = old.previous_ends_at
  FROM replaced.api_keys AS old WHERE old.key_id = new.key_id`;

/** A tenant that was suspended stays so, and what the backup brings back of a deleted one is removed again. */
const KEEP_TENANTS = `
  UPDATE main.tenants AS new SET suspended_at = old.suspended_at,
    deletion = json_set(old.deletion, '$.removed', json('{"memories":0,"receipts":0,"namespaces":0,"keys":0}'))
  FROM replaced.tenants AS old WHERE old.number = new.number AND new.deletion IS NULL`;

/** Of those that were made and deleted since, the tombstones. No number is given twice, nor the id of one of them. */
const KEEP_TOMBSTONES = `
  INSERT INTO main.tenants (number, id, created_at, suspended_at, deletion, deleted_at)
  SELECT number, id, created_at, suspended_at, deletion, deleted_at FROM replaced.tenants AS old
  WHERE deletion IS NOT NULL AND NOT EXISTS (SELECT 1 FROM main.tenants AS new WHERE new.number = old.number);
  UPDATE main.sqlite_sequence SET seq = max(seq, (SELECT max(number) FROM replaced.tenants)) WHERE name = 'tenants'`;

/** A key that signs receipts was ended because others may have it. */
const END_SIGNING_KEYS = `
  UPDATE main.signing_keys AS new SET ended_at = old.ended_at, private_key = NULL
  FROM replaced.signing_keys AS old
  WHERE old.key_id = new.key_id AND old.ended_at IS NOT NULL AND new.ended_at IS NULL`;

/** Changes nothing. Undefined when the replaced database cannot be read. */
export const readChanges = (replaced: string, restored: string): ChangesSinceBackup | undefined =>
  orUndefined(() => withBoth(replaced, restored, { readOnly: true }, changesIn));

function changesIn(database: DatabaseSync): ChangesSinceBackup {
  const keys = database.prepare(KEYS).all();
  const those = (isOne: (key: (typeof keys)[number]) => boolean) =>
    keys.filter(isOne).map(({ keyId, name }) => ({ keyId: String(keyId), name: String(name) }));
  return {
    reopened: database.prepare(REOPENED).all().map(reader<GateName>({})),
    revoked: those(({ isRevoked }) => isRevoked === 1),
    rotated: those(({ isRevoked, isUnknown }) => isRevoked === 0 && isUnknown === 0),
    unknown: those(({ isUnknown }) => isUnknown === 1),
  };
}

/** Keeps who may act: secrets, revokes, ended signing keys, and tenants that were suspended or deleted. */
export function keepKeys(replaced: string, restored: string): void {
  const all = [KEEP_KEYS, KEEP_TENANTS, KEEP_TOMBSTONES, END_SIGNING_KEYS].join(";");
  withBoth(replaced, restored, { readOnly: false }, (database) => database.exec(all));
}

/** A session that somebody signed out of since must not come back, so all of them end. */
export function endSessions(restored: string): void {
  withDatabase(restored, {}, (database) => database.exec("DELETE FROM sessions"));
}

function withBoth<T>(
  replaced: string,
  restored: string,
  options: { readonly readOnly: boolean },
  work: (database: DatabaseSync) => T,
): T {
  return withDatabase(restored, options, (database) => {
    database.prepare("ATTACH ? AS replaced").run(replaced);
    return work(database);
  });
}
