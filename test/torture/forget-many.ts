// Forgets very many memories in steps, and kills the service in the middle. What was forgotten stays forgotten, the next
// run goes on with the rest, and nothing else is lost.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { recordsOf } from "#compose/records.ts";
import { composeParts } from "#compose.ts";
import { readConfig } from "#config.ts";
import { createClient } from "#contract/client/client.ts";
import { contentAddress, digestHex } from "#core/encoding/digest.ts";
import { policyFrom } from "#core/gate/policy.ts";
import { factBytes } from "#core/memory.ts";
import type { MemoryOnRecord, RecordStore } from "#ports.ts";
import { newId } from "#service/ids.ts";
import { fsck } from "#service/operations/fsck/fsck.ts";
import type { Tenant } from "#service/tenant.ts";
import { fetchWithoutKeepAlive } from "#test/support/fetch-without-keep-alive.ts";
import { freshDatabase } from "#test/support/postgres/databases.ts";
import { startPostgres } from "#test/support/postgres/server.ts";
import { runCommand } from "#test/support/run-command.ts";
import { type ServiceProcess, startServiceProcess } from "#test/support/service-process.ts";

interface ForgetManyOptions {
  readonly database: "sqlite" | "postgres";
  readonly memories: number;
  readonly onProgress?: (forgotten: number) => void;
}

export interface ForgetManyReport {
  /** Acknowledged before the kill, and said by the command after it. */
  before: number;
  after: number;
  /** How long the command took. */
  seconds: number;
  readonly violations: string[];
}

const NAMESPACES = 10;
const [GONE, KEPT] = ["leaver", "stayer"] as const;
/** So many memories of the other source agent stay. */
const OTHERS = 200;
/** So many are history when they are forgotten. */
const SUPERSEDED = 20;
/** The kill comes so long after a step was sent, at most. */
const LONGEST_STEP_MS = 50;
const STAMP = { by: "torture", at: "2026-01-02T03:04:05.678Z" };

export async function forgetMany({ database, memories, onProgress }: ForgetManyOptions): Promise<ForgetManyReport> {
  const folder = await mkdtemp(join(tmpdir(), "portcullis-forget-"));
  const server = database === "postgres" ? await startPostgres() : undefined;
  const url = server === undefined ? join(folder, "records.db") : (await freshDatabase(server.url)).url;
  const environment = { PORT: "0", DATABASE_URL: url, SEED: "none", LOG_LEVEL: "info" };
  const report: ForgetManyReport = { before: 0, after: 0, seconds: 0, violations: [] };
  let service: ServiceProcess | undefined;
  try {
    await fill(url, memories);
    service = startServiceProcess(folder, environment);
    report.before = await forgetHalf(await service.ready(), memories, onProgress);
    // One more step is under way when the process ends.
    const client = createClient({ baseUrl: await service.ready(), fetch: fetchWithoutKeepAlive });
    const last = client.forgetMemories({ sourceAgent: GONE }).catch(() => undefined);
    await delay(Math.random() * LONGEST_STEP_MS);
    await service.kill("SIGKILL");
    report.before += (await last)?.forgotten ?? 0;

    service = startServiceProcess(folder, environment);
    const began = performance.now();
    const { code, out, err } = await runCommand("forget", ["--source-agent", GONE, "--url", await service.ready()], {});
    report.seconds = (performance.now() - began) / 1_000;
    report.after = Number(/^(\d+) forgotten$/m.exec(out + err)?.[1]);
    if (code !== 0) report.violations.push(`The command ended with ${code}: ${err}`);
    report.violations.push(...(await withRecords(url, (tenant) => check(tenant, memories, report))));
  } finally {
    await service?.kill("SIGKILL");
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  }
  return report;
}

async function forgetHalf(url: string, memories: number, onProgress?: (forgotten: number) => void): Promise<number> {
  const client = createClient({ baseUrl: url, fetch: fetchWithoutKeepAlive });
  let forgotten = 0;
  do {
    forgotten += (await client.forgetMemories({ sourceAgent: GONE, reason: "moved away" })).forgotten;
    onProgress?.(forgotten);
  } while (forgotten < memories / 2);
  return forgotten;
}

/** Written to the records themselves: over HTTP it would take long. */
async function fill(url: string, memories: number): Promise<void> {
  const records = await recordsOf(readConfig({ DATABASE_URL: url }), { serves: true });
  const leaving = Array.from({ length: memories - SUPERSEDED }, (_, i) => newMemory(`Fact ${i}.`, GONE));
  const staying = Array.from({ length: OTHERS }, (_, i) => newMemory(`Other fact ${i}.`, KEPT));
  await records.reset([...leaving, ...staying], policyFrom([]), STAMP);
  for (const { memoryId, namespace, content } of leaving.slice(0, SUPERSEDED))
    await records.memories.add({ ...newMemory(`New: ${content}`, GONE, namespace), supersedes: memoryId });
  await records.close();
}

let count = 0;

function newMemory(
  content: string,
  sourceAgent: string,
  namespace = `namespace ${++count % NAMESPACES}`,
): MemoryOnRecord {
  const fact = { content, namespace, sourceAgent };
  const bytes = factBytes(fact);
  const contentDigest = digestHex(bytes);
  return { memoryId: newId("mem"), storeRef: contentAddress(bytes), ...fact, createdAt: STAMP.at, contentDigest };
}

async function check(tenant: Tenant, memories: number, { before, after }: ForgetManyReport): Promise<string[]> {
  const violations: string[] = [];
  const { bySourceAgent } = await tenant.records.memories.counts();
  const left = (bySourceAgent.get(GONE) ?? 0) + (await historyOf(tenant.records));
  if (left > 0) violations.push(`${left} memories were not forgotten`);
  if (bySourceAgent.get(KEPT) !== OTHERS) violations.push(`${bySourceAgent.get(KEPT)} of ${OTHERS} others are left`);
  const tombstones = await tenant.records.audit(async ({ rows }) => {
    let found = 0;
    for await (const { cause } of rows("forgotten")) if (cause === "forgotten") found += 1;
    return found;
  });
  if (tombstones !== memories) violations.push(`there are ${tombstones} tombstones of ${memories} memories`);
  // The step that was under way may have taken effect without an acknowledgement.
  if (before + after > memories) violations.push(`${before} and ${after} of ${memories} were said to be forgotten`);
  await fsck(tenant, { onDifference: ({ about, id, detail }) => violations.push(`fsck: ${about} ${id}: ${detail}`) });
  return violations;
}

const historyOf = async ({ memories }: RecordStore) =>
  (await memories.page({ superseded: true, limit: 1 })).memories.length;

async function withRecords<T>(url: string, job: (tenant: Tenant) => Promise<T>): Promise<T> {
  const tenant = await composeParts(readConfig({ DATABASE_URL: url }));
  try {
    return await job(tenant);
  } finally {
    await tenant.ledger.close();
    await tenant.records.close();
  }
}
