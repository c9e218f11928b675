// Nothing of a forgotten text is left anywhere: memories carry canaries, are used in every way, and are then forgotten, one
// by one and many at once, as current ones and as history, and by expiry. What stays by design is a receipt that was
// anchored in the open form; there is none here.
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Client, createClient } from "#contract/client/client.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import type { TestDatabase } from "#test/support/postgres/databases.ts";
import { runCommand } from "#test/support/run-command.ts";
import { directoryForTest, serviceForTest } from "#test/support/service.ts";
import { type ServiceProcess, serviceProcessForTest } from "#test/support/service-process.ts";
import { tracesIn, tracesInFolder } from "#test/support/text-traces.ts";

const LONG_MS = 300_000;
/** With so many memories a namespace has a snapshot when the service ends. */
const FILLERS = 520;
/** Everything that can be read over HTTP. What is added to the routes belongs here too. */
const OUTPUTS = [
  ...[
    "/api/memories",
    "/api/memories?superseded=true",
    "/api/memories?q=word&limit=1000",
    "/api/namespaces",
    "/api/export",
  ],
  ...["/api/receipts?limit=100", "/api/decisions?limit=1000", "/api/overview", "/api/policy", "/api/policy/changes"],
  ...["/api/reports", "/api/proposals"],
];

type Canary = "plain" | "keyed" | "old" | "next" | "expiring" | "many";
const NAMES: readonly Canary[] = ["plain", "keyed", "old", "next", "expiring", "many"];
/** One word, which no tokenizer takes apart and nobody else writes. */
const newWord = () => `zq${[...randomBytes(16)].map((byte) => String.fromCharCode(97 + (byte % 26))).join("")}`;

interface Written {
  readonly words: Readonly<Record<Canary | "kept", string>>;
  readonly ids: Readonly<Record<Canary, string>>;
  readonly blobs: Readonly<Record<Canary, string>>;
  readonly answers: readonly string[];
}

test.for(["sqlite", "postgres"] as const)(
  "after it was forgotten, a text is in no file, table, snapshot, log, blob, list, receipt or backup (%s)",
  { timeout: LONG_MS },
  async (kind) => {
    const directory = await directoryForTest();
    const postgres = kind === "postgres" ? await databaseForTest() : undefined;
    const database = postgres?.url ?? join(directory, "records.db");
    const index = join(directory, "index");
    const storage = { DATABASE_URL: database, INDEX_FOLDER: index };
    const environment = { PORT: "0", ...storage, LOG_LEVEL: "debug", SEED: "none", KEEP_QUESTIONS: "true" };
    const first = serviceProcessForTest(directory, environment);
    const written = await writeAndUse(createClient({ baseUrl: await first.ready() }));
    const words = NAMES.map((name) => written.words[name]);
    const lasting = words.filter((word) => word !== written.words.expiring);
    // The search finds what is there.
    const recorded = async () =>
      postgres === undefined ? tracesInFolder(directory, words) : tracesIn(await dumpOf(postgres), words);
    expect((await recorded()).join()).toContain(written.words.plain);
    // PostgreSQL takes samples of columns into its statistics, by itself at times.
    await postgres?.run("ANALYZE");
    await first.kill("SIGTERM");
    expect(tracesInFolder(index, lasting).length).toBeGreaterThan(0);

    const second = serviceProcessForTest(directory, environment);
    const url = await second.ready();
    const client = createClient({ baseUrl: url });
    await client.chat({ agentId: "a", query: "What is the code word?" });
    await forgetAll(client, written);

    if (postgres === undefined) {
      // The log is emptied a moment after the answer.
      const traces = () => tracesInFolder(directory, words).filter((each) => !each.includes(index));
      await expect.poll(traces).toEqual([]);
    } else expect(tracesIn(await dumpOf(postgres), words)).toEqual([]);
    await expect.poll(() => tracesInFolder(index, words), { timeout: LONG_MS }).toEqual([]);
    await expectNoneShown(url, written, words);
    for (const service of [first, second]) expect(tracesIn(logOf(service), words)).toEqual([]);

    if (postgres === undefined) {
      const backup = join(directory, "backup");
      expect(await runCommand("backup", [backup], { DATABASE_URL: database })).toMatchObject({ code: 0 });
      expect(tracesInFolder(backup, [written.words.kept])).not.toEqual([]);
    }
    await second.kill("SIGTERM");
    expect(tracesInFolder(directory, words)).toEqual([]);
    if (postgres !== undefined) {
      // A vacuum leaves dead rows that another transaction, such as the analysis of a table, could still see.
      const traces = async () => tracesInFolder(await filesOf(postgres), words);
      await expect.poll(traces, { interval: 500 }).toEqual([]);
      expect(tracesInFolder(await filesOf(postgres), [written.words.kept])).not.toEqual([]);
    }
  },
);

test("after a reset that a worker made, a text is in no file", async () => {
  const directory = await directoryForTest();
  const { client } = await serviceForTest({ database: join(directory, "records.db"), environment: { SEED: "none" } });
  const word = newWord();
  // With more than a thousand memories, the database is reset in a worker.
  const facts = Array.from({ length: 1_100 }, (_, i) => ({
    namespace: "n",
    content: `${word} ${i}`,
    sourceAgent: "s",
  }));
  for await (const _ of client.importMemories(facts));
  expect(tracesInFolder(directory, [word])).not.toEqual([]);
  await client.resetDemo();
  await expect.poll(() => tracesInFolder(directory, [word])).toEqual([]);
});

/** Captures the canaries among others, and uses them in answers, streams, recalls and lists. */
async function writeAndUse(client: Client): Promise<Written> {
  const names = [...NAMES, "kept"] as const;
  const words = Object.fromEntries(names.map((name) => [name, newWord()])) as Written["words"];
  const fillers = Array.from({ length: FILLERS }, (_, i) => ({
    namespace: "n",
    content: `Filler ${i}.`,
    sourceAgent: "s",
  }));
  for await (const _ of client.importMemories(fillers));
  const captured = new Map<string, { readonly memoryId: string; readonly storeRef: string }>();
  const write = async (name: (typeof names)[number], life: object = {}, sourceAgent = "s") => {
    const fact = { namespace: "n", content: `The code word is ${words[name]}.`, sourceAgent };
    const { memory } = await client.capture({ ...fact, ...life }, { idempotencyKey: `capture-of-${name}` });
    captured.set(name, memory);
    // A question that quotes the text is kept with its receipt.
    await client.chat({ agentId: "a", query: `Is ${words[name]} the code word?` });
    return memory.memoryId;
  };
  await client.setAccess({ agentId: "a", namespace: "n", allowed: true });
  const plain = await write("plain");
  await client.updateMemory({ memoryId: plain }, { pinned: true });
  await write("keyed", { key: "the key" });
  const old = await write("old");
  await client.chat({ agentId: "a", query: "What is the code word?" });
  await write("next", { supersedes: old });
  await write("many", {}, "another");
  await write("kept");
  // Not before the first service has ended: a snapshot that is written while a memory is swept is removed.
  await write("expiring", { ttl: 15 });
  // What is pinned is shown to the extractor.
  const messages = [{ role: "user" as const, content: `My dog is called ${words.plain}.` }];
  const { proposals } = await client.learn({ agentId: "a", messages, namespaces: ["n"], mode: "review" });
  expect(proposals).toHaveLength(1);
  const asked = [
    await client.chat({ agentId: "a", query: "What is the code word?" }, { idempotencyKey: "chat" }),
    await client.chat({ agentId: "a", query: "Which code word?" }, { onText: () => undefined }),
    await client.recall({ agentId: "a", query: "the code word" }),
  ];
  await client.listMemories({ q: words.plain });
  const pick = (field: "memoryId" | "storeRef") =>
    Object.fromEntries(NAMES.map((name) => [name, captured.get(name)?.[field] ?? ""])) as Record<Canary, string>;
  const answers = asked.map(({ receipt }) => receipt?.answerId ?? "");
  return { words, ids: pick("memoryId"), blobs: pick("storeRef"), answers };
}

async function forgetAll(client: Client, { ids }: Written): Promise<void> {
  for (const memoryId of [ids.plain, ids.next, ids.old])
    expect(await client.forgetMemory({ memoryId }, { reason: "wrong" })).toMatchObject({ anchoredReceipts: 0 });
  await client.forgetByKey({ name: "n", key: "the key" }, { sourceAgent: "s" });
  expect(await client.forgetMemories({ sourceAgent: "another" })).toEqual({ forgotten: 1, anchoredReceipts: 0 });
  const isSwept = () => client.getTombstone({ memoryId: ids.expiring }).catch(() => undefined);
  await expect.poll(isSwept, { timeout: LONG_MS }).toMatchObject({ tombstone: { cause: "expired" } });
}

async function expectNoneShown(url: string, { ids, blobs, answers }: Written, words: readonly string[]): Promise<void> {
  const paths = [
    ...OUTPUTS,
    ...words.map((word) => `/api/memories?q=${word}`),
    ...answers.map((answerId) => `/api/receipts/${answerId}`),
    ...Object.values(ids).flatMap((id) => [`/api/memories/${id}/uses`, `/api/tombstones/${id}`]),
  ];
  for (const path of paths) {
    const response = await fetch(`${url}${path}`);
    expect([path, response.status]).toEqual([path, 200]);
    expect([path, tracesIn(await response.text(), words)]).toEqual([path, []]);
  }
  for (const path of [
    ...Object.values(blobs).map((blobId) => `/v1/blobs/${blobId}`),
    ...Object.values(ids).map((memoryId) => `/api/memories/${memoryId}`),
  ])
    expect([path, (await fetch(`${url}${path}`)).status]).toEqual([path, 404]);
}

const logOf = (service: ServiceProcess) => service.out() + service.err();

/** Every row of every table, as text. Bytes are hex in it. */
async function dumpOf({ run }: TestDatabase): Promise<string> {
  const tables = await run(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'`,
  );
  const rows: string[] = [];
  for (const { name } of tables)
    rows.push(...(await run(`SELECT found::text AS line FROM ${name} AS found`)).map(({ line }) => String(line)));
  return rows.join("\n");
}

/** The folder of the database's relations, after nothing is in them that is not in a table. */
async function filesOf({ run }: TestDatabase): Promise<string> {
  await run("VACUUM FULL");
  await run("CHECKPOINT");
  const [row] = await run(
    `SELECT current_setting('data_directory') AS folder, oid FROM pg_database WHERE datname = current_database()`,
  );
  return join(String(row?.folder), "base", String(row?.oid));
}
