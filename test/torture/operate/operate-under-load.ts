// An operator's life in minutes: prunes, backs up and restores a filled database again and again, while callers ask and
// write. Nothing that was acknowledged may be missing: from a restored backup, if
// it was acknowledged before the backup began, and at the end from the records and the archive together. Memory and disk
// have to stay bounded.
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { createClient } from "#contract/client/client.ts";
import { runCommand } from "#test/support/run-command.ts";
import { startServiceProcess } from "#test/support/service-process.ts";
import { answerInThePast } from "./answer-in-the-past.ts";
import { type Acknowledged, startSteadyLoad } from "./steady-load.ts";
import { folderBytes, greatest, sampleUsage, sizeOf, type Usage } from "./usage.ts";

export interface OperateOptions {
  /** How many answers of the past the database has. */
  readonly answers: number;
  readonly seconds: number;
  /** How many callers ask at a time. */
  readonly askers: number;
  /** Answers that are older than this are pruned in every round. */
  readonly keptSeconds: number;
  readonly onStatus?: (status: string) => void;
}

export interface OperateReport {
  readonly numbers: Record<string, number | string>;
  readonly violations: string[];
}

/** What may come on top of the first half's greatest use in the second half, before it counts as growth without end. */
const MEMORY_SLACK = 100_000_000;
const DISK_SLACK = 100_000_000;
const RECORDS_SLACK = 15_000_000;

export async function operateUnderLoad(options: OperateOptions): Promise<OperateReport> {
  const folder = await mkdtemp(join(tmpdir(), "portcullis-operate-"));
  try {
    return await operateIn(folder, options);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function operateIn(folder: string, options: OperateOptions): Promise<OperateReport> {
  const { answers, seconds, askers, keptSeconds, onStatus = () => undefined } = options;
  const path = join(folder, "records.db");
  const archive = join(folder, "archive");
  const environment = { DATABASE_URL: path, RETAIN_DAYS: "30", RETAIN_EXPORT: archive, LOG_LEVEL: "warn" };
  const violations: string[] = [];

  onStatus("filling");
  await answerInThePast(path, answers);
  const filled = sizeOf(path);

  const began = performance.now();
  const service = startServiceProcess(folder, { ...environment, PORT: "0", LOG_LEVEL: "info" });
  const url = await service.ready();
  const startMs = performance.now() - began;

  const load = startSteadyLoad(createClient({ baseUrl: url }), askers);
  const usage = sampleUsage(service.pid, path);
  const end = performance.now() + seconds * 1_000;
  const rounds: Round[] = [];
  do {
    const left = Math.round((end - performance.now()) / 1_000);
    onStatus(`${load.counts.requests} requests, ${rounds.length} backups restored, ${left} s left`);
    rounds.push(await operateOnce(folder, environment, load.acknowledged, { round: rounds.length, keptSeconds }));
    violations.push(...(rounds.at(-1)?.violations ?? []));
    await delay(Math.max(0, Math.min(1_000, end - performance.now())));
  } while (performance.now() < end);
  usage.stop();
  await load.stop();
  const { code } = await service.kill("SIGTERM");
  if (code !== 0) violations.push(`the service ended with ${code}`);
  if (load.counts.failed > 0) violations.push(...load.failures.map((failure) => `a request failed: ${failure}`));

  onStatus("checking");
  violations.push(
    ...missingFrom(path, load.acknowledged, archivedAnswers(archive)).map((each) => `at the end ${each}`),
  );
  violations.push(...(await fsckOf({ DATABASE_URL: path })));
  violations.push(...growthOf(usage.samples), ...growthOfBackups(rounds));
  return { numbers: numbersOf({ filled, startMs, load, usage: usage.samples, rounds, archive, path }), violations };
}

interface Round {
  readonly backupMs: number;
  readonly backupBytes: number;
  readonly restoreMs: number;
  readonly pruned: string;
  readonly violations: readonly string[];
}

/** Prunes, backs up and restores once, each by its command, beside the service that is under load. */
async function operateOnce(
  folder: string,
  environment: Readonly<Record<string, string>>,
  acknowledged: Acknowledged,
  { round, keptSeconds }: { readonly round: number; readonly keptSeconds: number },
): Promise<Round> {
  const violations: string[] = [];
  const run = async (name: string, args: readonly string[], variables = environment) => {
    const started = performance.now();
    const { code, err } = await runCommand(name, args, variables);
    if (code !== 0) violations.push(`${name} failed in round ${round}: ${err.trim()}`);
    return { ms: performance.now() - started, err };
  };
  const before = new Date(Date.now() - keptSeconds * 1_000).toISOString();
  const pruned = await run("prune", ["--before", before]);

  const known = structuredClone(acknowledged);
  const [backup, elsewhere] = [join(folder, "backup"), join(folder, "restored")];
  const taken = await run("backup", [backup]);
  const backupBytes = sizeOf(join(backup, "records.db"));
  mkdirSync(elsewhere);
  const restored = { DATABASE_URL: join(elsewhere, "records.db") };
  const { ms } = await run("restore", [backup], restored);
  if (violations.length === 0) {
    const archived = archivedAnswers(join(folder, "archive"));
    violations.push(...missingFrom(restored.DATABASE_URL, known, archived).map((each) => `in backup ${round} ${each}`));
    violations.push(...(await fsckOf(restored)));
  }
  for (const each of [backup, elsewhere]) rmSync(each, { recursive: true, force: true });
  return { backupMs: taken.ms, backupBytes, restoreMs: ms, pruned: pruned.err.trim(), violations };
}

async function fsckOf(environment: Readonly<Record<string, string>>): Promise<string[]> {
  const { code, out, err } = await runCommand("fsck", [], environment);
  return code === 0 ? [] : [`fsck: ${(out + err).slice(0, 1_000)}`];
}

/** What was acknowledged and is neither on record nor, for an answer, in the archive. */
function missingFrom(path: string, acknowledged: Acknowledged, archived: ReadonlySet<string>): string[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const column = (sql: string) =>
      new Set(
        database
          .prepare(sql)
          .all()
          .map((row) => Object.values(row)[0]),
      );
    const memories = column("SELECT memory_id FROM memories");
    const answers = column("SELECT answer_id FROM receipts");
    const [version] = column("SELECT value FROM counters WHERE name = 'policy'");
    const lostMemories = acknowledged.memories.filter((id) => !memories.has(id));
    const lostAnswers = acknowledged.answers.filter((id) => !answers.has(id) && !archived.has(id));
    return [
      ...(lostMemories.length > 0 ? [`${lostMemories.length} memories are missing`] : []),
      ...(lostAnswers.length > 0 ? [`${lostAnswers.length} receipts are missing`] : []),
      ...(Number(version) < acknowledged.policyVersion ? ["a change of the policy is missing"] : []),
    ];
  } finally {
    database.close();
  }
}

const archivedFiles = new Map<string, readonly string[]>();

function archivedAnswers(archive: string): Set<string> {
  const ids = new Set<string>();
  for (const name of readdirSync(archive).filter((file) => file.startsWith("receipts-"))) {
    const path = join(archive, name);
    const key = `${path} ${sizeOf(path)}`;
    const known = archivedFiles.get(key) ?? answersIn(path);
    archivedFiles.set(key, known);
    for (const id of known) ids.add(id);
  }
  return ids;
}

const answersIn = (path: string): string[] =>
  [
    ...gunzipSync(readFileSync(path))
      .toString()
      .matchAll(/^\{"kind":"receipt","answerId":"(\w+)"/gm),
  ].map(([, id = ""]) => id);

/** Of the samples after the first quarter, in which caches fill and the old answers are pruned. */
function growthOf(samples: readonly Usage[]): string[] {
  const steady = samples.slice(Math.floor(samples.length / 4));
  const half = steady.length >> 1;
  const growth = (what: keyof Usage) => greatest(steady.slice(half), what) - greatest(steady.slice(0, half), what);
  return [
    ...(growth("memory") > MEMORY_SLACK ? [`memory grew by ${megabytes(growth("memory"))}`] : []),
    ...(growth("database") > DISK_SLACK ? [`the database grew by ${megabytes(growth("database"))}`] : []),
  ];
}

/**
 * A backup has no free pages, so its size is what the records take. The file's size shows nothing here: after the first
 * pruning it has room for many answers.
 */
function growthOfBackups(rounds: readonly Round[]): string[] {
  const steady = rounds.slice(Math.ceil(rounds.length / 4)).map(({ backupBytes }) => backupBytes);
  const half = steady.length >> 1;
  if (half === 0) return [];
  const growth = Math.max(...steady.slice(half)) - Math.max(...steady.slice(0, half));
  return growth > RECORDS_SLACK ? [`the records grew by ${megabytes(growth)}`] : [];
}

interface Measured {
  readonly filled: number;
  readonly startMs: number;
  readonly load: ReturnType<typeof startSteadyLoad>;
  readonly usage: readonly Usage[];
  readonly rounds: readonly Round[];
  readonly archive: string;
  readonly path: string;
}

function numbersOf({ filled, startMs, load, usage, rounds, archive, path }: Measured): OperateReport["numbers"] {
  const { counts, acknowledged } = load;
  const longest = (key: "backupMs" | "restoreMs") => Math.max(...rounds.map((round) => round[key]));
  const over = (what: keyof Usage) =>
    [0, 0.25, 0.5, 0.75, 1].map((part) =>
      megabytes(usage[Math.min(usage.length - 1, Math.floor(part * usage.length))]?.[what] ?? 0),
    );
  return {
    "database of the past": megabytes(filled),
    "started in": `${(startMs / 1_000).toFixed(1)} s`,
    requests: counts.requests,
    "of them failed": counts.failed,
    answers: acknowledged.answers.length,
    "memory over time": over("memory").join(", "),
    "memory at most": megabytes(greatest(usage, "memory")),
    "database over time": over("database").join(", "),
    "database at most": megabytes(greatest(usage, "database")),
    "database at the end": megabytes(sizeOf(path)),
    "archive at the end": megabytes(folderBytes(archive)),
    "backups taken, restored and checked": rounds.length,
    "a backup took at most": `${(longest("backupMs") / 1_000).toFixed(1)} s`,
    "a restore took at most": `${(longest("restoreMs") / 1_000).toFixed(1)} s`,
    "backups over time": rounds.map(({ backupBytes }) => megabytes(backupBytes)).join(", "),
    "pruned first": rounds[0]?.pruned ?? "",
    "pruned last": rounds.at(-1)?.pruned ?? "",
  };
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`;
