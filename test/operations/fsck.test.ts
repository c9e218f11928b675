// Records are filled through the service, damaged behind its back, and looked at: nothing is found where nothing is
// wrong, and every kind of damage is found and named.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { composeParts } from "#compose.ts";
import { readConfig } from "#config.ts";
import type { Client } from "#contract/client/client.ts";
import { type Difference, type Fsck, fsck } from "#service/operations/fsck/fsck.ts";
import {
  type DamageableDatabase,
  type DatabaseCopy,
  damageablePostgres,
  damageableSqlite,
} from "#test/support/damageable-database.ts";
import { directoryForTest, type Service, serviceForTest, startService } from "#test/support/service.ts";
import { serviceProcessForTest } from "#test/support/service-process.ts";

const CANARY = "zugzwang hollyhock";
const CLI = fileURLToPath(new URL("../../src/cli/fsck.ts", import.meta.url));

/** A bit of everything. Leaves three receipts, of which one is anchored on the ledger and one as a blob only. */
async function live({ client }: Service): Promise<void> {
  await client.capture({ namespace: "diet", content: CANARY, sourceAgent: "s" });
  await client.setAccess({ agentId: "a", namespace: "diet", allowed: true });
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

async function found(url: string): Promise<Fsck & { lines: string[] }> {
  const config = readConfig({ DATABASE_URL: url });
  const deps = await composeParts(config);
  const lines: string[] = [];
  const onDifference = ({ about, id, detail }: Difference) => lines.push(`${about} ${id}: ${detail}`);
  try {
    const isFile = config.ledger.kind === "local" && config.ledger.keyPath !== undefined;
    return { ...(await fsck(deps, { onDifference, ...(isFile && { hasKeyFile: true }) })), lines };
  } finally {
    await deps.ledger.close();
    await deps.records.close();
  }
}

type Damage = readonly [what: string, sql: string, ...found: RegExp[]];

const FIRST = "sequence = (SELECT min(sequence) FROM memories)";
const ISSUED = "answer_id = (SELECT min(answer_id) FROM receipts)";
const OF_ISSUED = "digest = (SELECT digest FROM chain_anchors)";
const CHANGE = "version = (SELECT max(version) FROM access_changes)";
const LATER = "UPDATE counters SET value = value + 1 WHERE name = 'memory'";
const NUMBER = "(SELECT value FROM counters WHERE name = 'memory')";

const DAMAGES: readonly Damage[] = [
  ["a memory's text", `UPDATE memories SET content = 'x' WHERE ${FIRST}`, /^memory mem_\w+: the digest/, /the blob on/],
  ["a memory's namespace", `UPDATE memories SET namespace = 'x' WHERE ${FIRST}`, /^memory mem_\w+: the digest/],
  [
    "a memory's digest",
    `UPDATE memories SET content_digest = 'x' WHERE ${FIRST}`,
    /the digest on record is x, and its/,
  ],
  [
    "a memory's blob",
    `UPDATE memories SET store_ref = 'x' WHERE ${FIRST}`,
    /the blob on record is x, and its fact's is/,
  ],
  ["a memory that is gone", `DELETE FROM memories WHERE ${FIRST}`, /nothing is on record of number 1$/],
  ["a counter ahead", `${LATER}; ${LATER}`, /nothing is on record of the numbers 16 to 17/],
  [
    "a counter behind",
    "UPDATE counters SET value = value - 1 WHERE name = 'memory'",
    /number 15 \(memory mem_\w+\) is not/,
  ],
  [
    "a living memory forgotten",
    `${LATER}; INSERT INTO forgotten VALUES (${NUMBER}, 1, 'x')`,
    /number 1 .* is taken twice/,
  ],
  [
    "a forgetting before its memory",
    `${LATER}; ${LATER}; INSERT INTO forgotten VALUES (16, 17, 'x')`,
    /16 forgets number 17/,
  ],

  [
    "a leaf turned",
    "UPDATE access SET allowed = NOT allowed WHERE agent_id = 'a' AND namespace = 'health'",
    /^policy \["a","health"\]: it is allowed, and the change log says revoked/,
  ],
  [
    "a leaf that is gone",
    "DELETE FROM access WHERE agent_id = 'a' AND namespace = 'diet'",
    /^policy \["a","diet"\]: there is no leaf/,
  ],
  [
    "a leaf from nowhere",
    "UPDATE access SET agent_id = 'b' WHERE agent_id = 'a' AND namespace = 'diet'",
    /^policy \["b","diet"\]: it is allowed, and the change log says no leaf/,
  ],
  [
    "a change that is gone",
    `DELETE FROM access_changes WHERE ${CHANGE}`,
    /^policy : its version is 4, and that of its last change 3/,
  ],
  ["a change out of the middle", "DELETE FROM access_changes WHERE version = 2", /version 2 is not in the change log/],
  [
    "a change from another state",
    `UPDATE access_changes SET was = became WHERE ${CHANGE}`,
    /version 4 changes it from allowed, and it was no leaf/,
  ],
  [
    "a policy version",
    "UPDATE counters SET value = 9 WHERE name = 'policy'",
    /its version is 9, and that of its last change 4/,
  ],

  [
    "a receipt's spelling",
    `UPDATE receipts SET body = ' ' || body WHERE ${ISSUED}`,
    /^receipt ans_\w+: its body is JSON, but not in its canonical form/,
  ],
  [
    "a receipt that is none",
    `UPDATE receipts SET body = '[]' WHERE ${ISSUED}`,
    /^receipt ans_\w+: its body is not a receipt/,
  ],
  [
    "a receipt's agent",
    `UPDATE receipts SET agent_id = 'x' WHERE ${ISSUED}`,
    /^receipt ans_\w+: its body has another agent/,
  ],
  [
    "a receipt's time",
    `UPDATE receipts SET created_at = '2020' WHERE ${ISSUED}`,
    /^receipt ans_\w+: its body has another time/,
  ],
  [
    "a receipt that is gone",
    `DELETE FROM receipts WHERE ${ISSUED}`,
    /^receipt ans_\w+: it can be found, and is not on record/,
    /^anchor \S+: it says it was issued here, and was not/,
    /^receipt : the hour \S+ counts 3 as answers, and its receipts 2/,
  ],
  [
    "a receipt that cannot be found",
    `DELETE FROM answers WHERE ${ISSUED}`,
    /^receipt ans_\w+: it is on record, and cannot be found/,
  ],
  [
    "a receipt found under another agent",
    `UPDATE answers SET agent_id = 'x' WHERE ${ISSUED}`,
    /it is found under another agent/,
  ],
  [
    "a receipt found as what it is not",
    "UPDATE answers SET is_verified = NOT is_verified",
    /it is found as not verified, and says otherwise/,
  ],
  [
    "a count of an hour",
    "UPDATE answer_hours SET intact = intact + 1",
    /the hour \S+ counts \d+ as intact, and its receipts \d+/,
  ],
  ["an hour that is gone", "DELETE FROM answer_hours", /the hour \S+ is not counted, and has 3/],

  [
    "an anchor's body",
    `UPDATE anchors SET body = '{"a":1}' WHERE ${OF_ISSUED}`,
    /^anchor \S+: the digest on record/,
    /a blob of its body has the id/,
    /its body has another answer id/,
    /it says it was issued here, and was not/,
  ],
  [
    "an anchor's digest",
    `UPDATE anchors SET digest = 'x' WHERE ${OF_ISSUED}`,
    /^anchor \S+: the digest on record is x/,
    /^ledger 0x\w+: its blob's anchor has another digest/,
    /^request 1: its blob's anchor has another digest/,
  ],
  [
    "an anchor's blob",
    `UPDATE anchors SET blob_id = 'x' WHERE ${OF_ISSUED}`,
    /^anchor x: a blob of its body has the id/,
    /its blob is not among the anchors/,
  ],
  [
    "an anchor not issued any more",
    `UPDATE anchors SET issued_answer = NULL WHERE ${OF_ISSUED}`,
    /^anchor \S+: it was issued here, and says not/,
    /otherwise whether it was issued here/,
  ],
  [
    "an anchor of another answer",
    `UPDATE anchors SET answer_id = 'x' WHERE ${OF_ISSUED}`,
    /its body has another answer id/,
    /it was issued under another answer id/,
  ],

  [
    "an outcome that is gone",
    "DELETE FROM chain_anchors",
    /^request 1: it ended in 0x\w+, which is not on record/,
    /^ledger 0x\w+: the ledger has it, and it is not on record/,
  ],
  [
    "a request that waits again",
    "UPDATE chain_requests SET receipt_id = NULL",
    /^ledger 0x\w+: no request ended in it/,
  ],
  [
    "a request for something else",
    "UPDATE chain_requests SET agent_id = 'x'",
    /^request 1: it ended in 0x\w+, which is for something else/,
  ],
  [
    "a verdict",
    "UPDATE chain_anchors SET all_authorized = NOT all_authorized",
    /^ledger 0x\w+: the ledger's receipt differs from the record in its verdict/,
  ],
  [
    "claims",
    `UPDATE chain_anchors SET claimed = '["z","b"]'`,
    /its claims are not a set/,
    /differs from the record in its claims/,
  ],
  [
    "a receipt id",
    "UPDATE chain_anchors SET receipt_id = '0x1'",
    /^ledger 0x1: it is on record, and the ledger has no such receipt/,
  ],
  [
    "a transaction that is open again",
    `UPDATE transactions SET is_open = NOT is_open`,
    /^request 1: it is in the open transaction \w+, and is not pending/,
  ],
  [
    "a transaction of other requests",
    `UPDATE transactions SET is_open = NOT is_open, requests = 'x'`,
    /does not say which requests it is for/,
  ],
  [
    "a log that ends early",
    "DELETE FROM ledger_log",
    /^ledger 0x\w+: it is on record, and the ledger has no such receipt/,
  ],
  [
    "a lease of nothing",
    "INSERT INTO blob_leases VALUES ('x', 1, NULL, '2026-01-01T00:00:00Z')",
    /^lease x: no memory and no anchor has this blob/,
  ],
];

const ONLY: Readonly<Record<string, readonly Damage[]>> = {
  SQLite: [
    [
      "what a receipt is found by",
      `UPDATE answers SET namespaces = '["x"]'`,
      /it is found under other namespaces than it names/,
    ],
    ["a list that is none", `UPDATE answers SET namespaces = 'x'`, /it is found under other namespaces than it names/],
    [
      "a reference to nothing",
      `DELETE FROM receipts WHERE ${ISSUED}`,
      /^database : row \d+ of anchors refers to a row of receipts that is not there/,
    ],
    [
      "a log with other bytes",
      "UPDATE ledger_log SET bytes = x'00'",
      /^ledger \w+: the bytes that were signed are not/,
      /^ledger : The local ledger on record does not replay/,
    ],
  ],
  PostgreSQL: [
    [
      "what a receipt is found by",
      `UPDATE answers SET namespaces = '{x}'`,
      /it is found under other namespaces than it names/,
    ],
    [
      "a log with other bytes",
      `UPDATE ledger_log SET bytes = '\\x00'`,
      /^ledger \w+: the bytes that were signed are not/,
      /^ledger : The local ledger on record does not replay/,
    ],
    [
      "what a request is found by",
      "UPDATE chain_requests SET claims_digest = 'x'",
      /^request 1: it is found under other claims/,
    ],
    ["a key that is gone", "DELETE FROM kept", /^ledger : the local ledger has transactions, and its key is gone/],
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
    await live(service);
    await service.stop();
  }, 60_000);
  afterAll(() => world.remove());

  async function copy(): Promise<DatabaseCopy> {
    const made = await world.copy();
    onTestFinished(made.remove);
    return made;
  }

  test("finds nothing after a bit of everything, also beside a service that goes on", async () => {
    const { url } = await copy();
    const first = await found(url);
    expect(first.lines).toEqual([]);
    expect(first).toMatchObject({ memories: 15, receipts: 3, anchors: 3, onLedger: 1, policyVersion: 4, leftOut: [] });

    const service = await serviceForTest({ database: url });
    let isOver = false;
    const busy = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        await service.client.capture({ namespace: "diet", content: "more", sourceAgent: "s" });
        const { receipt } = await ask(service.client);
        await service.client.anchorOnChain({ receipt });
      }
    });
    await service.client.resetDemo();
    for (let i = 0; i < 5; i++) expect((await found(url)).lines).toEqual([]);
    isOver = true;
    await Promise.all(busy);
    const last = await found(url);
    expect(last.lines).toEqual([]);
    expect(last.onLedger).toBeGreaterThan(first.onLedger);
  });

  test("a start says what it checked, and refuses records that contradict themselves", async () => {
    const { url, damage } = await copy();
    const directory = await directoryForTest();
    const environment = { PORT: "0", DATABASE_URL: url };
    const child = serviceProcessForTest(directory, environment);
    await child.ready();
    expect(await child.logged("checked")).toMatchObject({
      memories: 15,
      namespaces: 6,
      policyVersion: 4,
      pendingAnchors: 0,
      compared: true,
    });
    child.kill("SIGTERM");
    await child.exited;

    await damage(`${LATER}; INSERT INTO forgotten VALUES (${NUMBER}, 1, 'health')`);
    const refused = serviceProcessForTest(directory, environment);
    expect(await refused.exited).toMatchObject({ code: 1 });
    expect(refused.err()).toMatch(
      /^portcullis: The records contradict themselves: in 1 namespaces .* npm run fsck .*\n$/,
    );
  });

  test.for([...DAMAGES, ...(ONLY[name] ?? [])])("finds %s", async ([, sql, ...expected]) => {
    const { url, damage } = await copy();
    await damage(sql);
    const { lines, differences } = await found(url);
    expect(differences).toBe(lines.length);
    for (const line of expected) expect(lines).toContainEqual(expect.stringMatching(line));
    expect(lines.join()).not.toContain(CANARY);
  });
});

test("fsck of SQLite finds a file that is damaged", async () => {
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
  expect((await found(world.url)).lines).toContainEqual(expect.stringMatching(/^database : .*memories_source_agent/));
});

describe("npm run fsck", () => {
  let world: DamageableDatabase;
  beforeAll(async () => {
    world = await damageableSqlite();
    const service = await startService({ database: world.url });
    await live(service);
    await service.stop();
  });
  afterAll(() => world.remove());

  async function run(url: string, ...args: string[]) {
    const child = spawn(process.execPath, [CLI, ...args], { cwd: dirname(world.url), env: { DATABASE_URL: url } });
    const exited = new Promise((resolve) => child.once("close", resolve));
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await exited, out, err };
  }

  test("says that all agrees, and ends with 0", async () => {
    const before = await readFile(world.url);
    expect(await run(world.url)).toEqual({
      code: 0,
      out: "15 memories, 3 receipts, 3 anchors (1 on the ledger), policy version 4: all agrees.\n",
      err: "",
    });
    expect(await readFile(world.url)).toEqual(before);
  });

  test("prints every difference on a line of its own, without any memory's text, and ends with 1", async () => {
    const { url, damage } = await world.copy();
    await damage(`UPDATE memories SET content_digest = 'x' WHERE content = '${CANARY}'`);
    const { code, out, err } = await run(url);
    expect(code).toBe(1);
    expect(err).toBe("");
    expect(out).toMatch(
      /^memory mem_\w+: the digest on record is x, and its fact's \w{64}\n15 memories, .*: 1 difference\.\n$/,
    );

    const json = await run(url, "--json");
    expect(json.code).toBe(1);
    const { differences, memories } = JSON.parse(json.out);
    expect(differences).toMatchObject([{ about: "memory", id: expect.stringMatching(/^mem_/) }]);
    expect(memories).toBe(15);
    expect(`${out}${json.out}`).not.toContain(CANARY);
  });

  test("says that the key of the local ledger is gone, and makes no other", async () => {
    const folder = join(dirname(world.url), "elsewhere");
    const { url } = await world.copy();
    const moved = join(folder, "records.db");
    await mkdir(folder);
    await copyFile(url, moved);
    const { code, out } = await run(moved);
    expect(code).toBe(1);
    expect(out).toContain("ledger: the local ledger has transactions, and its key is gone\n");
    expect(existsSync(join(folder, "ledger.key"))).toBe(false);
  });

  test("says why it could not look, and ends with 2", async () => {
    expect(await run("nowhere.db")).toEqual({
      code: 2,
      out: "",
      err: "fsck: There is no database at nowhere.db. Is DATABASE_URL right?\n",
    });
    expect((await run(world.url, "--unknown")).code).toBe(2);
    expect(await run("postgres://nobody@127.0.0.1:1/none")).toMatchObject({ code: 2, out: "" });
  });

  test("explains itself", async () => {
    const { code, out } = await run(world.url, "--help");
    expect(code).toBe(0);
    for (const word of ["--deep", "--json", "DATABASE_URL", "Exits with 0"]) expect(out).toContain(word);
  });
});
