// fsck against real databases: the service fills the records, SQL damages them, and fsck must report each kind of
// damage, and nothing where nothing is wrong.
import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { composeParts } from "#compose.ts";
import { readConfig } from "#config.ts";
import type { Client } from "#contract/client/client.ts";
import { isProblem } from "#contract/problem.ts";
import type { Difference } from "#service/operations/fsck/context.ts";
import { type FsckReport, fsck } from "#service/operations/fsck/fsck.ts";
import {
  type DamageableDatabase,
  type DatabaseCopy,
  damageablePostgres,
  damageableSqlite,
} from "#test/support/damageable-database.ts";
import { portcullis } from "#test/support/portcullis.ts";
import { runCommand } from "#test/support/run-command.ts";
import { runs, someOf } from "#test/support/runs.ts";
import { directoryForTest, type Service, serviceForTest, startService } from "#test/support/service.ts";
import { serviceProcessForTest } from "#test/support/service-process.ts";

const CANARY = "zugzwang hollyhock";

/** Uses every kind of record. Leaves three receipts: one anchored on the ledger, one as a blob only, one not. */
async function useEverything({ client }: Service): Promise<void> {
  const { memory } = await client.capture({ namespace: "diet", content: CANARY, sourceAgent: "s" });
  await client.updateMemory(memory, { pinned: true });
  await client.setAccess({ agentId: "a", namespace: "diet", allowed: true });
  await client.setAccess({ agentId: "a", namespace: "health", allowed: true });
  await client.setAccess({ agentId: "a", namespace: "health", allowed: false });
  const { receipt } = await ask(client);
  const other = await client.companion({ query: "Hello?" }, { onText: () => undefined });
  await ask(client);
  await client.anchorReceipt({ receipt: other.receipt });
  await client.anchorReceipt({ receipt: { ...receipt, answerId: "another's" } });
  await client.anchorOnChain({ receipt });
  await client.setAccess({ agentId: "a", namespace: "work", allowed: true });
}

const ask = (client: Client) => client.chat({ agentId: "a", query: `Say ${CANARY}.` });

async function fsckOf(url: string): Promise<FsckReport & { lines: string[] }> {
  const config = readConfig({ DATABASE_URL: url });
  const tenant = await composeParts(config);
  const lines: string[] = [];
  const onDifference = ({ about, id, detail }: Difference) => lines.push(`${about} ${id}: ${detail}`);
  try {
    const isFile = config.ledger.kind === "local" && config.ledger.keyPath !== undefined;
    return { ...(await fsck(tenant, { onDifference, ...(isFile && { hasKeyFile: true }) })), lines };
  } finally {
    await tenant.ledger.close();
    await tenant.records.close();
  }
}

type Damage = readonly [what: string, sql: string, ...reported: RegExp[]];

const FIRST = "sequence = (SELECT min(sequence) FROM memories)";
const ISSUED = "answer_id = (SELECT min(answer_id) FROM receipts)";
const OF_ISSUED = "digest = (SELECT digest FROM chain_anchors)";
const CHANGE = "version = (SELECT max(version) FROM access_changes)";
const LATER = "UPDATE counters SET value = value + 1 WHERE name = 'memory'";
const PIN = "(SELECT captured FROM pin_changes WHERE sequence = 17)";
const NUMBER = "(SELECT value FROM counters WHERE name = 'memory')";
const forgotten = (sequence: string, captured: number, namespace: string) =>
  `INSERT INTO forgotten (tenant, sequence, captured, namespace, memory_id, source_agent, cause, removed_by, removed_at)
   VALUES (1, ${sequence}, ${captured}, '${namespace}', 'm', 's', 'forgotten', 'x', '')`;

const LAST_CHAIN_HASH = "version = (SELECT max(version) FROM policy_chain)";
const ADD_LIST = `INSERT INTO blocked_lists (tenant, id, digest) VALUES (1, 99, 'd');
  INSERT INTO blocked_names (tenant, list, namespace) SELECT tenant, id, 'n' FROM blocked_lists`;

const DAMAGES: readonly Damage[] = [
  [
    "a changed hash of the policy's hash chain",
    `UPDATE policy_chain SET chain_hash = 'x' WHERE ${LAST_CHAIN_HASH}`,
    /^policy : the hash of version \d+ does not follow from its changes$/,
  ],
  [
    "a missing hash",
    `DELETE FROM policy_chain WHERE ${LAST_CHAIN_HASH}`,
    /^policy : version \d+ has no hash in the hash chain$/,
    /^policy : its version is \d+, but the last hash has version \d+$/,
  ],
  [
    "a hash too many",
    "INSERT INTO policy_chain (tenant, version, chain_hash) VALUES (1, 999, 'x')",
    /^policy : its hash chain has hashes that no change explains$/,
  ],
  [
    "a hash that receipts do not know",
    "UPDATE policy_chain SET chain_hash = 'x' WHERE version = 1; DELETE FROM policy_chain WHERE version = 0",
    /^policy : the hash of version 2 does not follow/,
  ],
  [
    "a wrong number of rules",
    "UPDATE totals SET value = value + 1 WHERE name = 'policyRules'",
    /^policy : it has \d+ rules, but \d+ are counted for the limit$/,
  ],
  [
    "a wrong number of memories",
    "UPDATE totals SET value = 1000 WHERE name = 'memories'",
    /^memory : \d+ memories are on record, but 1000 are counted for the limit$/,
  ],
  [
    "a wrong number of bytes",
    "UPDATE totals SET value = value + 1 WHERE name = 'textBytes'",
    /^memory : \d+ bytes of text are on record, but \d+ are counted for the limit$/,
  ],
  [
    "a wrong number of receipts",
    "UPDATE totals SET value = 1000 WHERE name = 'receipts'",
    /^receipt : \d+ are on record, but 1000 are counted for the limit$/,
  ],
  [
    "a wrong number of namespaces",
    "UPDATE totals SET value = 1 WHERE name = 'namespaces'",
    /^memory : \d+ namespaces have memories, but 1 are counted for the limit$/,
  ],
  [
    "a list of blocked namespaces that has another digest",
    ADD_LIST,
    /^receipt : the list of blocked namespaces d has another digest$/,
  ],
  [
    "a receipt that is kept with a list which it does not name",
    `${ADD_LIST}; UPDATE answers SET blocked_list = (SELECT min(id) FROM blocked_lists) WHERE ${ISSUED}`,
    /^receipt : the list of blocked namespaces d has another digest$/,
    /^receipt ans_\w+: it is kept with another list of blocked namespaces than it names$/,
  ],
  [
    "a changed memory text",
    `UPDATE memories SET content = 'x' WHERE ${FIRST}`,
    /^memory mem_\w+: the digest/,
    /the blob on/,
  ],
  [
    "a changed namespace of a memory",
    `UPDATE memories SET namespace = 'x' WHERE ${FIRST}`,
    /^memory mem_\w+: the digest/,
  ],
  [
    "a changed digest of a memory",
    `UPDATE memories SET content_digest = 'x' WHERE ${FIRST}`,
    /the digest on record is x, but its fact has/,
  ],
  [
    "a changed blob id of a memory",
    `UPDATE memories SET store_ref = 'x' WHERE ${FIRST}`,
    /the blob on record is x, but its fact has/,
  ],
  [
    "a wrong count of a namespace",
    "UPDATE namespaces SET memories = memories + 1 WHERE name = 'diet'",
    /^memory "diet": the namespace counts \d+ memories, but has \d+/,
  ],
  [
    "a namespace that ends before its last memory",
    "UPDATE namespaces SET head = 1 WHERE name = 'diet'",
    /^memory "diet": the namespace ends at number 1, but has a change with number \d+/,
  ],
  [
    "a namespace that is not counted",
    "DELETE FROM namespaces WHERE name = 'diet'",
    /^memory "diet": the namespace counts 0 memories, but has \d+/,
    /^memory "diet": the namespace ends at number 0/,
  ],
  [
    "a wrong count of a source agent",
    "UPDATE source_agents SET memories = 7 WHERE name = 's'",
    /^memory "s": the source agent counts 7 memories, but has 1/,
  ],
  ["a missing memory", `DELETE FROM memories WHERE ${FIRST}`, /nothing is on record for number 1$/],
  ["a sequence counter that is too high", `${LATER}; ${LATER}`, /nothing is on record for the numbers 18 to 19/],
  [
    "a sequence counter that is too low",
    "UPDATE counters SET value = value - 1 WHERE name = 'memory'",
    /number 17 \(a change of a pin\) is not/,
  ],
  [
    "a forgetting of a memory that still exists",
    `${LATER}; ${forgotten(NUMBER, 1, "x")}`,
    /number 1 .* is taken twice/,
    /^memory "x": the namespace ends at number 0, but has a change with number \d+/,
  ],
  ["a forgetting before its memory", `${LATER}; ${LATER}; ${forgotten("18", 19, "x")}`, /18 removes number 19/],
  [
    "a memory that lost its pin",
    `UPDATE memories SET pinned = (1 = 0) WHERE sequence = ${PIN}`,
    /^memory mem_\w+: it is not pinned, but the log of pins says pinned/,
  ],
  [
    "a memory that got a pin from nowhere",
    "UPDATE memories SET pinned = (1 = 1) WHERE sequence = 2",
    /^memory mem_\w+: it is pinned, but the log of pins says not pinned/,
  ],
  [
    "a missing entry of the log of pins",
    "DELETE FROM pin_changes WHERE sequence = 17",
    /^memory mem_\w+: it is pinned, but/,
    /nothing is on record for number 17/,
  ],
  [
    "a pin in another namespace than its memory",
    "UPDATE pin_changes SET namespace = 'x' WHERE sequence = 17",
    /^memory mem_\w+: the log of pins has it in another namespace/,
  ],
  [
    "a pin before its memory",
    "UPDATE pin_changes SET captured = 99 WHERE sequence = 17",
    /17 pins number 99, which comes later/,
    /it is pinned, but/,
  ],
  [
    "a change of a pin that changes nothing",
    `${LATER}; INSERT INTO pin_changes (tenant, sequence, captured, namespace, pinned, changed_by, changed_at) SELECT tenant, 18, captured, namespace, pinned, 'x', 'x' FROM pin_changes WHERE sequence = 17`,
    /number 18 changes the pin of number 16 to what it was/,
  ],

  [
    "a rule that was inverted",
    "UPDATE access SET allowed = NOT allowed WHERE agent_id = 'a' AND namespace = 'health'",
    /^policy \["a","health"\]: it is allowed, but the change log says revoked/,
  ],
  [
    "a missing rule",
    "DELETE FROM access WHERE agent_id = 'a' AND namespace = 'diet'",
    /^policy \["a","diet"\]: there is no rule/,
  ],
  [
    "a rule that the change log does not have",
    "UPDATE access SET agent_id = 'b' WHERE agent_id = 'a' AND namespace = 'diet'",
    /^policy \["b","diet"\]: it is allowed, but the change log says no rule/,
  ],
  [
    "a missing last change of the policy",
    `DELETE FROM access_changes WHERE ${CHANGE}`,
    /^policy : its version is 5, but its last change has version 4/,
  ],
  [
    "a missing change in the middle of the change log",
    "DELETE FROM access_changes WHERE version = 2",
    /version 2 is not in the change log/,
  ],
  [
    "a change from a state that was not the case",
    `UPDATE access_changes SET was = became WHERE ${CHANGE}`,
    /version 5 changes it from allowed, but it was no rule/,
  ],
  [
    "a changed policy version",
    "UPDATE counters SET value = 9 WHERE name = 'policy'",
    /its version is 9, but its last change has version 5/,
  ],

  [
    "a receipt that is not canonical JSON",
    `UPDATE receipts SET body = ' ' || body WHERE ${ISSUED}`,
    /^receipt ans_\w+: its body is JSON, but not in its canonical form/,
  ],
  [
    "a body that is not a receipt",
    `UPDATE receipts SET body = '[]' WHERE ${ISSUED}`,
    /^receipt ans_\w+: its body is not a receipt/,
  ],
  [
    "a changed agent of a receipt",
    `UPDATE receipts SET agent_id = 'x' WHERE ${ISSUED}`,
    /^receipt ans_\w+: its body has another agent/,
  ],
  [
    "a changed time of a receipt",
    `UPDATE receipts SET created_at = '2020' WHERE ${ISSUED}`,
    /^receipt ans_\w+: its body has another time/,
  ],
  [
    "a missing receipt",
    `DELETE FROM receipts WHERE ${ISSUED}`,
    /^receipt ans_\w+: it can be found, but is not on record/,
    /^anchor \S+: it is recorded as issued here, but was not/,
    /^receipt : the hour \S+ counts 3 as answers, but its receipts have 2/,
  ],
  [
    "a receipt that cannot be found",
    `DELETE FROM answers WHERE ${ISSUED}`,
    /^receipt ans_\w+: it is on record, but cannot be found/,
  ],
  [
    "a receipt found under another agent",
    `UPDATE answers SET agent_id = 'x' WHERE ${ISSUED}`,
    /it is found under another agent/,
  ],
  [
    "a receipt that is found as not verified although it is",
    "UPDATE answers SET is_verified = NOT is_verified",
    /it is found as not verified, but its body says otherwise/,
  ],
  [
    "a wrong count of an hour",
    "UPDATE answer_hours SET intact = intact + 1",
    /the hour \S+ counts \d+ as intact, but its receipts have \d+/,
  ],
  ["a missing hour", "DELETE FROM answer_hours", /the hour \S+ is not counted, but has 3 receipts/],

  [
    "a changed body of an anchor",
    `UPDATE anchors SET body = '{"a":1}' WHERE ${OF_ISSUED}`,
    /^anchor \S+: the digest on record/,
    /a blob of its body has the id/,
    /its body has another answer id/,
    /it is recorded as issued here, but was not/,
  ],
  [
    "a changed digest of an anchor",
    `UPDATE anchors SET digest = 'x' WHERE ${OF_ISSUED}`,
    /^anchor \S+: the digest on record is x/,
    /^ledger 0x\w+: its blob's anchor has another digest/,
    /^request 1: its blob's anchor has another digest/,
  ],
  [
    "a changed blob id of an anchor",
    `UPDATE anchors SET blob_id = 'x' WHERE ${OF_ISSUED}`,
    /^anchor x: a blob of its body has the id/,
    /its blob is not among the anchors/,
  ],
  [
    "an anchor that is no longer recorded as issued here",
    `UPDATE anchors SET issued_answer = NULL WHERE ${OF_ISSUED}`,
    /^anchor \S+: it was issued here, but is recorded as foreign/,
  ],
  [
    "a changed answer id of an anchor",
    `UPDATE anchors SET answer_id = 'x' WHERE ${OF_ISSUED}`,
    /its body has another answer id/,
    /it is recorded as issued under another answer id/,
  ],

  [
    "a missing outcome of an anchor request",
    "DELETE FROM chain_anchors",
    /^request 1: it ended in 0x\w+, which is not on record/,
    /^ledger 0x\w+: the ledger has it, but it is not on record/,
  ],
  [
    "a request that is pending again",
    "UPDATE chain_requests SET receipt_id = NULL",
    /^ledger 0x\w+: no request ended in it/,
  ],
  [
    "a request that ended in a receipt for something else",
    "UPDATE chain_requests SET agent_id = 'x'",
    /^request 1: it ended in 0x\w+, which is for something else/,
  ],
  [
    "a changed verdict",
    "UPDATE chain_anchors SET all_authorized = NOT all_authorized",
    /^ledger 0x\w+: the ledger's receipt differs from the record in its verdict/,
  ],
  [
    "changed claims",
    `UPDATE chain_anchors SET claimed = '["z","b"]'`,
    /its claims are not a set/,
    /differs from the record in its claims/,
  ],
  [
    "a changed receipt id",
    "UPDATE chain_anchors SET receipt_id = '0x1'",
    /^ledger 0x1: it is on record, but the ledger has no such receipt/,
  ],
  [
    "a transaction that is open again",
    `UPDATE transactions SET is_open = NOT is_open WHERE requests <> '[]'`,
    /^request 1: it is in the open transaction \w+, but is not pending/,
  ],
  [
    "an open transaction without its list of requests",
    `UPDATE transactions SET is_open = NOT is_open, requests = 'x' WHERE requests <> '[]'`,
    /does not list its requests/,
  ],
  [
    "a missing ledger log",
    "DELETE FROM ledger_log",
    /^ledger : the transactions 1 to \d+ are missing at the end of the ledger's log/,
    /^ledger 0x\w+: it is on record, but the ledger has no such receipt/,
  ],
  [
    "a backdated row of the ledger log",
    "UPDATE ledger_log SET timestamp_ms = timestamp_ms - 1",
    /^ledger : The local ledger on record does not replay: its transaction 1 \(\w+\) is refused \(the hash chain/,
  ],
  [
    "a row of the ledger log with another signature",
    `UPDATE ledger_log SET signatures = '["AAAA"]'`,
    /^ledger : The local ledger on record does not replay: its transaction 1 \(\w+\) is refused \(Invalid user signature/,
  ],
  [
    "a row of the ledger log with another hash",
    "UPDATE ledger_log SET chain_hash = ''",
    /^ledger : The local ledger on record does not replay/,
  ],
  [
    "a missing row before another",
    "UPDATE ledger_log SET sequence = sequence + 3",
    /^ledger \w+: the transactions 1 to 3 are missing in the ledger's log before it/,
    /^ledger : The local ledger on record does not replay/,
  ],
  [
    "a head of the ledger log that is ahead of it",
    "UPDATE ledger_head SET sequence = sequence + 1",
    /^ledger : transaction \d+ is missing at the end of the ledger's log/,
  ],
  [
    "a lease without a memory or an anchor",
    "INSERT INTO blob_leases (tenant, blob_id, stored_at, is_published) VALUES (1, 'x', '2026-01-01T00:00:00Z', false)",
    /^lease x: no memory and no anchor has this blob/,
  ],
  [
    "a proposal that was decided and has its text, and one without a receipt",
    `INSERT INTO proposals (tenant, proposal_id, namespace, agent_id, answer_id, created_at, expires_at, text, encrypted, decided_by)
     VALUES (1, 'p1', 'n', 'a', 'x', '', '~', '{}', false, 'key_1'), (1, 'p2', 'n', 'a', 'x', '', '~', '{}', false, NULL)`,
    /^proposal p1: it was decided, and still has its text/,
    /^proposal p2: its extraction has no receipt/,
  ],
];

const ONLY: Readonly<Record<string, readonly Damage[]>> = {
  SQLite: [
    [
      "changed namespaces that a receipt is found by",
      `UPDATE answers SET namespaces = '["x"]'`,
      /it is found under other namespaces than it names/,
    ],
    [
      "namespaces that are not a JSON list",
      `UPDATE answers SET namespaces = 'x'`,
      /it is found under other namespaces than it names/,
    ],
    [
      "a dangling foreign key",
      `DELETE FROM receipts WHERE ${ISSUED}`,
      /^database : row \d+ of anchors refers to a row of receipts that is not there/,
    ],
    [
      "other bytes in the ledger log",
      "UPDATE ledger_log SET bytes = x'00'",
      /^ledger \w+: the signed bytes are not the bytes that the ledger executed/,
      /^ledger : The local ledger on record does not replay/,
    ],
  ],
  PostgreSQL: [
    [
      "changed namespaces that a receipt is found by",
      `UPDATE answers SET namespaces = '{x}'`,
      /it is found under other namespaces than it names/,
    ],
    [
      "other bytes in the ledger log",
      `UPDATE ledger_log SET bytes = '\\x00'`,
      /^ledger \w+: the signed bytes are not the bytes that the ledger executed/,
      /^ledger : The local ledger on record does not replay/,
    ],
    [
      "a changed digest of claims",
      "UPDATE chain_requests SET claims_digest = 'x'",
      /^request 1: it is found under other claims/,
    ],
    [
      "a missing key of the local ledger",
      "DELETE FROM write_once",
      /^ledger : the local ledger has transactions, but its key is gone/,
    ],
  ],
};

const WORLDS = [
  ["SQLite", damageableSqlite],
  ["PostgreSQL", damageablePostgres],
] as const;

describe.for(WORLDS)("fsck of %s", ([name, makeWorld]) => {
  let world: DamageableDatabase;

  beforeAll(async () => {
    world = await makeWorld();
    const service = await startService({ database: world.url });
    await useEverything(service);
    await service.stop();
  });
  afterAll(() => world.remove());

  async function copy(): Promise<DatabaseCopy> {
    const made = await world.copy();
    onTestFinished(made.remove);
    return made;
  }

  test("reports nothing on sound records, also while a service writes to them", async () => {
    const { url } = await copy();
    const first = await fsckOf(url);
    expect(first.lines).toEqual([]);
    expect(first).toMatchObject({ memories: 15, receipts: 3, anchors: 3, onLedger: 1, policyVersion: 5, skipped: [] });

    const service = await serviceForTest({ database: url });
    let isOver = false;
    const busy = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        await service.client.capture({ namespace: "diet", content: "more", sourceAgent: "s" });
        const { receipt } = await ask(service.client);
        await service.client.anchorOnChain({ receipt }).catch((error: unknown) => {
          // The reset came in between.
          if (!isProblem(error, "memory-forgotten")) throw error;
        });
      }
    });
    await service.client.resetDemo();
    for (let i = 0; i < runs(5, 2); i++) expect((await fsckOf(url)).lines).toEqual([]);
    isOver = true;
    await Promise.all(busy);
    const last = await fsckOf(url);
    expect(last.lines).toEqual([]);
    expect(last.onLedger).toBeGreaterThan(first.onLedger);
  });

  test("the service logs what it checked at its start, and does not start on records that contradict themselves", async () => {
    const { url, damage } = await copy();
    const directory = await directoryForTest();
    const environment = { PORT: "0", DATABASE_URL: url };
    const child = serviceProcessForTest(directory, environment);
    await child.ready();
    expect(await child.logged("checked")).toMatchObject({
      memories: 15,
      namespaces: 6,
      policyVersion: 5,
      pendingAnchors: 0,
      compared: true,
    });
    child.kill("SIGTERM");
    await child.exited;

    const forget = `${LATER}; ${forgotten(NUMBER, 1, "health")}`;
    await damage(`${forget}; UPDATE namespaces SET head = ${NUMBER} WHERE name = 'health'`);
    const refused = serviceProcessForTest(directory, environment);
    expect(await refused.exited).toMatchObject({ code: 1 });
    expect(refused.err()).toMatch(
      /^portcullis: The records contradict themselves\. .* history: 1\. .* portcullis fsck .*\n$/,
    );
  });

  // What fsck asks and says is the same for both databases.
  const damages = name === "SQLite" ? DAMAGES : someOf(DAMAGES);
  test.for([...damages, ...(ONLY[name] ?? [])])("reports %s", async ([, sql, ...expected]) => {
    const { url, damage } = await copy();
    await damage(sql);
    const { lines, differences } = await fsckOf(url);
    expect(differences).toBe(lines.length);
    for (const line of expected) expect(lines).toContainEqual(expect.stringMatching(line));
    expect(lines.join()).not.toContain(CANARY);
  });
});

test("fsck of SQLite reports a damaged file", async () => {
  const world = await damageableSqlite();
  onTestFinished(world.remove);
  await (await startService({ database: world.url })).stop();
  const bytes = await readFile(world.url);
  const database = new DatabaseSync(world.url, { readOnly: true });
  const index = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'memories_source_agent'").get();
  const size = Number(database.prepare("PRAGMA page_size").get()?.page_size);
  database.close();
  bytes.write("plannex", bytes.indexOf("planner", (Number(index?.rootpage) - 1) * size));
  await writeFile(world.url, bytes);
  expect((await fsckOf(world.url)).lines).toContainEqual(expect.stringMatching(/^database : .*memories_source_agent/));
});

describe("portcullis fsck", () => {
  let world: DamageableDatabase;
  beforeAll(async () => {
    world = await damageableSqlite();
    const service = await startService({ database: world.url });
    await useEverything(service);
    await service.stop();
  });
  afterAll(() => world.remove());

  const run = (url: string, args: readonly string[] = [], more: Readonly<Record<string, string>> = {}) =>
    portcullis(["fsck", ...args], { settings: { DATABASE_URL: url, ...more } });

  test("exits with 0 when everything agrees", async () => {
    const before = await readFile(world.url);
    // As a process, which the others do without.
    expect(await runCommand("fsck", [], { DATABASE_URL: world.url })).toEqual({
      code: 0,
      out: "15 memories, 3 receipts, 3 anchors (1 on the ledger), policy version 5: everything agrees.\n",
      err: "",
    });
    expect(await readFile(world.url)).toEqual(before);
  });

  test("exits with 1 after a difference, and prints it on one line without the memory's text", async () => {
    const { url, damage } = await world.copy();
    await damage(`UPDATE memories SET content_digest = 'x' WHERE content = '${CANARY}'`);
    const { code, out, err } = await run(url);
    expect(code).toBe(1);
    expect(err).toBe("");
    expect(out).toMatch(
      /^memory mem_\w+: the digest on record is x, but its fact has \w{64}\n15 memories, .*: 1 difference\.\n$/,
    );

    const json = await run(url, ["--json"]);
    expect(json.code).toBe(1);
    const { differences, memories } = JSON.parse(json.out);
    expect(differences).toMatchObject([{ about: "memory", id: expect.stringMatching(/^mem_/) }]);
    expect(memories).toBe(15);
    expect(`${out}${json.out}`).not.toContain(CANARY);
  });

  test("reports that the key of the local ledger is gone, and makes no other", async () => {
    const folder = join(dirname(world.url), "elsewhere");
    const { url } = await world.copy();
    const moved = join(folder, "records.db");
    await mkdir(folder);
    await copyFile(url, moved);
    const { code, out } = await run(moved);
    expect(code).toBe(1);
    expect(out).toContain("ledger: the local ledger has transactions, but its key is gone\n");
    expect(existsSync(join(folder, "records.db.ledger-key"))).toBe(false);
  });

  test("exits with 2 when it could not check, and says why", async () => {
    expect(await run("nowhere.db")).toEqual({
      code: 2,
      out: "",
      err: "fsck: There is no database at nowhere.db. Check DATABASE_URL.\n",
    });
    expect((await run(world.url, ["--unknown"])).code).toBe(2);
    expect(await run("postgres://nobody@127.0.0.1:1/none")).toMatchObject({ code: 2, out: "" });
  });

  test("names the checks that only --deep makes", async () => {
    const walrus = { BLOBSTORE_PUBLISHER: "http://127.0.0.1:1", BLOBSTORE_AGGREGATOR: "http://127.0.0.1:1" };
    const { code, out } = await run(world.url, ["--json"], walrus);
    expect(code).toBe(0);
    expect(JSON.parse(out).leftOut).toEqual([expect.stringMatching(/^Blob ids of Walrus were not derived.*--deep/)]);
  });

  test("--help lists the flags, the environment and the exit codes", async () => {
    const { code, out } = await run(world.url, ["--help"]);
    expect(code).toBe(0);
    for (const word of ["--deep", "--json", "DATABASE_URL", "1    something differs", "2    it could not check"])
      expect(out).toContain(word);
  });
});
