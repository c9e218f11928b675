// The memories that a recall found. Every chat reads a dozen of them. As arrays they take a third less time than as objects
// with named columns.
import { MEMORY_COLUMNS, toMemory } from "#adapters/records/shared/rows.ts";
import type { MemoryOnRecord } from "#core/memory.ts";
import type { MemoryRecords } from "#ports.ts";
import type { Connection } from "./connection/connection.ts";

export function memoriesAt({ database, read }: Connection, now: () => Date): (tenant: number) => MemoryRecords["at"] {
  const findAt = database.prepare(
    `SELECT sequence, ${MEMORY_COLUMNS} FROM json_each(?) AS wanted
     JOIN memories ON tenant = ? AND sequence = wanted.value WHERE expires_at IS NULL OR expires_at > ?`,
  );
  findAt.setReturnArrays(true);
  return (tenant) => (sequences) =>
    read(() => {
      const rows = findAt.all(JSON.stringify(sequences), tenant, now().toISOString());
      return new Map((rows as unknown as MemoryArray[]).map(toEntry));
    });
}

type Text = string | null;
/** A sequence and the columns of a memory, in the order of MEMORY_COLUMNS. */
type MemoryArray = [
  number,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  number,
  Text,
  Text,
  Text,
  Text,
  Text,
  string,
];

function toEntry(row: MemoryArray): [number, MemoryOnRecord] {
  const [sequence, memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest, pinned] = row;
  const [key, expiresAt, supersedes, encryptionKeyId, wrappedKey] = row.slice(9, 14) as Text[];
  const memory = { memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest };
  const isPlain = pinned === 0 && key === null && expiresAt === null && supersedes === null && encryptionKeyId === null;
  if (isPlain) return [sequence, memory];
  const optional = { key: key ?? null, expiresAt: expiresAt ?? null, supersedes: supersedes ?? null };
  const encryption = { encryptionKeyId: encryptionKeyId ?? null, wrappedKey: wrappedKey ?? null, factHash: row[14] };
  return [sequence, toMemory({ ...memory, pinned, ...optional, ...encryption })];
}
