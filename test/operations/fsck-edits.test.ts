// Edits behind the service's back, of the kind that somebody makes to hide or to redate something. Each is one that the
// columns of the edited row alone do not contradict. `portcullis fsck` must report every one of them.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { readTransaction } from "#adapters/ledger/local/chain/transaction.ts";
import { createLocalSui } from "#adapters/ledger/local/local-sui.ts";
import { hasKind } from "#adapters/records/shared/logs/log-entries.ts";
import { composeParts } from "#compose.ts";
import { readConfig } from "#config.ts";
import type { LoggedTransaction } from "#ports.ts";
import { type DamageableDatabase, damageablePostgres, damageableSqlite } from "#test/support/damageable-database.ts";
import { memoryLog } from "#test/support/memory-log.ts";
import { portcullis } from "#test/support/portcullis.ts";
import { type Service, startService } from "#test/support/service.ts";

const ENCRYPTION_KEY = "5e".repeat(32);
const FACT = { namespace: "diet", sourceAgent: "s" };

/** Leaves every kind of log entry, and a ledger that knows the policy and has no receipt. */
async function useLogs({ client }: Service): Promise<void> {
  await client.resetDemo();
  const pinned = await client.capture({ ...FACT, content: "Rye bread on Mondays." });
  await client.updateMemory(pinned.memory, { pinned: true });
  await client.putNamespace({ name: "diary" }, { encrypted: true });
  const { memory } = await client.capture({ ...FACT, content: "A slip of the pen." });
  await client.forgetMemory(memory, { reason: "asked for" });
  const former = await client.capture({ ...FACT, content: "Tea at five.", key: "tea" });
  await client.capture({ ...FACT, content: "Tea at six.", key: "tea" });
  await client.forgetMemory(former.memory);
  await client.setAccess({ agentId: "a", namespace: "diet", allowed: true });
  await client.chat({ agentId: "a", query: "What bread?" });
  const { receipt } = await client.chat({ agentId: "a", query: "What about health?" });
  // An anchor of a blob alone does not use the ledger.
  await client.anchorReceipt({ receipt });
  await client.setAccess({ agentId: "a", namespace: "health", allowed: true });
  await client.setAccess({ agentId: "a", namespace: "health", allowed: false });
  await client.chat({ agentId: "a", query: "And now?" });
}

type Edit = readonly [what: string, sql: string | ((url: string) => Promise<string>), reported: RegExp];

const PAST = "'2020-02-02T02:02:02.000Z'";
const LAST_CHANGE = "version = (SELECT max(version) FROM access_changes)";
const DECISION = "UPDATE decisions SET";
const ANSWERED = "WHERE sequence = (SELECT max(sequence) FROM decisions WHERE answer_id IS NOT NULL)";
const BATCHES = "(SELECT min(last) FROM log_batches WHERE tenant = 1";
/** The first one has the entries of the demo's memories. */
const SECOND_BATCH = `tenant = 1 AND last = ${BATCHES} AND last > ${BATCHES}))`;
const TOMBSTONE = "WHERE reason = 'asked for'";

const EDITS: readonly Edit[] = [
  [
    "the time of a change of the policy",
    `UPDATE access_changes SET changed_at = ${PAST} WHERE ${LAST_CHANGE}`,
    /^policy: the hash of version \d+ does not follow from its changes$/m,
  ],
  [
    "who changed the policy",
    `UPDATE access_changes SET changed_by = 'nobody' WHERE ${LAST_CHANGE}`,
    /^policy: the hash of version \d+ does not follow from its changes$/m,
  ],
  [
    "the last change of the policy, undone with its version and its hash",
    `DELETE FROM access WHERE agent_id = 'a' AND namespace = 'health';
     DELETE FROM policy_chain WHERE ${LAST_CHANGE}; DELETE FROM access_changes WHERE ${LAST_CHANGE};
     UPDATE totals SET value = value - 1 WHERE name = 'policyRules'; UPDATE counters SET value = value - 1 WHERE name = 'policy'`,
    /^receipt ans_\w+: it was made under policy version \d+, which is not on record$/m,
  ],
  [
    "a gate, opened",
    "UPDATE access SET allowed = NOT allowed WHERE agent_id = 'a' AND namespace = 'health'",
    /^policy \["a","health"\]: it is allowed, but the change log says revoked$/m,
  ],
  [
    "the time of a pin",
    `UPDATE pin_changes SET changed_at = ${PAST}`,
    /^memory: number \d+: a change of a pin is not as it was recorded$/m,
  ],
  [
    "who encrypted a namespace",
    "UPDATE encryption_changes SET changed_by = 'nobody'",
    /^memory: number \d+: a change of the encryption of a namespace is not as it was recorded$/m,
  ],
  [
    "the time of a tombstone",
    `UPDATE forgotten SET removed_at = ${PAST} ${TOMBSTONE}`,
    /^memory: number \d+: a removal, or its tombstone, is not as it was recorded$/m,
  ],
  [
    "who forgot a memory",
    `UPDATE forgotten SET removed_by = 'nobody' ${TOMBSTONE}`,
    /^memory: number \d+: a removal, or its tombstone, is not as it was recorded$/m,
  ],
  [
    "why a memory was forgotten",
    `UPDATE forgotten SET reason = NULL ${TOMBSTONE}`,
    /^memory: number \d+: a removal, or its tombstone, is not as it was recorded$/m,
  ],
  [
    "the memory that a tombstone is of",
    `UPDATE forgotten SET memory_id = 'mem_0' ${TOMBSTONE}`,
    /^memory: number \d+: a removal, or its tombstone, is not as it was recorded$/m,
  ],
  [
    "a decision, altered in its outcome",
    `${DECISION} outcome = 'allowed' ${ANSWERED}`,
    /^decision \d+: it is not as it was recorded$/m,
  ],
  ["a decision, redated", `${DECISION} at = ${PAST} ${ANSWERED}`, /^decision \d+: it is not as it was recorded$/m],
  [
    "a decision, given to another agent",
    `${DECISION} agent_id = 'b' ${ANSWERED}`,
    /^decision \d+: it is not as it was recorded$/m,
  ],
  [
    "a decision, without the namespaces that it held back",
    `${DECISION} blocked_list = NULL ${ANSWERED}`,
    /^decision \d+: it is not as it was recorded$/m,
  ],
  [
    "the newest decision, deleted",
    "DELETE FROM decisions WHERE sequence = (SELECT max(sequence) FROM decisions)",
    /^decision: \d+ are on record, but \d+ were recorded and not pruned$/m,
  ],
  [
    "the oldest decision, deleted",
    "DELETE FROM decisions WHERE sequence = (SELECT min(sequence) FROM decisions)",
    /^decision: \d+ are on record, but \d+ were recorded and not pruned$/m,
  ],
  [
    "all decisions, deleted",
    "DELETE FROM decisions",
    /^decision: 0 are on record, but \d+ were recorded and not pruned$/m,
  ],
  [
    "a decision that nobody made",
    `INSERT INTO decisions (tenant, sequence, at, principal_id, principal_name, role, route, policy_version, outcome)
     VALUES (1, 999999, ${PAST}, 'x', 'x', 'admin', 'chat', 1, 'answered')`,
    /^decision \d+: it is not as it was recorded$/m,
  ],
  [
    "the local ledger, emptied",
    "DELETE FROM ledger_log; DELETE FROM ledger_head",
    /^ledger \w+: the ledger's log has it in another place, at another time, or not at all any more$/m,
  ],
  [
    "the whole local ledger, replaced by the same transactions a day before, each hash derived again",
    aDayBefore,
    /^ledger \w+: the ledger's log has it in another place, at another time, or not at all any more$/m,
  ],
  [
    "the whole local ledger, replaced by a shorter one",
    `DELETE FROM ledger_log WHERE sequence = (SELECT sequence FROM ledger_head);
     UPDATE ledger_head SET sequence = (SELECT max(sequence) FROM ledger_log),
       chain_hash = (SELECT chain_hash FROM ledger_log ORDER BY sequence DESC LIMIT 1)`,
    /^ledger \w+: the ledger's log has it in another place, at another time, or not at all any more$/m,
  ],
  [
    "an entry of the log, removed",
    `DELETE FROM log_batches WHERE ${SECOND_BATCH}`,
    /^log (\d+): entry \1 follows entry \d+$/m,
  ],
  [
    "an entry of the log, redated",
    `UPDATE log_batches SET at = ${PAST} WHERE ${SECOND_BATCH}`,
    /^log: tile 0 of level 0 has another hash at place \d+$/m,
  ],
  [
    "the last answer, whose entries are removed from the end of the log, with its chain",
    `DELETE FROM log_batches WHERE tenant = 1 AND last > (SELECT max(last) - 2 FROM log_batches WHERE tenant = 1);
     UPDATE log_chains SET number = (SELECT max(last) FROM log_batches WHERE tenant = 1) WHERE tenant = 1`,
    /^receipt ans_\w+: it has no entry in the log$/m,
  ],
  [
    "the receipt that an entry of the log is of",
    `UPDATE log_batches SET entries = replace(entries, '"signature":"', '"signature":"0') WHERE ${hasKind("'issued'")}`,
    /^receipt ans_\w+: its entry in the log is of another signature$/m,
  ],
  [
    "a change of the policy, without its entry in the log",
    `DELETE FROM log_batches WHERE tenant = 1 AND last = (SELECT max(last) FROM log_batches WHERE ${hasKind("'policy'")})`,
    /^policy: version \d+ has no entry in the log with its digest$/m,
  ],
  [
    "a forgetting, without its entry in the log",
    `DELETE FROM log_batches WHERE ${hasKind("'forgotten'")}`,
    /^memory mem_\w+: it was forgotten, and the log has no entry of it$/m,
  ],
  [
    "a reset, without its entry in the log",
    `UPDATE log_batches SET entries = replace(entries, '"kind":"reset"', '"kind":"captured"')`,
    /^memory mem_\w+: it was forgotten, and the log has no entry of it$/m,
  ],
  [
    "entries of the log, in pieces",
    `UPDATE log_batches SET entries = '[' WHERE ${SECOND_BATCH}`,
    /^log \d+: its entries cannot be read$/m,
  ],
  [
    "entries of the log, in another form",
    `UPDATE log_batches SET entries = '[{"kind":"captured","about":"a","details":{"n":1e999}}]' WHERE ${SECOND_BATCH}`,
    /^log \d+: its entries cannot be read$/m,
  ],
  ["a tile of the log", "DELETE FROM log_tiles", /^log: \d+ entries have a place and are in no tile$/m],
  [
    "the head of the log",
    "UPDATE log_head SET size = size + 1",
    /^log: its tiles have \d+ entries, and its head says \d+$/m,
  ],
  ["the root of the log", "UPDATE log_head SET root = '00'", /^log: its tiles do not lead to the root of its head$/m],
  [
    "the end of a chain",
    "UPDATE log_chains SET chain = '00'",
    /^log \d+: the chain on record is not that of the entries$/m,
  ],
];

async function readLog(url: string): Promise<readonly LoggedTransaction[]> {
  const { ledger, records } = await composeParts(readConfig({ DATABASE_URL: url }));
  try {
    return await records.ledgerLog.page({ limit: 100 });
  } finally {
    await ledger.close();
    await records.close();
  }
}

/** Executes the ledger's transactions again, as of a day before. The result is a ledger without a contradiction. */
async function aDayBefore(url: string): Promise<string> {
  const logged = await readLog(url);
  const [first] = logged as [LoggedTransaction];
  const log = memoryLog();
  const { sender: owner } = readTransaction(first.bytes);
  let now = 0;
  const sui = await createLocalSui({ log, owner, clock: () => now });
  for (const { bytes, signatures, timestampMs } of logged) {
    now = timestampMs - 86_400_000;
    await sui.executeTransaction({ transaction: bytes, signatures: [...signatures] });
  }
  expect(log.entries).toHaveLength(logged.length);
  const updates = log.entries.map(
    ({ sequence, timestampMs, chainHash }) =>
      `UPDATE ledger_log SET timestamp_ms = ${timestampMs}, chain_hash = '${chainHash}' WHERE sequence = ${sequence}`,
  );
  return [...updates, `UPDATE ledger_head SET chain_hash = '${log.entries.at(-1)?.chainHash}'`].join(";");
}

const WORLDS = [
  ["SQLite", damageableSqlite],
  ["PostgreSQL", damageablePostgres],
] as const;

describe.for(WORLDS)("fsck of an edited database (%s)", ([, makeWorld]) => {
  let world: DamageableDatabase;

  beforeAll(async () => {
    world = await makeWorld();
    const service = await startService({ database: world.url, environment: { ENCRYPTION_KEY } });
    await useLogs(service);
    await service.tenant.ledger.sync();
    await service.tenant.log.sequence();
    await service.stop();
    expect(await readLog(world.url)).not.toEqual([]);
  });
  afterAll(() => world.remove());

  async function copy() {
    const made = await world.copy();
    onTestFinished(made.remove);
    return made;
  }

  const fsckOf = (url: string) => portcullis(["fsck"], { settings: { DATABASE_URL: url, ENCRYPTION_KEY } });

  test("reports nothing before the edit", async () => {
    const { url } = await copy();
    expect(await fsckOf(url)).toMatchObject({ code: 0, out: expect.stringMatching(/everything agrees\.\n$/) });
  });

  test.for(EDITS)("reports %s", async ([, sql, reported]) => {
    const { url, damage } = await copy();
    await damage(typeof sql === "string" ? sql : await sql(url));
    const { code, out } = await fsckOf(url);
    expect(out).toMatch(reported);
    expect(code).toBe(1);
  });
});
