// The service is killed again and again, at random moments of a mixed load and of its start, and with PostgreSQL now and
// then the whole database server. After each life, all that was acknowledged must be there, once, and fsck finds nothing.
import { existsSync, rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { composeParts } from "#compose.ts";
import { readConfig } from "#config.ts";
import { createClient } from "#contract/client/client.ts";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import type { RecordStore } from "#ports.ts";
import { fsck } from "#service/operations/fsck/fsck.ts";
import { freshDatabase } from "#test/support/postgres/databases.ts";
import { type PostgresServer, startPostgres } from "#test/support/postgres/server.ts";
import { type Mortal, startMortal } from "#test/torture/kills-process.ts";
import { compare, nothingSeen, type Seen } from "./compare-records.ts";
import { createJournal, type Journal, KINDS } from "./journal.ts";
import { startLoad } from "./load.ts";
import { type Random, randomFrom } from "./seeded-random.ts";

export interface KillsOptions {
  readonly database: "sqlite" | "postgres";
  readonly kills: number;
  readonly seed: number;
  /** With PostgreSQL, so often the server is killed and not (only) the service. */
  readonly serverEvery?: number;
  readonly onProgress?: (kills: number) => void;
}

export interface Killed {
  kills: number;
  /** Of them: before the service was ready, and with the whole PostgreSQL. */
  whileStarting: number;
  ofServer: number;
  checks: number;
  /** How many anchors on the ledger a restart had to finish. */
  finished: number;
  readonly asked: Record<(typeof KINDS)[number], number>;
  readonly acknowledged: Record<(typeof KINDS)[number], number>;
  readonly problems: Map<string, number>;
  /** What was lost, doubled or wrong. It ends with the first. */
  readonly violations: string[];
  /** Where the database is left when there are any. */
  folder?: string;
}

/** After so many kills it begins anew: a check looks at everything, and must not take ever longer. */
const KILLS_A_DATABASE = 20;
const LOAD_MS = 2_000;
const SHARE_WHILE_STARTING = 0.2;
const PATIENCE_MS = 60_000;
const none = () => Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Killed["asked"];

export async function kills(options: KillsOptions): Promise<Killed> {
  const report: Killed = {
    kills: 0,
    whileStarting: 0,
    ofServer: 0,
    checks: 0,
    finished: 0,
    asked: none(),
    acknowledged: none(),
    problems: new Map(),
    violations: [],
  };
  const random = randomFrom(options.seed);
  const server = options.database === "postgres" ? await startPostgres({ fsync: true }) : undefined;
  try {
    while (report.kills < options.kills && report.violations.length === 0) {
      await onOneDatabase({ ...options, random, server, report });
    }
  } finally {
    await server?.stop();
  }
  return report;
}

interface World extends Omit<KillsOptions, "database" | "seed"> {
  readonly random: Random;
  readonly server: PostgresServer | undefined;
  readonly report: Killed;
}

async function onOneDatabase(world: World): Promise<void> {
  const { report, server } = world;
  const folder = await mkdtemp(join(tmpdir(), "portcullis-kills-"));
  let service: Mortal | undefined;
  const tidyUp = () => {
    void service?.kill();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  process.once("exit", tidyUp);
  const database = server === undefined ? undefined : await freshDatabase(server.url);
  const url = database?.url ?? join(folder, "records.db");
  const journal = createJournal();
  const seen = nothingSeen();
  const last = Math.min(world.kills, report.kills + KILLS_A_DATABASE);
  let startMs = 500;
  try {
    while (report.violations.length === 0) {
      const started = performance.now();
      service = startMortal(folder, { PORT: "0", DATABASE_URL: url });
      try {
        if (report.kills < last && !isServersTurn(world) && world.random.isBelow(SHARE_WHILE_STARTING)) {
          await delay(world.random() * startMs * 1.2);
          await service.kill();
          report.whileStarting += 1;
        } else {
          const address = await service.ready;
          startMs = performance.now() - started;
          await check({ url, folder, address, journal, seen, report });
          if (report.kills >= last || report.violations.length > 0) break;
          await live(world, { service, address, url, folder, journal, seen });
        }
        report.kills += 1;
        world.onProgress?.(report.kills);
      } finally {
        await service.kill();
      }
    }
  } catch (error) {
    report.violations.push(String(error));
  }
  tally(journal, report);
  process.off("exit", tidyUp);
  if (report.violations.length > 0) {
    report.folder = folder;
    return;
  }
  tidyUp();
  await database?.drop();
}

interface Life {
  readonly service: Mortal;
  readonly address: string;
  readonly url: string;
  readonly folder: string;
  readonly journal: Journal;
  readonly seen: Seen;
}

/** One load, and one death. */
async function live(world: World, life: Life): Promise<void> {
  const { random, report, server } = world;
  const { service, address, journal } = life;
  const load = startLoad(address, journal, random);
  await delay(random() * LOAD_MS);
  if (service.hasEnded()) report.violations.push(`The service ended by itself:\n${service.said()}`);
  if (load.problems.has("internal") || load.problems.has("connection"))
    report.violations.push(`The service failed before it was killed (${JSON.stringify([...load.problems])}).`);
  if (server !== undefined && isServersTurn(world)) {
    report.ofServer += 1;
    await Promise.all([server.kill(), random.isBelow(0.5) && service.kill()]);
  } else await service.kill();
  await load.stop();
  for (const [code, count] of load.problems) report.problems.set(code, (report.problems.get(code) ?? 0) + count);
  if (server === undefined || !isServersTurn(world)) return;
  await server.start();
  if (service.hasEnded()) return;
  // A service whose database is back goes on by itself.
  await until("The service did not find its database again.", async () => (await fetch(`${address}/readyz`)).ok);
  await check({ ...life, report });
}

function isServersTurn({ server, report, serverEvery = 10 }: World): boolean {
  return server !== undefined && (report.kills + 1) % serverEvery === 0;
}

interface Checked extends Omit<Life, "service"> {
  readonly report: Killed;
}

/** Looks at the records beside the service, once it has finished what it found unfinished, and at what it shows of them. */
async function check({ url, folder, address, journal, seen, report }: Checked): Promise<void> {
  const deps = await composeParts(readConfig({ DATABASE_URL: url }));
  try {
    report.finished += await finished(deps.records);
    const wrong = await deps.records.audit((audit) => compare(audit, journal, seen));
    const hasKeyFile = url.startsWith("postgres") ? {} : { hasKeyFile: existsSync(join(folder, "ledger.key")) };
    await fsck(deps, {
      ...hasKeyFile,
      onDifference: ({ about, id, detail }) => wrong.push(`fsck: ${about} ${id}: ${detail}`),
    });
    wrong.push(...(await shownWrong(address, deps.records, seen)));
    report.violations.push(...wrong);
    report.checks += 1;
  } finally {
    await deps.ledger.close();
    await deps.records.close();
  }
  tally(journal, report);
}

/** Waits until no anchor is unfinished. Answers with how many were. */
async function finished(records: RecordStore): Promise<number> {
  const before = (await records.chainAnchors.pending()).length;
  await until("Unfinished anchors were not finished.", async () => {
    const [pending, open] = [await records.chainAnchors.pending(), await records.chainAnchors.openTransactions()];
    return pending.length + open.length === 0;
  });
  return before;
}

/** What the service shows is what is on record, and every link to a blob resolves. */
async function shownWrong(address: string, records: RecordStore, seen: Seen): Promise<string[]> {
  const client = createClient({ baseUrl: address });
  const wrong: string[] = [];
  const { policy, version } = await records.policy.current();
  if (canonicalJson(await client.getPolicy()) !== canonicalJson({ policy, version }))
    wrong.push("another policy is shown");
  const shown = new Set((await client.listMemories()).memories.map(({ memoryId }) => memoryId));
  for (const { memoryId = "" } of seen.memories.values()) {
    if (!shown.has(memoryId)) wrong.push(`memory ${memoryId} is not shown`);
  }
  const links = [...[...seen.memories.values()].map(({ storeRef = "" }) => storeRef), ...seen.anchors.keys()];
  for (const blobId of links) {
    const response = await fetch(`${address}/v1/blobs/${blobId}`);
    await response.arrayBuffer();
    if (!response.ok) wrong.push(`the link to the blob ${blobId} does not resolve`);
  }
  return wrong;
}

/** Counts what was asked since the last check, and forgets of it what the next one does not need. */
function tally(journal: Journal, report: Killed): void {
  for (const kind of KINDS) {
    for (const entry of journal[kind] as { acknowledged?: number; isCounted?: boolean }[]) {
      if (entry.isCounted) continue;
      entry.isCounted = true;
      report.asked[kind] += 1;
      if (entry.acknowledged !== undefined) report.acknowledged[kind] += 1;
    }
  }
  for (const kind of ["captures", "sets", "resets"] as const) journal[kind].length = 0;
}

async function until(complaint: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await isSo().catch(() => false))) {
    if (performance.now() > deadline) throw new Error(complaint);
    await delay(50);
  }
}
