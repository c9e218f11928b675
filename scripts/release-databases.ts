// Writes the databases that test/operations/release-databases.test.ts starts on, as this version leaves them:
//   node scripts/release-databases.ts
// Run it once for each release, into a folder of its own, and never again for one that is out. It needs PostgreSQL's
// pg_dump.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gzipSync } from "node:zlib";
import { startPostgres } from "#test/support/postgres/server.ts";
import { startService } from "#test/support/start-service.ts";
import packageJson from "../package.json" with { type: "json" };

const FOLDER = new URL(`../test/vectors/release-${packageJson.version}/`, import.meta.url);
mkdirSync(FOLDER, { recursive: true });
const write = (name: string, data: string | Uint8Array) =>
  writeFileSync(new URL(`${name}.gz`, FOLDER), gzipSync(data, { level: 9 }));

const temporary = mkdtempSync(join(tmpdir(), "portcullis-release-"));
const server = await startPostgres();
try {
  const path = join(temporary, "records.db");
  await use(path);
  const database = new DatabaseSync(path);
  database.exec("PRAGMA journal_mode = DELETE; VACUUM");
  database.close();
  write("records.db", readFileSync(path));
  write("ledger-key", readFileSync(`${path}.ledger-key`));

  await use(server.url);
  const options = ["--schema=portcullis", "--inserts", "--no-owner", "--no-privileges"];
  const dump = execFileSync("pg_dump", [...options, server.url], { encoding: "utf8", maxBuffer: 1e8 });
  // Commands of psql, which are no SQL.
  write("records.sql", dump.replaceAll(/^\\.*\n/gm, ""));
} finally {
  await server.stop();
  rmSync(temporary, { recursive: true });
}

/** A little of everything that a service records. */
async function use(database: string): Promise<void> {
  const service = await startService({ database, environment: { SEED: "demo", KEEP_QUESTIONS: "true" } });
  const { client } = service;
  const fact = { namespace: "garden", sourceAgent: "gardener", content: "The blue hydrangea needs acid soil." };
  await client.capture({ ...fact, key: "hydrangea" });
  await client.capture({ ...fact, key: "hydrangea", content: "The hydrangea, now pink, needs chalky soil." });
  const { memory: forgotten } = await client.capture({ ...fact, content: "The gate squeaks." });
  await client.forgetMemory(forgotten);
  const { memory: pinned } = await client.capture({ ...fact, content: "Water at six." });
  await client.updateMemory(pinned, { pinned: true });
  await client.setAccess({ agentId: "gardener", namespace: "garden", allowed: true });
  const { receipt } = await client.chat({ agentId: "gardener", query: "Which soil does the hydrangea need?" });
  await client.chat({ agentId: "assistant", query: "What is planned for dinner on Friday?" });
  await client.anchorReceipt({ receipt });
  await client.anchorOnChain({ receipt });
  await client.setAccess({ agentId: "assistant", namespace: "finance", allowed: false });
  await service.stop();
}
