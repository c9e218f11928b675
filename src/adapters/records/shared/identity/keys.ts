// Keys of callers and the sessions that begin with one, the keys that receipts are signed with, and Idempotency-Keys.

import { deploymentLogStatements, logStatements, signingKeyEntry } from "#adapters/records/shared/logs/log-entries.ts";
import { column, cutPage, present } from "#adapters/records/shared/rows.ts";
import { DEPLOYMENT, QUOTA_COLUMNS } from "#adapters/records/shared/schema/tenant-tables.ts";
import { type Database, type Statement, UNLIMITED } from "#adapters/records/shared/sql/database.ts";
import { among, tableIn } from "#adapters/records/shared/sql/dialect.ts";
import type * as ports from "#ports.ts";

const KEY_COLUMNS = `number, key_id AS "keyId", name, role, captures, created_at AS "createdAt",
  created_by AS "createdBy", expires_at AS "expiresAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt",
  key_hash AS "keyHash", previous_hash AS "previousHash", previous_ends_at AS "previousEndsAt"`;

const ADD = `
  INSERT INTO api_keys (tenant, key_id, name, role, captures, created_at, created_by, expires_at, key_hash)
  VALUES ($tenant, $1, $2, $3, $4, $5, $6, $7, $8)`;
const PAGE = `SELECT ${KEY_COLUMNS} FROM api_keys WHERE tenant = $tenant AND number < $1 ORDER BY number DESC LIMIT $2`;
const ROTATE = `
  UPDATE api_keys SET previous_hash = CASE WHEN CAST($3 AS text) IS NULL THEN NULL ELSE key_hash END,
    previous_ends_at = $3, key_hash = $2
  WHERE tenant = $tenant AND key_id = $1 AND revoked_at IS NULL RETURNING ${KEY_COLUMNS}`;
const REVOKE = `
  UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE tenant = $tenant AND key_id = $1
  RETURNING ${KEY_COLUMNS}`;
const USE = `
  UPDATE api_keys SET last_used_at = $2 WHERE key_id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)`;
const ANY_ADMIN = "SELECT 1 FROM api_keys WHERE tenant = $tenant AND role IN ('admin', 'operator') LIMIT 1";

/** The quotas that requests are counted against. */
const RATES = ["answersPerMinute", "writesPerMinute"] as const;

const ofTenant = (column: string) => `(SELECT ${column} FROM tenants WHERE tenants.number = api_keys.tenant)`;
const FIND = `
  SELECT ${KEY_COLUMNS}, tenant, ${ofTenant("id")} AS "tenantId", ${ofTenant("suspended_at")} AS "suspendedAt",
    ${RATES.map((name) => `${ofTenant(QUOTA_COLUMNS[name])} AS "${name}"`).join(", ")}
  FROM api_keys WHERE ${among("key_id", "$1")}`;
const used = tableIn("$1", { keyId: "text", keyHash: "text", sessionHash: "text" }, "used");
const ENDED = `
  SELECT place FROM ${used}
  WHERE NOT EXISTS (
      SELECT 1 FROM api_keys WHERE key_id = "keyId" AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)
        AND (key_hash = "keyHash" OR previous_hash = "keyHash" AND previous_ends_at > $2)
        AND ${ofTenant("suspended_at")} IS NULL)
    OR "sessionHash" IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM sessions WHERE session_hash = "sessionHash" AND ends_at > $2)`;

export function keyRecords({ rows, row, lookups, write, reserve }: Database): ports.KeyRecords {
  const logged = (keyId: string, state: "begun" | "rotated" | "ended") =>
    logStatements.add([{ kind: "api-key", about: keyId, details: { state } }]);

  /** Answers with the key, if it is on record. */
  const changeKey = (
    statement: Statement,
    entries: (key: ports.KeyRecord) => Statement[],
  ): Promise<ports.KeyRecord | undefined> =>
    reserve.readThenWrite([statement], ([rows = []]) => {
      const [found] = rows as KeyRow[];
      const key = found && toKey(found);
      return { statements: key === undefined ? [] : entries(key), outcome: key };
    });

  return {
    add({ keyId, name, role, captures, createdAt, createdBy, expiresAt = null }, keyHash) {
      const values = [keyId, name, role, JSON.stringify(captures), createdAt, createdBy, expiresAt, keyHash];
      return write({ text: ADD, values }, ...logged(keyId, "begun"));
    },
    find: lookups(async (keyIds) => {
      const found = await rows<StoredKeyRow>({ text: FIND, values: [keyIds] });
      return new Map(found.map((each) => [each.keyId, toStoredKey(each)]));
    }),
    async page({ before = UNLIMITED, limit }) {
      const found = await rows<KeyRow>({ text: PAGE, values: [before, limit + 1] });
      const { page, more } = cutPage(found, limit, ({ number }) => number);
      return { keys: page.map(toKey), ...more };
    },
    rotate: (keyId, keyHash, endsAt) =>
      changeKey({ text: ROTATE, values: [keyId, keyHash, endsAt ?? null] }, () => logged(keyId, "rotated")),
    revoke: (keyId, at) =>
      changeKey({ text: REVOKE, values: [keyId, at] }, (key) => (key.revokedAt === at ? logged(keyId, "ended") : [])),
    used: (keyId, at, unlessAfter) => write({ text: USE, values: [keyId, at, unlessAfter] }),
    hasAdmin: async () => (await row({ text: ANY_ADMIN, values: [] })) !== undefined,
    async endedAmong(credentials, now) {
      const places = await column<number>(rows({ text: ENDED, values: [JSON.stringify(credentials), now] }));
      return places.map((place) => place - 1);
    },
  };
}

type Optional = "expiresAt" | "revokedAt" | "lastUsedAt" | "previousHash" | "previousEndsAt";

type KeyRow = Omit<ports.StoredKey, Optional | "captures" | "tenant"> & {
  readonly number: number;
  readonly captures: string;
} & Readonly<Record<Optional, string | null>>;

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

const ADD_SESSION = `
  INSERT INTO sessions (session_hash, key_id, key_hash, created_at, ends_at) VALUES ($1, $2, $3, $4, $5)`;
const REMOVE_ENDED = "DELETE FROM sessions WHERE ends_at <= $1";
const TRIM = `
  DELETE FROM sessions WHERE session_hash IN (
    SELECT session_hash FROM sessions WHERE key_id = $1 ORDER BY created_at DESC, session_hash LIMIT ${UNLIMITED} OFFSET $2)`;
const FIND_SESSION = `
  SELECT session_hash AS "sessionHash", key_id AS "keyId", key_hash AS "keyHash", created_at AS "createdAt",
    ends_at AS "endsAt"
  FROM sessions WHERE session_hash = $1`;
const REMOVE_SESSION = "DELETE FROM sessions WHERE session_hash = $1";

export function sessionRecords({ row, reserve: { write } }: Database): ports.SessionRecords {
  return {
    add: ({ sessionHash, keyId, keyHash, createdAt, endsAt }, { now, most }) =>
      write(
        { text: REMOVE_ENDED, values: [now] },
        // One less than the limit, so that the new one has room and is never itself the oldest.
        { text: TRIM, values: [keyId, most - 1] },
        { text: ADD_SESSION, values: [sessionHash, keyId, keyHash, createdAt, endsAt] },
      ),
    find: (sessionHash) => row<ports.SessionRecord>({ text: FIND_SESSION, values: [sessionHash] }),
    remove: (sessionHash) => write({ text: REMOVE_SESSION, values: [sessionHash] }),
  };
}

const SIGNING = `
  SELECT key_id AS "keyId", public_key AS "publicKey", private_key AS "privateKey", created_at AS "createdAt"
  FROM signing_keys WHERE ended_at IS NULL ORDER BY created_at DESC, key_id LIMIT 1`;
const ADD_SIGNING = "INSERT INTO signing_keys (key_id, public_key, private_key, created_at) VALUES ($1, $2, $3, $4)";
const END_SIGNING = `
  UPDATE signing_keys SET ended_at = $2, private_key = NULL WHERE key_id = $1 AND ended_at IS NULL RETURNING public_key AS "publicKey"`;
const ALL_SIGNING = `
  SELECT key_id AS "keyId", public_key AS "publicKey", created_at AS "createdAt", ended_at AS "endedAt"
  FROM signing_keys ORDER BY created_at, key_id`;

const IMPORTED = `
  SELECT key_id AS "keyId", public_key AS "publicKey", created_at AS "createdAt", ended_at AS "endedAt"
  FROM imported_keys WHERE tenant = $tenant ORDER BY created_at, key_id`;

type SigningKeyRow = Omit<ports.PublicSigningKey, "endedAt"> & { readonly endedAt: string | null };

export function signingKeyRecords({ rows, row, reserve: { write, readThenWrite } }: Database): ports.SigningKeyRecords {
  const logged = (publicKey: Uint8Array, state: "begun" | "ended") =>
    deploymentLogStatements.add([signingKeyEntry(publicKey, state)]);
  return {
    signing: () => row<ports.SigningKey>({ text: SIGNING, values: [] }),
    add: ({ keyId, publicKey, privateKey, createdAt }) =>
      write({ text: ADD_SIGNING, values: [keyId, publicKey, privateKey, createdAt] }, ...logged(publicKey, "begun")),
    end: (keyId, at) =>
      readThenWrite([{ text: END_SIGNING, values: [keyId, at] }], ([ended = []]) => ({
        statements: (ended as { publicKey: Uint8Array }[]).flatMap(({ publicKey }) => logged(publicKey, "ended")),
        outcome: ended.length === 1,
      })),
    async list() {
      const found = await rows<SigningKeyRow>({ text: ALL_SIGNING, values: [] });
      return found.map(present);
    },
    imported: () => rows<ports.PublicSigningKey>({ text: IMPORTED, values: [] }),
  };
}

const BEGIN = `
  INSERT INTO idempotency_keys AS known (tenant, id, request, holder, lease_end, begun_at) VALUES ($tenant, $1, $2, $3, $4, $5)
  ON CONFLICT (tenant, id) DO UPDATE SET request = excluded.request, holder = excluded.holder, lease_end = excluded.lease_end,
    begun_at = excluded.begun_at, outcome = NULL
  WHERE known.begun_at < $6
    OR (known.outcome IS NULL AND known.lease_end < excluded.begun_at AND known.request = excluded.request)
  RETURNING id`;
const FIND_REQUEST = "SELECT request, outcome FROM idempotency_keys WHERE tenant = $tenant AND id = $1";
const HELD = "WHERE tenant = $tenant AND id = $1 AND holder = $2 AND outcome IS NULL";
const EXTEND = `UPDATE idempotency_keys SET lease_end = $3 ${HELD}`;
const COMPLETE = `UPDATE idempotency_keys SET outcome = $3 ${HELD}`;
const ABANDON = `DELETE FROM idempotency_keys ${HELD}`;
const SWEEP = `
  DELETE FROM idempotency_keys WHERE tenant = $tenant AND id IN (
    SELECT id FROM idempotency_keys WHERE tenant = $tenant AND begun_at < $1 ORDER BY begun_at LIMIT $2) RETURNING id`;

interface RequestRow {
  readonly request: string;
  readonly outcome: string | null;
}

export function idempotencyRecords({ row, reserve: { write, change } }: Database): ports.IdempotencyRecords {
  async function begin(request: ports.IdempotentRequest): Promise<ports.Begun> {
    const { id, digest, holder, now, leaseEnd, oldest } = request;
    const begun = await change({ text: BEGIN, values: [id, digest, holder, leaseEnd, now, oldest] });
    if (begun.length > 0) return { kind: "begun" };
    const found = await row<RequestRow>({ text: FIND_REQUEST, values: [id] });
    // Between the two statements its holder may have abandoned it.
    return found === undefined ? begin(request) : foundRequest(found, digest);
  }

  return {
    begin,
    extend: ({ id, holder }, leaseEnd) => write({ text: EXTEND, values: [id, holder, leaseEnd] }),
    complete: ({ id, holder }, outcome) => write({ text: COMPLETE, values: [id, holder, outcome] }),
    abandon: ({ id, holder }) => write({ text: ABANDON, values: [id, holder] }),
    sweep: async (before, limit) => (await change({ text: SWEEP, values: [before, limit] })).length,
  };
}

function foundRequest({ request, outcome }: RequestRow, digest: string): ports.Begun {
  if (request !== digest && request !== "" && digest !== "") return { kind: "other-request" };
  return outcome === null ? { kind: "in-progress" } : { kind: "done", outcome };
}
