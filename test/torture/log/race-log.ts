// Processes that record answers and publish one log, and are killed at any moment: between record, place, sign and publish.
// Sessions are lost, the server is killed, the disk is full, files are restored. Afterwards no size has two roots, no chain has a gap, and what was acknowledged is in the tree.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { recordsOf } from "#compose/records.ts";
import { readConfig } from "#config.ts";
import { createChainAudit } from "#core/log/audit/chain-audit.ts";
import { entriesIn } from "#core/log/entry.ts";
import { growingRoot, leafHash } from "#core/log/merkle-tree.ts";
import { hashesOf } from "#core/log/tiles.ts";
import type { DeploymentRecords } from "#ports.ts";
import { createTransparencyLog } from "#service/log/transparency-log.ts";
import type { PostgresServer } from "#test/support/postgres/server.ts";
import { randomFrom } from "#test/torture/kills/seeded-random.ts";
import type { WorkerOptions } from "./log-worker.ts";
import type { SmallDisk } from "./small-disk.ts";

const WORKER = fileURLToPath(new URL("log-worker.ts", import.meta.url));
const UNCHECKED = new URL("./placed-unchecked.ts", import.meta.url).href;
/** How much a process says before it is killed, and how long it has for it. */
const MOST_LINES = 60;
const LONGEST_LIFE_MS = 3_000;
const LONGEST_STEP_MS = 20;
const ANSWERS_OF_WORKER = 100_000;

export interface LogRaceOptions extends Pick<WorkerOptions, "database" | "swapped"> {
  /** One, with a file. */
  readonly replicas: number;
  readonly kills: number;
  readonly seed: number;
  /** Has the file, and is filled now and then. */
  readonly disk?: SmallDisk | undefined;
  /** Has the database, and is killed now and then. */
  readonly server?: Pick<PostgresServer, "kill" | "start"> | undefined;
  readonly onProgress?: (kills: number) => void;
}

export interface LogRaceReport {
  kills: number;
  /** Restored files whose log noticed that more had been published. */
  readonly refused: number;
  lostSessions: number;
  serverKills: number;
  fullDisks: number;
  restores: number;
  readonly answers: Set<string>;
  /** By origin and size: the roots that were published. */
  readonly roots: Map<string, Set<string>>;
  readonly violations: string[];
}

export async function raceLog(options: LogRaceOptions): Promise<LogRaceReport> {
  const { database, kills, seed, disk, server, onProgress } = options;
  const random = randomFrom(seed);
  const report: LogRaceReport = {
    kills: 0,
    refused: 0,
    lostSessions: 0,
    serverKills: 0,
    fullDisks: 0,
    restores: 0,
    answers: new Set(),
    roots: new Map(),
    violations: [],
  };
  const isFile = !database.startsWith("postgres");
  let origin = "torture.example/1";
  let workers = 0;
  /** Of the logs that were restored, those that noticed it. */
  const refusing = new Set<string>();
  const first = await open(database);
  await first.close();

  async function live(onReady: () => void = () => undefined): Promise<void> {
    const first = ANSWERS_OF_WORKER * ++workers;
    const own: WorkerOptions = { database, origin, first, swapped: options.swapped, reserve: disk && "0" };
    const before = options.swapped === "read before locked" ? ["--import", UNCHECKED] : [];
    const child = spawn(process.execPath, [...before, WORKER, JSON.stringify(own)], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const exited = once(child, "exit");
    const lines = createInterface(child.stdout);
    const ready = once(lines, "line");
    lines.on("line", (line) => {
      const [word, ...rest] = line.split(" ");
      if (word === "answer") report.answers.add(rest[0] ?? "");
      if (word === "refused") refusing.add(origin);
      if (word === "published") addRoot(report, rest);
    });
    const end = random.below(MOST_LINES);
    let said = 0;
    const hasLived = new Promise<void>((resolve) => {
      lines.on("line", () => {
        said += 1;
        if (said > end) resolve();
      });
    });
    await Promise.race([ready, exited]);
    onReady();
    await Promise.race([hasLived, exited, delay(LONGEST_LIFE_MS)]);
    // Not always right behind what it has said.
    await delay(random.below(LONGEST_STEP_MS));
    child.kill("SIGKILL");
    await exited;
    report.kills += 1;
    onProgress?.(report.kills);
  }

  /** A copy from before takes the place of the file. Answers since are gone; the log must not sign another tree. */
  async function restore(): Promise<void> {
    const copy = `${database}.copy`;
    // When the last process closes the file, it has all that is on record.
    await (await open(database)).close();
    copyFileSync(database, copy);
    const known = new Set(report.answers);
    await live();
    for (const end of ["-wal", "-shm"]) rmSync(`${database}${end}`, { force: true });
    copyFileSync(copy, database);
    report.restores += 1;
    await live();
    report.answers.clear();
    for (const answer of known) report.answers.add(answer);
    origin = `torture.example/${report.restores + 1}`;
  }

  /** The process works on, or is killed while nothing can be written. */
  async function fillDisk({ fill, empty }: SmallDisk): Promise<void> {
    const { promise: ready, resolve } = Promise.withResolvers<void>();
    const living = live(resolve);
    await ready;
    await delay(random.below(LONGEST_LIFE_MS / 10));
    fill();
    report.fullDisks += 1;
    await (random.isBelow(0.5) ? living : delay(LONGEST_LIFE_MS / 5));
    empty();
    await living;
  }

  /** All of its processes, at once, as when its machine fails. */
  async function killServer({ kill, start }: Pick<PostgresServer, "kill" | "start">): Promise<void> {
    const living = Promise.all(Array.from({ length: options.replicas }, () => live()));
    await delay(LONGEST_LIFE_MS / 5);
    await kill();
    report.serverKills += 1;
    await start();
    await living;
  }

  while (report.kills < kills && report.violations.length === 0) {
    await Promise.all(Array.from({ length: options.replicas }, () => live()));
    if (!isFile && random.isBelow(0.5)) report.lostSessions += await loseSessions(database, live);
    if (server !== undefined) await killServer(server);
    if (disk !== undefined) await fillDisk(disk);
    if (isFile && options.swapped === undefined && random.isBelow(0.2)) await restore();
  }
  await check(database, origin, report);
  return { ...report, refused: refusing.size };
}

const open = (database: string): Promise<DeploymentRecords> =>
  recordsOf(readConfig({ DATABASE_URL: database }), { serves: true, schemaChange: "upgrade" });

/** Ends all sessions of the database while a process works: a failover, as its clients see it. */
async function loseSessions(database: string, live: () => Promise<void>): Promise<number> {
  const client = new Client({ connectionString: database });
  await client.connect();
  const living = live();
  await delay(LONGEST_LIFE_MS / 10);
  const { rowCount } = await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  await client.end();
  await living;
  return rowCount ?? 0;
}

function addRoot({ roots, violations }: LogRaceReport, [origin = "", size = "", root = ""]: readonly string[]): void {
  const known = roots.get(`${origin} ${size}`) ?? new Set();
  known.add(root);
  roots.set(`${origin} ${size}`, known);
  if (known.size === 2) violations.push(`two roots were published for ${size} entries of ${origin}`);
}

async function check(database: string, origin: string, report: LogRaceReport): Promise<void> {
  const { violations, answers, roots } = report;
  const records = await open(database);
  try {
    await createTransparencyLog(records, { origin }).sequence();
    const audit = createChainAudit({
      report: (code, sentence, number) => void violations.push(`${code} ${number}: ${sentence}`),
      bounds: () => ({ notAfter: Number.POSITIVE_INFINITY }),
    });
    const issued = new Set<string>();
    for (let page = await records.log.entries({ after: 0, limit: 500 }); page.length > 0; ) {
      for (const entry of page) audit.add(entry);
      page = await records.log.entries({ after: audit.end().number, limit: 500 });
    }
    await records.audit(async ({ rows }) => {
      for await (const { treeIndex, ...batch } of rows("logBatch"))
        for (const { kind, about = "" } of treeIndex === null ? [] : entriesIn(batch))
          if (kind === "issued") issued.add(about);
      const tree = growingRoot();
      for await (const { level, hashes } of rows("logTile"))
        for (const entry of level === 0 ? hashesOf(Buffer.from(hashes, "hex")) : []) {
          tree.append(leafHash(entry));
          const root = Buffer.from(tree.root()).toString("hex");
          for (const published of roots.get(`${origin} ${tree.size()}`) ?? [])
            if (published !== root)
              violations.push(`the tree of ${tree.size()} entries is not the one that was published`);
        }
    });
    const { chain, number } = await records.log.end();
    if (audit.end().chain !== chain || audit.end().number !== number) violations.push("the chain ends elsewhere");
    for (const answer of answers)
      if (!issued.has(answer)) violations.push(`${answer} was acknowledged, and is not in the log`);
  } finally {
    await records.close();
  }
}
