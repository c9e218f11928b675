// A process that records answers and publishes the log, as fast as it can, until it is killed. It prints what others then
// rely on: an answer that it acknowledged, and a checkpoint that it published.
import { writeSync } from "node:fs";
import { publishedCheckpoint } from "#adapters/records/sqlite/published-checkpoint.ts";
import { recordsOf } from "#compose/records.ts";
import { readConfig } from "#config.ts";
import { parseCheckpoint } from "#core/log/checkpoint.ts";
import { createTransparencyLog } from "#service/log/transparency-log.ts";
import { receipt } from "#test/suites/records/samples.ts";

export interface WorkerOptions {
  readonly database: string;
  readonly origin: string;
  /** The number of its first answer. */
  readonly first: number;
  /** Of the disk, in megabytes, so that a small one can be used to its end. */
  readonly reserve?: "0" | undefined;
  /** A step that comes before the one that it must follow, to show that the checker notices. */
  readonly swapped?: "acknowledged before recorded" | "read before locked" | undefined;
}

/** One line, whole, before the next step. */
const say = (...words: (string | number)[]) => void writeSync(1, `${words.join(" ")}\n`);

const { database, origin, first, reserve, swapped }: WorkerOptions = JSON.parse(process.argv[2] ?? "");
process.stdin.resume().once("end", () => process.exit());
const config = readConfig({ DATABASE_URL: database, ...(reserve && { DISK_RESERVE_MB: reserve }) });
const records = await recordsOf(config, { serves: true, schemaChange: "upgrade" });
const published = config.records.kind === "sqlite" ? publishedCheckpoint(config.records.path) : undefined;
const log = createTransparencyLog(records, { origin, published });

async function answer(i: number): Promise<void> {
  const { answerId, ...fields } = receipt(i);
  // Auditors see an answer that is opened under a version which ended more than a minute ago.
  const { version: policyVersion } = await records.policy.current();
  const given = { ...fields, answerId, policyVersion, body: `{"answerId":"${answerId}"}` };
  if (swapped === "acknowledged before recorded") say("answer", answerId);
  await records.receipts.begin(given);
  await records.receipts.add(given);
  if (i % 7 === 0) await records.policy.set({ agentId: "a", namespace: `n${i}`, allowed: true }, STAMP);
  say("answer", answerId);
}

const STAMP = { by: "torture", at: "2026-01-02T03:04:05.678Z" };

async function publish(): Promise<void> {
  await log.sequence();
  const checkpoint = parseCheckpoint((await log.published()).note);
  if (checkpoint) say("published", origin, checkpoint.size, Buffer.from(checkpoint.root).toString("hex"));
}

async function repeat(step: () => Promise<void>): Promise<never> {
  for (;;)
    await step().catch((error: Error) => {
      // A lost session is no reason to end. A log that is behind what was published never goes on.
      if (/older than what was published/.test(error.message)) say("refused");
    });
}

let next = first;
say("ready");
await Promise.all([1, 2, 3].map(() => repeat(() => answer(next++))).concat(repeat(publish)));
