import type { Connection } from "#adapters/records/sqlite/connection/connection.ts";
import type { PublicSigningKey, SigningKey, SigningKeyRecords } from "#ports.ts";

export function signingKeyRecords({ database, read, writeFromReserve: write }: Connection): SigningKeyRecords {
  const signing = database.prepare(
    `SELECT key_id AS keyId, public_key AS publicKey, private_key AS privateKey, created_at AS createdAt
     FROM signing_keys WHERE ended_at IS NULL ORDER BY created_at DESC, key_id LIMIT 1`,
  );
  const insert = database.prepare(
    "INSERT INTO signing_keys (key_id, public_key, private_key, created_at) VALUES (?, ?, ?, ?)",
  );
  const end = database.prepare(
    "UPDATE signing_keys SET ended_at = ?, private_key = NULL WHERE key_id = ? AND ended_at IS NULL",
  );
  const all = database.prepare(
    `SELECT key_id AS keyId, public_key AS publicKey, created_at AS createdAt, ended_at AS endedAt
     FROM signing_keys ORDER BY created_at, key_id`,
  );
  return {
    signing: () => read(() => signing.get() as unknown as SigningKey | undefined),
    add: ({ keyId, publicKey, privateKey, createdAt }) =>
      write(() => void insert.run(keyId, publicKey, privateKey, createdAt)),
    end: (keyId, at) => write(() => end.run(at, keyId).changes === 1),
    list: () => read(() => (all.all() as unknown as Row[]).map(toPublicKey)),
  };
}

type Row = Omit<PublicSigningKey, "endedAt"> & { readonly endedAt: string | null };

function toPublicKey({ endedAt, ...key }: Row): PublicSigningKey {
  return { ...key, ...(endedAt !== null && { endedAt }) };
}
