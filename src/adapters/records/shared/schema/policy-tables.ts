// Counters, the policy with its log of changes, and who may call.
import type { SchemaDialect } from "./dialect.ts";

export function policyTables(dialect: SchemaDialect): string {
  const { text, integer, bytes, newKey, flag, rows, clustered, free, random, postgres } = dialect;
  return `
  -- Numbers that only grow. A writer holds the row until it commits, so their order is the order of commits.
  CREATE TABLE counters (
    name ${text} PRIMARY KEY,
    value ${integer} NOT NULL
  ) ${free(80, clustered)};
  INSERT INTO counters VALUES ('memory', 0), ('policy', 0), ('removal', 0)${postgres(", ('event', 0)")};

  -- How many namespaces have memories, and how many rules the policy has, so that no limit costs a count.
  -- A transaction that would exceed a limit sets the column most to it, and fails.
  CREATE TABLE totals (
    name ${text} PRIMARY KEY,
    value ${integer} NOT NULL CHECK (value >= 0),
    most ${integer} NOT NULL DEFAULT 9223372036854775807,
    CONSTRAINT limit_reached CHECK (value <= most)
  ) ${free(80, clustered)};
  INSERT INTO totals (name, value) VALUES ('namespaces', 0), ('rules', 0);

  CREATE TABLE access (
    agent_id ${text} NOT NULL,
    namespace ${text} NOT NULL,
    ${flag("allowed")} NOT NULL,
    PRIMARY KEY (agent_id, namespace)
  ) ${clustered};
  -- How many rules a namespace has, for those that its own admins add.
  CREATE INDEX access_namespace ON access (namespace);

  CREATE TABLE access_changes (
    version ${integer} NOT NULL,
    agent_id ${text} NOT NULL,
    namespace ${text} NOT NULL,
    ${flag("was")},
    ${flag("became")},
    changed_by ${text} NOT NULL,
    changed_at ${text} NOT NULL,
    PRIMARY KEY (version, agent_id, namespace)
  ) ${clustered};
  -- The order of the change log's pages. A reset may change a hundred thousand rules, and no page should sort them.
  CREATE INDEX access_changes_newest ON access_changes (version DESC, agent_id, namespace);
  -- The history of one agent's gates, or of one namespace's.
  CREATE INDEX access_changes_agent ON access_changes (agent_id, version DESC, namespace);
  CREATE INDEX access_changes_namespace ON access_changes (namespace, version DESC, agent_id);

  -- The hash chain over the change log. The first hash is random.
  CREATE TABLE policy_chain (
    version ${integer} PRIMARY KEY,
    chain_hash ${text} NOT NULL
  ) ${rows};
  INSERT INTO policy_chain SELECT 0, ${random};

  -- The greatest version of the policy that was sent to each gate on the ledger, and where the policy moved past its gate.
  CREATE TABLE ledger_gates (
    gate_id ${text} PRIMARY KEY,
    sent_version ${integer} NOT NULL
  ) ${clustered};
  CREATE TABLE ledger_gate_moves (
    gate_id ${text} NOT NULL,
    version ${integer} NOT NULL,
    after_version ${integer} NOT NULL,
    PRIMARY KEY (gate_id, version)
  ) ${clustered};

  -- How long each revoke took from its arrival until it was in force.
  CREATE TABLE revoke_times (
    id ${newKey},
    at ${text} NOT NULL,
    took_ms ${integer} NOT NULL
  ) ${rows};
  CREATE INDEX revoke_times_at ON revoke_times (at);
  ${postgres(`
  -- The database sessions that pass the fence. A row whose session is gone tells that the session was lost.
  CREATE TABLE fence_sessions (
    id integer GENERATED ALWAYS AS IDENTITY (CYCLE) PRIMARY KEY,
    begun_at timestamptz NOT NULL DEFAULT now()
  );`)}

  -- What must be the same in every process, and is so because the first to give a value decides.
  CREATE TABLE write_once (
    name ${text} PRIMARY KEY,
    value ${bytes} NOT NULL
  ) ${clustered};

  -- Who may call: hashes of keys, and never keys. captures is a JSON array. The greatest number is the newest key.
  CREATE TABLE api_keys (
    number ${newKey},
    key_id ${text} NOT NULL UNIQUE,
    name ${text} NOT NULL,
    role ${text} NOT NULL,
    captures ${text} NOT NULL,
    created_at ${text} NOT NULL,
    created_by ${text} NOT NULL,
    expires_at ${text},
    revoked_at ${text},
    last_used_at ${text},
    key_hash ${text} NOT NULL,
    previous_hash ${text},
    previous_ends_at ${text}
  ) ${free(50, rows)};
  CREATE INDEX api_keys_admin ON api_keys (number) WHERE role = 'admin';

  -- Sessions of the app: hashes of their ids. A session belongs to the secret that it was opened with.
  CREATE TABLE sessions (
    session_hash ${text} PRIMARY KEY,
    key_id ${text} NOT NULL REFERENCES api_keys (key_id),
    key_hash ${text} NOT NULL,
    created_at ${text} NOT NULL,
    ends_at ${text} NOT NULL
  ) ${clustered};
  CREATE INDEX sessions_key ON sessions (key_id, created_at);
  CREATE INDEX sessions_end ON sessions (ends_at);

  -- Requests with an Idempotency-Key, for a day. Digests stand for key and body; outcome is NULL while in progress.
  CREATE TABLE idempotency_keys (
    id ${text} PRIMARY KEY,
    request ${text} NOT NULL,
    holder ${text} NOT NULL,
    lease_end ${integer} NOT NULL,
    begun_at ${integer} NOT NULL,
    outcome ${text}
  ) ${clustered};
  CREATE INDEX idempotency_keys_begun ON idempotency_keys (begun_at);
  ${postgres(`
  -- What callers have used of their quotas. The library that counts has its own names, and writes the columns in this
  -- order. Unlogged: a count need not survive a crash of the server, and so costs no write to disk.
  CREATE UNLOGGED TABLE rate_limits (
    key ${text} PRIMARY KEY,
    points integer NOT NULL,
    expire bigint
  ) WITH (fillfactor = 50);`)}`;
}
