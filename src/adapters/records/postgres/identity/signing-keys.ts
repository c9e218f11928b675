import type { Database } from "#adapters/records/postgres/connection/database.ts";
import type { PublicSigningKey, SigningKey, SigningKeyRecords } from "#ports.ts";

const SIGNING = `
  SELECT key_id AS "keyId", public_key AS "publicKey", private_key AS "privateKey", created_at AS "createdAt"
  FROM signing_keys WHERE ended_at IS NULL ORDER BY created_at DESC, key_id LIMIT 1`;
const ADD = "INSERT INTO signing_keys (key_id, public_key, private_key, created_at) VALUES ($1, $2, $3, $4)";
const END = `
  UPDATE signing_keys SET ended_at = $2, private_key = NULL WHERE key_id = $1 AND ended_at IS NULL RETURNING key_id`;
const ALL = `
  SELECT key_id AS "keyId", public_key AS "publicKey", created_at AS "createdAt", ended_at AS "endedAt"
  FROM signing_keys ORDER BY created_at, key_id`;

export function signingKeyRecords(database: Database): SigningKeyRecords {
  return {
    signing: () => database.row<SigningKey>({ text: SIGNING, values: [] }),
    add: ({ keyId, publicKey, privateKey, createdAt }) =>
      database.write({ text: ADD, values: [keyId, publicKey, privateKey, createdAt] }),
    async end(keyId, at) {
      return (await database.rows({ text: END, values: [keyId, at] })).length === 1;
    },
    async list() {
      const rows = await database.rows<Row>({ text: ALL, values: [] });
      return rows.map(({ endedAt, ...key }) => ({ ...key, ...(endedAt !== null && { endedAt }) }));
    },
  };
}

type Row = Omit<PublicSigningKey, "endedAt"> & { readonly endedAt: string | null };
