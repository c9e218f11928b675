// Keys of callers and the sessions that begin with one, the keys that receipts are signed with, and Idempotency-Keys.
import { deploymentLogStatements, logStatements, signingKeyEntry } from "#adapters/records/shared/logs/log-entries.ts";
import { DEPLOYMENT, QUOTA_COLUMNS } from "#adapters/records/shared/schema/tenant-tables.ts";
import * as sql from "#adapters/records/shared/sql.ts";
import type * as ports from "#ports.ts";

const KEY_COLUMNS = sql.columns(`number keyId name role captures createdAt createdBy expiresAt revokedAt lastUsedAt
  keyHash previousHash previousEndsAt`);

const ADD = sql.insertRow("api_keys", "keyId name role captures createdAt createdBy expiresAt keyHash");
const PAGE = sql.statement<KeyRow>`
  SELECT ${KEY_COLUMNS} FROM api_keys WHERE tenant = $tenant AND number < $1 ORDER BY number DESC LIMIT $2`;
const ROTATE = sql.reading(toKey)`
  UPDATE api_keys SET previous_hash = CASE WHEN CAST($3 AS text) IS NULL THEN NULL ELSE key_hash END,
    previous_ends_at = $3, key_hash = $2
  WHERE tenant = $tenant AND key_id = $1 AND revoked_at IS NULL RETURNING ${KEY_COLUMNS}`;
const REVOKE = sql.reading(toKey)`
  UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE tenant = $tenant AND key_id = $1
  RETURNING ${KEY_COLUMNS}`;
const USE = sql.statement`
  UPDATE api_keys SET last_used_at = $2 WHERE key_id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)`;
const ANY_ADMIN = sql.statement`SELECT 1 FROM api_keys WHERE tenant = $tenant AND role IN ('admin', 'operator') LIMIT 1`;

/** The quotas that requests are counted against. */
const RATES = ["answersPerMinute", "writesPerMinute"] as const;

const ofTenant = (column: string) => `(SELECT ${column} FROM tenants WHERE tenants.number = api_keys.tenant)`;
const FIND = sql.reading(toStoredKey)`
  SELECT ${KEY_COLUMNS}, tenant, ${ofTenant("id")} AS "tenantId", ${ofTenant("suspended_at")} AS "suspendedAt",
    ${RATES.map((name) => `${ofTenant(QUOTA_COLUMNS[name])} AS "${name}"`).join(", ")}
  FROM api_keys WHERE ${sql.among("key_id", "$1")}`;
const used = sql.tableIn("$1", "keyId keyHash sessionHash", "used");
const ENDED = sql.value<number>`
  SELECT place - 1 FROM ${used}
  WHERE NOT EXISTS (
      SELECT 1 FROM api_keys WHERE key_id = "keyId" AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)
        AND (key_hash = "keyHash" OR previous_hash = "keyHash" AND previous_ends_at > $2)
        AND ${ofTenant("suspended_at")} IS NULL)
    OR "sessionHash" IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM sessions WHERE session_hash = "sessionHash" AND ends_at > $2)`;

export function keyRecords({ rows, row, lookups, write, reserve }: sql.Database): ports.KeyRecords {
  const logged = (keyId: string, state: "begun" | "rotated" | "ended") =>
    logStatements.add([{ kind: "api-key", about: keyId, details: { state } }]);

  /** Answers with the key, if it is on record. */
  const changeKey = (change: sql.Statement<ports.KeyRecord>, entries: (key: ports.KeyRecord) => sql.Statement[]) =>
    reserve.readThenWrite([change], ([[key]]) => ({ statements: key === undefined ? [] : entries(key), outcome: key }));

  return {
    add: ({ captures, ...key }, keyHash) =>
      write(ADD({ ...key, captures: JSON.stringify(captures), keyHash }), ...logged(key.keyId, "begun")),
    find: lookups(async (keyIds) => new Map((await rows(FIND(keyIds))).map((key) => [key.keyId, key]))),
    page: ({ before = sql.UNLIMITED, limit }) =>
      sql.pageOf("keys", rows(PAGE(before, limit + 1)), limit, ({ number }) => number, toKey),
    rotate: (keyId, keyHash, endsAt) =>
      changeKey(ROTATE(keyId, keyHash, endsAt ?? null), () => logged(keyId, "rotated")),
    revoke: (keyId, at) => changeKey(REVOKE(keyId, at), (key) => (key.revokedAt === at ? logged(keyId, "ended") : [])),
    used: (keyId, at, unlessAfter) => write(USE(keyId, at, unlessAfter)),
    hasAdmin: async () => (await row(ANY_ADMIN())) !== undefined,
    endedAmong: (credentials, now) => rows(ENDED(JSON.stringify(credentials), now)),
  };
}

type KeyRow = sql.Stored<Omit<ports.StoredKey, "captures" | "tenant">> & {
  readonly number: number;
  readonly captures: string;
};

/** A tenant that is not there counts as suspended: its keys open nothing. By hand, as `toKey`. */
function tenantOf({ tenant: number, tenantId: id, suspendedAt, answersPerMinute, writesPerMinute }: StoredKeyRow) {
  if (id === null) return { number, id: "", suspendedAt: "", quotas: {} };
  const quotas = {
    ...(answersPerMinute !== null && { answersPerMinute }),
    ...(writesPerMinute !== null && { writesPerMinute }),
  };
  return { number, id, ...(suspendedAt !== null && { suspendedAt }), quotas };
}

type StoredKeyRow = KeyRow & {
  readonly tenant: number;
  readonly tenantId: string | null;
  readonly suspendedAt: string | null;
} & Readonly<Record<(typeof RATES)[number], number | null>>;

function toStoredKey(row: StoredKeyRow): ports.StoredKey {
  const { keyHash, previousHash, tenant } = row;
  return {
    ...toKey(row),
    keyHash,
    ...(previousHash !== null && { previousHash }),
    ...(tenant !== DEPLOYMENT && { tenant: tenantOf(row) }),
  };
}

/** Without the hashes. By hand, since every request with a key comes here. */
function toKey(row: KeyRow): ports.KeyRecord {
  const { keyId, name, role, createdAt, createdBy, expiresAt, revokedAt, lastUsedAt, previousEndsAt } = row;
  return {
    keyId,
    name,
    role,
    captures: JSON.parse(row.captures),
    createdAt,
    createdBy,
    ...(expiresAt !== null && { expiresAt }),
    ...(revokedAt !== null && { revokedAt }),
    ...(lastUsedAt !== null && { lastUsedAt }),
    ...(previousEndsAt !== null && { previousEndsAt }),
  };
}

const SESSION = "sessionHash keyId keyHash createdAt endsAt";
const ADD_SESSION = sql.insertRow("sessions", SESSION, { isShared: true });
const REMOVE_ENDED = sql.statement`DELETE FROM sessions WHERE ends_at <= $1`;
const TRIM = sql.statement`
  DELETE FROM sessions WHERE session_hash IN (
    SELECT session_hash FROM sessions WHERE key_id = $1 ORDER BY created_at DESC, session_hash LIMIT ${sql.UNLIMITED} OFFSET $2)`;
const FIND_SESSION = sql.statement<ports.SessionRecord>`SELECT ${sql.columns(SESSION)} FROM sessions WHERE session_hash = $1`;
const REMOVE_SESSION = sql.statement`DELETE FROM sessions WHERE session_hash = $1`;

export function sessionRecords({ row, reserve: { write } }: sql.Database): ports.SessionRecords {
  return {
    add: (session, { now, most }) =>
      // One less than the limit, so that the new one has room and is never itself the oldest.
      write(REMOVE_ENDED(now), TRIM(session.keyId, most - 1), ADD_SESSION(session)),
    find: (sessionHash) => row(FIND_SESSION(sessionHash)),
    remove: (sessionHash) => write(REMOVE_SESSION(sessionHash)),
  };
}

const SIGNING = sql.statement<ports.SigningKey>`
  SELECT ${sql.columns("keyId publicKey privateKey createdAt")} FROM signing_keys
  WHERE ended_at IS NULL ORDER BY created_at DESC, key_id LIMIT 1`;
const ADD_SIGNING = sql.insertRow("signing_keys", "keyId publicKey privateKey createdAt", { isShared: true });
const END_SIGNING = sql.statement<{ publicKey: Uint8Array }>`
  UPDATE signing_keys SET ended_at = $2, private_key = NULL WHERE key_id = $1 AND ended_at IS NULL
  RETURNING ${sql.columns("publicKey")}`;
const allIn = (tables: string) =>
  sql.reading(sql.reader<ports.PublicSigningKey>({}))`
    SELECT ${sql.columns("keyId publicKey createdAt endedAt")} FROM ${tables} ORDER BY created_at, key_id`;
const ALL_SIGNING = allIn("signing_keys");
const IMPORTED = allIn("imported_keys WHERE tenant = $tenant");

export function signingKeyRecords({
  rows,
  row,
  reserve: { write, readThenWrite },
}: sql.Database): ports.SigningKeyRecords {
  const logged = (publicKey: Uint8Array, state: "begun" | "ended") =>
    deploymentLogStatements.add([signingKeyEntry(publicKey, state)]);
  return {
    signing: () => row(SIGNING()),
    add: (key) => write(ADD_SIGNING(key), ...logged(key.publicKey, "begun")),
    end: (keyId, at) =>
      readThenWrite([END_SIGNING(keyId, at)], ([ended]) => ({
        statements: ended.flatMap(({ publicKey }) => logged(publicKey, "ended")),
        outcome: ended.length === 1,
      })),
    list: () => rows(ALL_SIGNING()),
    imported: () => rows(IMPORTED()),
  };
}

const BEGIN = sql.statement`
  INSERT INTO idempotency_keys AS known (tenant, id, request, holder, lease_end, begun_at) VALUES ($tenant, $1, $2, $3, $4, $5)
  ON CONFLICT (tenant, id) DO UPDATE SET request = excluded.request, holder = excluded.holder, lease_end = excluded.lease_end,
    begun_at = excluded.begun_at, outcome = NULL
  WHERE known.begun_at < $6
    OR (known.outcome IS NULL AND known.lease_end < excluded.begun_at AND known.request = excluded.request)
  RETURNING id`;
const FIND_REQUEST = sql.statement<RequestRow>`SELECT request, outcome FROM idempotency_keys WHERE tenant = $tenant AND id = $1`;
const HELD = "WHERE tenant = $tenant AND id = $1 AND holder = $2 AND outcome IS NULL";
const EXTEND = sql.statement`UPDATE idempotency_keys SET lease_end = $3 ${HELD}`;
const COMPLETE = sql.statement`UPDATE idempotency_keys SET outcome = $3 ${HELD}`;
const ABANDON = sql.statement`DELETE FROM idempotency_keys ${HELD}`;
const SWEEP = sql.statement`
  DELETE FROM idempotency_keys WHERE tenant = $tenant AND id IN (
    SELECT id FROM idempotency_keys WHERE tenant = $tenant AND begun_at < $1 ORDER BY begun_at LIMIT $2) RETURNING id`;

interface RequestRow {
  readonly request: string;
  readonly outcome: string | null;
}

export function idempotencyRecords({ row, reserve: { write, change } }: sql.Database): ports.IdempotencyRecords {
  async function begin(request: ports.IdempotentRequest): Promise<ports.Begun> {
    const { id, digest, holder, now, leaseEnd, oldest } = request;
    const begun = await change(BEGIN(id, digest, holder, leaseEnd, now, oldest));
    if (begun.length > 0) return { kind: "begun" };
    const found = await row(FIND_REQUEST(id));
    // Between the two statements its holder may have abandoned it.
    return found === undefined ? begin(request) : foundRequest(found, digest);
  }

  return {
    begin,
    extend: ({ id, holder }, leaseEnd) => write(EXTEND(id, holder, leaseEnd)),
    complete: ({ id, holder }, outcome) => write(COMPLETE(id, holder, outcome)),
    abandon: ({ id, holder }) => write(ABANDON(id, holder)),
    sweep: async (before, limit) => (await change(SWEEP(before, limit))).length,
  };
}

function foundRequest({ request, outcome }: RequestRow, digest: string): ports.Begun {
  if (request !== digest && request !== "" && digest !== "") return { kind: "other-request" };
  return outcome === null ? { kind: "in-progress" } : { kind: "done", outcome };
}
