// The change feed: snapshots, and pages of what changed in a namespace.
import type { Counters } from "#adapters/records/shared/policy/policy-statements.ts";
import { COUNTERS, readUpdate, toPolicyUpdate } from "#adapters/records/shared/policy/policy-statements.ts";
import { columns, type Database, either, reading, statement } from "#adapters/records/shared/sql.ts";
import { policyDigestOf } from "#core/gate/policy-chain.ts";
import type * as ports from "#ports.ts";

/** A memory that was captured, the tombstone of a forgotten one, or an entry of the log of pins. */
interface ChangeRow {
  readonly sequence: number;
  readonly content: string | null;
  readonly createdAt: string | null;
  readonly occurredAt: string | null;
  /** The sequence of the memory that was forgotten or pinned; null for one that was captured. */
  readonly captured: number | null;
  /** Whether it was pinned or unpinned; null if it was neither. SQLite has 0 and 1. */
  readonly pinned: number | boolean | null;
  readonly memoryId: string | null;
  readonly encryptionKeyId: string | null;
  readonly wrappedKey: string | null;
  readonly factHash: string | null;
}

/** The columns of a captured memory in the feed, and their places in rows of other kinds. */
const TEXTS = columns("content createdAt occurredAt");
const ENCRYPTION = columns("memoryId encryptionKeyId wrappedKey factHash");
const NOTHING = "CAST(NULL AS text)";
const NO_TEXT = `${NOTHING}, ${NOTHING}, ${NOTHING}`;

/** SQLite sorts all of them, with their texts, before it gives the first, and blocks the process meanwhile. */
const CHANGES_PER_READ = { sqlite: 100, postgres: 1_000 };
/** And how much text, where the read blocks the process: a memory may have 8,000 characters. */
const CHARACTERS_PER_READ = 500_000;

// Each part has a limit, which is a constant: so PostgreSQL reads each from its index only as far as needed. For it,
// the conditions are ranges of that index and not equalities, for the reason that memory-pages.ts gives.
const RANGE = either(
  "namespace = $1 AND sequence > $2 AND sequence <= $3 ORDER BY sequence",
  "(namespace, sequence) > ($1, $2) AND (namespace, sequence) <= ($1, $3) ORDER BY namespace, sequence",
);
const LIMIT = `LIMIT ${either(String(CHANGES_PER_READ.sqlite), String(CHANGES_PER_READ.postgres))}`;
const nextOf = (table: "memories" | "forgotten" | "pin_changes", columns: string): string => `
  SELECT * FROM (
    SELECT sequence, ${columns} FROM ${table} WHERE tenant = $tenant AND ${RANGE} ${LIMIT}) AS next_${table}`;

// Counters and heads in one statement, so as of one moment and in one round trip. For SQLite `+name` is no column, so that it
// finds the few that changed by their heads, and sorts them.
const HEADS = either(
  `SELECT json_group_array(json_object('namespace', name, 'memories', memories, 'head', head,
      'isEncrypted', json(iif(encrypted, 'true', 'false'))))
    FROM (SELECT * FROM namespaces WHERE tenant = $tenant AND head > $1 ORDER BY +name)`,
  `SELECT coalesce(json_agg(json_build_object('namespace', name, 'memories', memories, 'head', head,
      'isEncrypted', encrypted) ORDER BY name), '[]')::text FROM namespaces WHERE tenant = $tenant AND head > $1`,
);

interface Heads extends Counters {
  /** Of the reader's version, if there is such a version. */
  readonly chainHash: string | null;
  readonly heads: readonly ports.NamespaceHead[];
}

/** Of a reader that has no policy, or one that is not on record. */
const NO_VERSION = -1;

const withHeads = ({ heads, ...rest }: Omit<Heads, "heads"> & { readonly heads: string }): Heads => {
  return { ...rest, heads: JSON.parse(heads) };
};
const FIRST_LOOK = reading(withHeads)`
  SELECT ${COUNTERS}, (SELECT chain_hash FROM policy_chain WHERE tenant = $tenant AND version = $2) AS "chainHash", (${HEADS}) AS heads`;
const CHANGES = statement<ChangeRow>`
  ${nextOf("memories", `${TEXTS}, CAST(NULL AS bigint) AS captured, CAST(NULL AS boolean) AS pinned, ${ENCRYPTION}`)}
  UNION ALL
  ${nextOf("forgotten", `${NO_TEXT}, captured, CAST(NULL AS boolean), memory_id, ${NO_TEXT}`)}
  UNION ALL
  ${nextOf("pin_changes", `${NO_TEXT}, captured, pinned, ${NOTHING}, ${NO_TEXT}`)}
  ORDER BY sequence ${LIMIT}`;

/** `counters` are those on record, where they are known without a statement. */
export function changeFeed({ name, rows, snapshot, rowsUpTo }: Database, counters?: () => Counters): ports.ChangeFeed {
  const look = ({ position, policyVersion }: ports.FeedCursor) => FIRST_LOOK(position, policyVersion);
  const isOurs = ({ policyDigest }: ports.FeedCursor, chainHash: string | null) =>
    policyDigest === undefined || (chainHash !== null && policyDigest === policyDigestOf(chainHash));

  return {
    /** Takes one statement while the policy stays as it is. */
    async since(cursor) {
      // The usual case: nothing changed.
      const known = counters?.();
      if (known !== undefined && isAt(cursor, known)) return toSnapshot(known, []);
      const [found] = (await rows(look(cursor), { isUrgent: true })) as [Heads];
      const isKnown = isOurs(cursor, found.chainHash);
      if (isKnown && found.policy === cursor.policyVersion) return toSnapshot(found, found.heads);
      const policyVersion = isKnown ? cursor.policyVersion : NO_VERSION;
      const reads = [look(cursor), ...readUpdate(policyVersion)] as const;
      const [[looked], ...update] = await snapshot(reads, { isUrgent: true });
      const current = looked as Heads;
      const policy = policyVersion === current.policy ? undefined : toPolicyUpdate(policyVersion, update);
      return toSnapshot(current, current.heads, policy);
    },

    async changesIn(range) {
      const read = CHANGES(range.namespace, range.after, range.through);
      const { taken, isCut } = await rowsUpTo(read, CHARACTERS_PER_READ, ({ content }) => content?.length ?? 0);
      return toChangePage(range, taken, isCut || taken.length === CHANGES_PER_READ[name]);
    },
  };
}

const isAt = (cursor: ports.FeedCursor, { memory, policy }: Counters): boolean =>
  memory === cursor.position && policy === cursor.policyVersion;

/** `heads` are those of the namespaces that changed after the cursor. */
export function toSnapshot(
  { memory: position, removal: removals, policy: policyVersion }: Counters,
  heads: readonly ports.NamespaceHead[],
  policy?: ports.PolicyUpdate,
): ports.Snapshot {
  const snapshot = { heads, position, removals, policyVersion };
  return policy === undefined ? snapshot : { ...snapshot, policy };
}

/** `rows` are the next changes of the range, oldest first. `isCut` says that there may be others after them. */
export function toChangePage(
  { namespace, through }: ports.ChangeRange,
  rows: readonly ChangeRow[],
  isCut: boolean,
): ports.ChangePage {
  const changes = rows.map((row) => toChange(namespace, row));
  return { changes, position: isCut ? (changes.at(-1)?.sequence ?? through) : through };
}

function toChange(namespace: string, row: ChangeRow): ports.RecordedChange {
  const { sequence, captured, pinned, content, createdAt, occurredAt, memoryId } = row;
  const place = { sequence, namespace };
  if (captured !== null && pinned === null)
    return { kind: "forgotten", ...place, captured, ...(memoryId !== null && { memoryId }) };
  if (captured !== null) return { kind: "pinned", ...place, captured, pinned: Boolean(pinned) };
  const { encryptionKeyId: keyId, wrappedKey, factHash } = row;
  return {
    kind: "captured",
    ...place,
    content: content ?? "",
    createdAt: createdAt ?? "",
    ...(occurredAt !== null && { occurredAt }),
    ...(keyId !== null &&
      wrappedKey !== null && { memoryId: memoryId ?? "", encryption: { keyId, wrappedKey, factHash: factHash ?? "" } }),
  };
}
