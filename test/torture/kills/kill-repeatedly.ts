// Crash recovery: kills the service again and again, at random moments of its start and of a mixed load. With PostgreSQL it
// sometimes kills the database server too. After every restart, everything that was acknowledged must be on record, once.
import { rmSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fetchWithoutKeepAlive } from "#test/support/fetch-without-keep-alive.ts";
import { freshDatabase } from "#test/support/postgres/databases.ts";
import { type PostgresServer, startPostgres } from "#test/support/postgres/server.ts";
import { type ServiceProcess, startServiceProcess } from "#test/support/service-process.ts";
import { checkService, type ServiceUnderTest, until } from "./check-service.ts";
import { nothingSeen } from "./compare-records.ts";
import { createJournal, type Journal, KINDS } from "./journal.ts";
import { startLoad } from "./load.ts";
import { type Random, randomFrom } from "./seeded-random.ts";

export interface KillOptions {
  readonly database: "sqlite" | "postgres";
  readonly kills: number;
  readonly seed: number;
  /** With PostgreSQL, every so manieth kill is one of the server, and half of the time of the service too. */
  readonly serverEvery?: number;
  readonly onProgress?: (kills: number) => void;
}

export interface KillReport {
  kills: number;
  /** Kills before the service was ready, and kills of PostgreSQL. */
  whileStarting: number;
  ofServer: number;
  checks: number;
  /** Anchors that a restarted service had to finish. */
  finished: number;
  readonly asked: Record<(typeof KINDS)[number], number>;
  readonly acknowledged: Record<(typeof KINDS)[number], number>;
  readonly problems: Map<string, number>;
  /** What was lost, doubled or wrong. The run ends with the first check that finds any. */
  readonly violations: string[];
  /** The folder of the database, which stays when there are violations. */
  folder?: string;
}

/** After so many kills the run takes a new database: a check reads everything, and must not take ever longer. */
const KILLS_PER_DATABASE = 20;
const LONGEST_LOAD_MS = 2_000;
const SHARE_WHILE_STARTING = 0.2;
const zeros = () => Object.fromEntries(KINDS.map((kind) => [kind, 0])) as KillReport["asked"];

export async function killRepeatedly(options: KillOptions): Promise<KillReport> {
  const report: KillReport = {
    kills: 0,
    whileStarting: 0,
    ofServer: 0,
    checks: 0,
    finished: 0,
    asked: zeros(),
    acknowledged: zeros(),
    problems: new Map(),
    violations: [],
  };
  const random = randomFrom(options.seed);
  const server = options.database === "postgres" ? await startPostgres({ fsync: true }) : undefined;
  try {
    while (report.kills < options.kills && report.violations.length === 0) {
      await killOnOneDatabase({ ...options, random, server, report });
    }
  } finally {
    await server?.stop();
  }
  return report;
}

interface Run extends Omit<KillOptions, "database" | "seed"> {
  readonly random: Random;
  readonly server: PostgresServer | undefined;
  readonly report: KillReport;
}

async function killOnOneDatabase(run: Run): Promise<void> {
  const { report, server, random } = run;
  const folder = await mkdtemp(join(tmpdir(), "portcullis-kills-"));
  let service: ServiceProcess | undefined;
  const cleanUp = () => {
    void service?.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  process.once("exit", cleanUp);
  const database = server === undefined ? undefined : await freshDatabase(server.url);
  const url = database?.url ?? join(folder, "records.db");
  const [journal, seen] = [createJournal(), nothingSeen()];
  const last = Math.min(run.kills, report.kills + KILLS_PER_DATABASE);
  let startMs = 500;
  try {
    while (report.violations.length === 0) {
      const started = performance.now();
      service = startServiceProcess(folder, { PORT: "0", SEED: "demo", DATABASE_URL: url });
      try {
        if (report.kills < last && !isServersTurn(run) && random.isBelow(SHARE_WHILE_STARTING)) {
          await delay(random() * startMs * 1.2);
          report.whileStarting += 1;
        } else {
          const address = await service.ready();
          startMs = performance.now() - started;
          const subject = { address, url, journal, seen };
          await check(subject, report);
          if (report.kills >= last || report.violations.length > 0) break;
          await loadAndKill(run, service, subject);
        }
        report.kills += 1;
        run.onProgress?.(report.kills);
      } finally {
        await service.kill("SIGKILL");
      }
    }
  } catch (error) {
    report.violations.push(String(error));
  }
  count(journal, report);
  process.off("exit", cleanUp);
  if (report.violations.length > 0) {
    report.folder = folder;
    return;
  }
  cleanUp();
  await database?.drop();
}

async function loadAndKill(run: Run, service: ServiceProcess, subject: ServiceUnderTest): Promise<void> {
  const { random, report, server } = run;
  const load = startLoad(subject.address, subject.journal, random);
  await delay(random() * LONGEST_LOAD_MS);
  if (service.hasExited())
    report.violations.push(`The service ended by itself:\n${service.out().slice(-10_000)}${service.err()}`);
  if (load.problems.has("internal") || load.problems.has("connection"))
    report.violations.push(`The service failed before it was killed (${JSON.stringify([...load.problems])}).`);
  if (server !== undefined && isServersTurn(run)) {
    report.ofServer += 1;
    await Promise.all([server.kill(), random.isBelow(0.5) && service.kill("SIGKILL")]);
  } else await service.kill("SIGKILL");
  await load.stop();
  for (const [code, times] of load.problems) report.problems.set(code, (report.problems.get(code) ?? 0) + times);
  if (server === undefined || !isServersTurn(run)) return;
  await server.start();
  if (service.hasExited()) return;
  const isReady = async () => (await fetchWithoutKeepAlive(`${subject.address}/readyz`)).ok;
  await until("The service does not recover when its database is back.", isReady);
  await check(subject, report);
}

function isServersTurn({ server, report, serverEvery = 10 }: Run): boolean {
  return server !== undefined && (report.kills + 1) % serverEvery === 0;
}

async function check(subject: ServiceUnderTest, report: KillReport): Promise<void> {
  const { finished, violations } = await checkService(subject);
  report.finished += finished;
  report.violations.push(...violations);
  report.checks += 1;
  count(subject.journal, report);
}

/** Counts the new entries of the journal, and removes those that the next check does not need. */
function count(journal: Journal, report: KillReport): void {
  for (const kind of KINDS) {
    for (const entry of journal[kind] as { acknowledged?: number; isCounted?: boolean }[]) {
      if (entry.isCounted) continue;
      entry.isCounted = true;
      report.asked[kind] += 1;
      if (entry.acknowledged !== undefined) report.acknowledged[kind] += 1;
    }
  }
  for (const kind of ["captures", "sets", "resets", "forgets"] as const) journal[kind].length = 0;
}
