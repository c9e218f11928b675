// Counters, the policy with its log of changes, and who may call.
import type { SchemaDialect } from "./dialect.ts";
import { limitOf, TOTALS } from "./tenant-tables.ts";

export function policyTables({ text, rows, clustered, free, postgres }: SchemaDialect): string {
  return `
  -- Numbers that only grow. A writer holds the row until it commits, so their order is the order of commits.
  TABLE counters: tenant:integer name | value:integer STORED ${free(80, clustered)};

  -- What counts against the quotas of the tenant, so that none costs a count. A transaction that adds to a total also
  -- writes by how much that exceeds the quota, and fails if it does. One that takes away does not look at the quota.
  TABLE totals: tenant:integer name | value:integer excess:zero, CHECK (value >= 0),
    ${TOTALS.map((name) => `CONSTRAINT ${limitOf(name)} CHECK (name <> '${name}' OR excess <= 0)`).join(",\n    ")}
    STORED ${free(80, clustered)};

  TABLE access: tenant:integer agent_id namespace | allowed:flag;
  -- How many rules a namespace has, for those that its own admins add.
  CREATE INDEX access_namespace ON access (tenant, namespace);

  TABLE access_changes: tenant:integer version:integer agent_id namespace |
    was:flag? became:flag? changed_by changed_at;
  -- The order of the change log's pages. A reset may change a hundred thousand rules, and no page should sort them.
  CREATE INDEX access_changes_newest ON access_changes (tenant, version DESC, agent_id, namespace);
  -- The history of one agent's gates, or of one namespace's.
  CREATE INDEX access_changes_agent ON access_changes (tenant, agent_id, version DESC, namespace);
  CREATE INDEX access_changes_namespace ON access_changes (tenant, namespace, version DESC, agent_id);

  -- The hash chain over the change log. The first hash is random.
  TABLE policy_chain: tenant:integer version:integer | chain_hash;

  -- The greatest version of the policy that was sent to each gate on the ledger, and where the policy moved past its gate.
  TABLE ledger_gates: tenant:integer gate_id | sent_version:integer;
  TABLE ledger_gate_moves: tenant:integer gate_id version:integer | after_version:integer;

  -- How long each revoke took from its arrival until it was in force.
  TABLE revoke_times: tenant:integer id:next | at took_ms:integer;
  CREATE INDEX revoke_times_at ON revoke_times (tenant, at);
  ${postgres(`
  -- The database sessions that pass the fence. A row whose session is gone tells that the session was lost.
  CREATE TABLE fence_sessions (
    id integer GENERATED ALWAYS AS IDENTITY (CYCLE) PRIMARY KEY,
    begun_at timestamptz NOT NULL DEFAULT now()
  );`)}

  -- What must be the same in every process, and is so because the first to give a value decides.
  TABLE write_once: tenant:integer name | value:bytes;

  -- Who may call: hashes of keys, and never keys. captures is a JSON array. The greatest number is the newest key.
  TABLE api_keys: number:key tenant:integer key_id:unique name role captures created_at created_by expires_at?
    revoked_at? last_used_at? key_hash previous_hash? previous_ends_at? STORED ${free(50, rows)};
  CREATE INDEX api_keys_tenant ON api_keys (tenant, number);
  CREATE INDEX api_keys_admin ON api_keys (tenant, number) WHERE role IN ('admin', 'operator');

  -- Sessions of the app: hashes of their ids. A session belongs to the secret that it was opened with.
  TABLE sessions: session_hash:id key_id key_hash created_at ends_at,
    FOREIGN KEY (key_id) REFERENCES api_keys (key_id) ON DELETE CASCADE;
  CREATE INDEX sessions_key ON sessions (key_id, created_at);
  CREATE INDEX sessions_end ON sessions (ends_at);

  -- Requests with an Idempotency-Key, for a day. Digests stand for key and body; outcome is NULL while in progress.
  TABLE idempotency_keys: tenant:integer id | request holder lease_end:integer begun_at:integer outcome?;
  CREATE INDEX idempotency_keys_begun ON idempotency_keys (tenant, begun_at);
  ${postgres(`
  -- What callers have used of their quotas. The library that counts has its own names, and writes the columns in this
  -- order. Unlogged: a count need not survive a crash of the server, and so costs no write to disk.
  CREATE UNLOGGED TABLE rate_limits (
    key ${text} PRIMARY KEY,
    points integer NOT NULL,
    expire bigint
  ) WITH (fillfactor = 50);`)}`;
}
