// The queries of an audit, for both databases. Each returns rows as they are stored, and beside them what other tables
// say of the same thing. The values are numbers, texts and null, so that no conversion hides damage.
import { DEFAULT_TENANT } from "#core/identity/tenant.ts";
import { TILE_WIDTH } from "#core/log/tiles.ts";
import type { RecordRows } from "#ports.ts";
import { IS_STRAY } from "./anchoring/leases.ts";
import { alteredRows } from "./database/row-digest.ts";
import { MOST_IN_BATCH } from "./logs/log-entries.ts";
import { HOUR_SUMS } from "./rows.ts";
import { POSTGRES, SQLITE } from "./schema/dialect.ts";
import { DEPLOYMENT, TOTALS } from "./schema/tenant-tables.ts";
import { columns, type DatabaseName, either, writtenOut } from "./sql/dialect.ts";

type Kind = keyof RecordRows;

const integer = (expression: string) => `CAST(${expression} AS integer)`;
const IS_IMPORTED = (table: string) =>
  integer(
    `EXISTS (SELECT 1 FROM imported_receipts WHERE tenant = $tenant AND imported_receipts.answer_id = ${table}.answer_id)`,
  );
const requestOf = (table: string) =>
  `${columns("agentId blobId digest claimed", table)}, anchors.digest AS "anchorDigest"`;
const IS_SAME = ["agent_id", "blob_id", "digest", "claimed"]
  .map((column) => `chain_anchors.${column} = chain_requests.${column}`)
  .join(" AND ");

const MEMORY = columns(`sequence memoryId storeRef namespace content sourceAgent createdAt contentDigest encryptionKeyId
  factHash expiresAt occurredAt metadata`);

const LOG_BATCHES = (tenant: string) => `
  SELECT ${columns("last at inForce entries treeIndex")} FROM log_batches WHERE tenant = ${tenant} ORDER BY last`;

/** The queries of one tenant. They take no values, so its number stands in their text. */
export const auditQueries = (database: DatabaseName, tenant: number) =>
  Object.fromEntries(
    Object.entries(QUERIES).map(([kind, text]) => [
      kind,
      writtenOut(text, database).replaceAll("$tenant", String(tenant)),
    ]),
  ) as Readonly<Record<Kind, string>>;

const NAMESPACES = either("namespaces", "to_json(namespaces)::text");

const QUERIES: Readonly<Record<Kind, string>> = {
  counters: `
    SELECT (SELECT value FROM counters WHERE tenant = $tenant AND name = 'memory') AS memory,
      (SELECT value FROM counters WHERE tenant = $tenant AND name = 'policy') AS policy,
      (SELECT count(*) FROM memories WHERE tenant = $tenant) AS memories,
      (SELECT count(*) FROM forgotten WHERE tenant = $tenant) AS forgotten,
      (SELECT count(*) FROM superseded_memories WHERE tenant = $tenant) AS superseded,
      (SELECT count(*) FROM pin_changes WHERE tenant = $tenant) AS pins,
      (SELECT count(*) FROM encryption_changes WHERE tenant = $tenant) AS "encryptionChanges",
      (SELECT count(*) FROM receipts WHERE tenant = $tenant) AS receipts,
      (SELECT count(*) FROM anchors WHERE tenant = $tenant) AS anchors,
      (SELECT count(*) FROM anchors WHERE tenant = $tenant AND issued_answer IS NULL) AS "foreignAnchors",
      (SELECT count(*) FROM chain_anchors WHERE tenant = $tenant) AS "onLedger",
      (SELECT count(*) FROM decisions WHERE tenant = $tenant) AS decisions,
      (SELECT CAST(sum(recorded) AS bigint) FROM decision_counts WHERE tenant = $tenant) AS "decisionsCounted",
      (SELECT count(*) FROM begun_receipts WHERE tenant = $tenant) AS begun,
      ${TOTALS.map((name) => `(SELECT value FROM totals WHERE tenant = $tenant AND name = '${name}') AS "${name}Counted"`).join(", ")}`,
  memory: `SELECT ${MEMORY}, ${integer("pinned")} AS pinned FROM memories WHERE tenant = $tenant ORDER BY sequence`,
  superseded: `
    SELECT ${MEMORY}, 0 AS pinned,
      ${integer(`EXISTS (
        SELECT 1 FROM forgotten
        WHERE tenant = $tenant AND forgotten.memory_id = superseded_memories.memory_id AND cause = 'superseded')`)}
        AS "hasRemoval"
    FROM superseded_memories WHERE tenant = $tenant ORDER BY sequence`,
  forgotten: "SELECT sequence, captured, cause FROM forgotten WHERE tenant = $tenant ORDER BY sequence",
  altered: either(alteredRows(SQLITE.digest), alteredRows(POSTGRES.digest)),
  encryptionChange: "SELECT sequence, namespace FROM encryption_changes WHERE tenant = $tenant ORDER BY sequence",
  pin: `SELECT sequence, captured, namespace, ${integer("pinned")} AS pinned FROM pin_changes
    WHERE tenant = $tenant ORDER BY sequence`,
  namespace: `
    SELECT coalesce(namespaces.name, found.name) AS name, namespaces.memories, head, found.memories AS recorded, last
    FROM (SELECT * FROM namespaces WHERE tenant = $tenant) AS namespaces FULL JOIN
      (SELECT namespace AS name, CAST(sum(memories) AS bigint) AS memories, max(sequence) AS last FROM (
        SELECT namespace, 1 AS memories, sequence FROM memories WHERE tenant = $tenant
        UNION ALL
        SELECT namespace, 0, sequence FROM forgotten WHERE tenant = $tenant
        UNION ALL
        SELECT namespace, 0, sequence FROM pin_changes WHERE tenant = $tenant
        UNION ALL
        SELECT namespace, 0, sequence FROM encryption_changes WHERE tenant = $tenant) AS changes GROUP BY namespace) AS found
      ON found.name = namespaces.name`,
  sourceAgent: `
    SELECT coalesce(source_agents.name, found.name) AS name, source_agents.memories, found.memories AS recorded
    FROM (SELECT * FROM source_agents WHERE tenant = $tenant) AS source_agents FULL JOIN
      (SELECT source_agent AS name, count(*) AS memories FROM memories WHERE tenant = $tenant GROUP BY source_agent) AS found
      ON found.name = source_agents.name`,
  rule: `SELECT agent_id AS "agentId", namespace, ${integer("allowed")} AS allowed FROM access WHERE tenant = $tenant`,
  change: `
    SELECT version, agent_id AS "agentId", namespace, ${integer("was")} AS was, ${integer("became")} AS became,
      changed_by AS "by", changed_at AS "at"
    FROM access_changes WHERE tenant = $tenant ORDER BY version, agent_id, namespace`,
  policyChain: `SELECT ${columns("version chainHash")} FROM policy_chain WHERE tenant = $tenant ORDER BY version`,
  blocked: `
    SELECT digest, namespace FROM blocked_lists JOIN blocked_names ON blocked_names.tenant = $tenant AND list = id
    WHERE blocked_lists.tenant = $tenant ORDER BY digest, namespace`,
  receipt: `
    SELECT answer_id AS "answerId", issued.agent_id AS "agentId", created_at AS "createdAt", body, seed,
      found.agent_id AS "foundAgentId", ${integer("is_verified")} AS "isVerified", ${NAMESPACES} AS namespaces,
      blocked_lists.digest AS "blockedDigest", model, reason, ${IS_IMPORTED("issued")} AS "isImported"
    FROM (SELECT * FROM receipts WHERE tenant = $tenant) AS issued
      FULL JOIN (SELECT * FROM answers WHERE tenant = $tenant) AS found USING (answer_id)
      LEFT JOIN blocked_lists ON blocked_lists.tenant = $tenant AND blocked_lists.id = blocked_list`,
  begun: `
    SELECT answer_id AS "answerId", agent_id AS "agentId", created_at AS "createdAt", body, seed,
      ${NAMESPACES} AS namespaces, blocked_lists.digest AS "blockedDigest", model, reason,
      ${integer("EXISTS (SELECT 1 FROM receipts WHERE tenant = $tenant AND receipts.answer_id = begun_receipts.answer_id)")} AS "isComplete",
      ${IS_IMPORTED("begun_receipts")} AS "isImported"
    FROM begun_receipts LEFT JOIN blocked_lists ON blocked_lists.tenant = $tenant AND blocked_lists.id = blocked_list
    WHERE begun_receipts.tenant = $tenant`,
  hour: `
    SELECT hour, ${HOUR_SUMS} FROM answer_hours WHERE tenant = $tenant GROUP BY hour ORDER BY hour`,
  prunedHour: `
    SELECT ${columns("hour answers used verified intact brokenOff")} FROM pruned_hours WHERE tenant = $tenant ORDER BY hour`,
  anchor: `
    SELECT blob_id AS "blobId", digest, anchors.answer_id AS "answerId", issued_answer AS "issuedAnswer",
      anchors.body, receipts.body AS "issuedBody"
    FROM anchors LEFT JOIN receipts ON receipts.tenant = $tenant AND receipts.answer_id = anchors.answer_id
    WHERE anchors.tenant = $tenant ORDER BY blob_id`,
  onLedger: `
    SELECT chain_anchors.receipt_id AS "receiptId", tx_digest AS "txDigest",
      ${integer("all_authorized")} AS "allAuthorized", ledger_version AS "ledgerVersion",
      coalesce(ended.requests, 0) AS requests, ${requestOf("chain_anchors")}
    FROM chain_anchors LEFT JOIN anchors ON anchors.tenant = $tenant AND anchors.blob_id = chain_anchors.blob_id LEFT JOIN
      (SELECT receipt_id, count(*) AS requests FROM chain_requests WHERE tenant = $tenant AND receipt_id IS NOT NULL GROUP BY receipt_id)
        AS ended ON ended.receipt_id = chain_anchors.receipt_id
    WHERE chain_anchors.tenant = $tenant ORDER BY chain_anchors.receipt_id`,
  request: `
    SELECT id, chain_requests.receipt_id AS "receiptId", claims_digest AS "claimsDigest",
      ${integer(IS_SAME)} AS "isSame", ${requestOf("chain_requests")}
    FROM chain_requests LEFT JOIN anchors ON anchors.tenant = $tenant AND anchors.blob_id = chain_requests.blob_id
      LEFT JOIN chain_anchors ON chain_anchors.tenant = $tenant AND chain_anchors.receipt_id = chain_requests.receipt_id
    WHERE chain_requests.tenant = $tenant ORDER BY id`,
  transaction: `
    SELECT transactions.tx_digest AS "txDigest", ${integer("is_open")} AS "isOpen", requests,
      ${integer("ledger_log.bytes = transactions.bytes")} AS "isAsLogged",
      ${integer("ledger_chain_hash IS NOT NULL AND ledger_chain_hash <> coalesce(chain_hash, '')")} AS "isReplaced"
    FROM transactions LEFT JOIN ledger_log ON ledger_log.tx_digest = transactions.tx_digest
    WHERE transactions.tenant = $tenant`,
  logged: `
    SELECT sequence, ledger_log.tx_digest AS "txDigest", timestamp_ms AS "timestampMs",
      ${integer(`coalesce(transactions.tenant, ${DEFAULT_TENANT.number}) = $tenant`)} AS "isOwn"
    FROM ledger_log LEFT JOIN transactions ON transactions.tx_digest = ledger_log.tx_digest ORDER BY sequence`,
  ledgerHead: "SELECT sequence FROM ledger_head",
  strayLease: `
    SELECT blob_id AS "blobId" FROM blob_leases WHERE tenant = $tenant AND ${IS_STRAY}`,
  faultyProposal: `
    SELECT * FROM (
      SELECT proposal_id AS "proposalId", ${integer("decided_by IS NOT NULL")} AS "isDecided",
        ${integer("NOT encrypted AND EXISTS (SELECT 1 FROM namespaces WHERE tenant = $tenant AND name = proposals.namespace AND encrypted)")} AS "isExposed",
        ${integer("EXISTS (SELECT 1 FROM answers WHERE tenant = $tenant AND answers.answer_id = proposals.answer_id)")} AS "hasReceipt"
      FROM proposals WHERE tenant = $tenant AND text IS NOT NULL) AS waiting
    WHERE "isDecided" + "isExposed" > 0 OR "hasReceipt" = 0`,
  writeOnce: `SELECT name FROM write_once WHERE tenant = ${DEFAULT_TENANT.number} AND name = 'local-ledger-key'`,
  logBatch: LOG_BATCHES("$tenant"),
  deploymentBatch: LOG_BATCHES(String(DEPLOYMENT)),
  logChain: `
    SELECT ${integer("tenant = $tenant")} AS "isOwn", number, chain, key FROM log_chains
    WHERE tenant IN (${DEPLOYMENT}, $tenant) ORDER BY tenant`,
  logTile: `
    SELECT level, number, ${either("lower(hex(hashes))", "encode(hashes, 'hex')")} AS hashes FROM log_tiles
    WHERE $tenant = ${DEFAULT_TENANT.number} OR level = 0 AND number IN
      (SELECT (tree_index + place) / ${TILE_WIDTH} FROM log_batches, (SELECT 0 AS place UNION SELECT ${MOST_IN_BATCH - 1}) AS ends
        WHERE tenant IN (${DEPLOYMENT}, $tenant))
    ORDER BY level, number`,
  logHead: "SELECT size, root FROM log_head",
  forgottenId: `
    SELECT DISTINCT memory_id AS "memoryId", CASE cause WHEN 'reset' THEN removed_at ELSE memory_id END AS about
    FROM forgotten WHERE tenant = $tenant AND cause IN ('forgotten', 'expired', 'reset', 'encrypted')`,
};
