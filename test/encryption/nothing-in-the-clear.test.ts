// Canaries: nothing of an encrypted memory is in the clear in any file that the service writes, nor in its log. The same
// search finds the canary of an open memory, so that it can fail.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createClient } from "#contract/client/client.ts";
import { runCommand } from "#test/support/run-command.ts";
import { directoryForTest } from "#test/support/service.ts";
import { serviceProcessForTest } from "#test/support/service-process.ts";

const ENCRYPTION_KEY = "c4".repeat(32);
/** Enough for a snapshot of the index when the process ends. */
const MANY = 600;
const LONG_MS = 300_000;

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

/** The files that hold the word, in UTF-8, UTF-16, hex or base64 at any offset. */
function filesWith(folder: string, word: string): string[] {
  const utf8 = Buffer.from(word);
  const inner = (offset: number) =>
    Buffer.concat([Buffer.alloc(offset), utf8])
      .toString("base64")
      .slice(offset === 0 ? 0 : 4, -4);
  const forms = [utf8, Buffer.from(word, "utf16le"), Buffer.from(utf8.toString("hex"))].concat(
    [0, 1, 2].map((offset) => Buffer.from(inner(offset))),
  );
  return filesIn(folder).filter((path) => {
    const bytes = readFileSync(path);
    return forms.some((form) => bytes.includes(form));
  });
}

async function importFacts(url: string, namespace: string, word: string, length = MANY): Promise<void> {
  const facts = Array.from({ length }, (_, i) => ({
    namespace,
    content: `${word} number ${i}`,
    sourceAgent: "s",
  }));
  const body = facts.map((fact) => `${JSON.stringify(fact)}\n`).join("");
  const headers = { "content-type": "application/x-ndjson" };
  const reply = await fetch(`${url}/api/memories/import`, { method: "POST", headers, body }).then((r) => r.text());
  expect(reply).not.toContain('"error"');
}

test("an encrypted text is in no file of the database, of its backup or of the index, and not in the log", {
  timeout: LONG_MS,
}, async () => {
  const cwd = await directoryForTest();
  const environment = { PORT: "0", DATABASE_URL: "memories.db", ENCRYPTION_KEY, SEED: "none", LOG_LEVEL: "debug" };
  const service = serviceProcessForTest(cwd, environment);
  const url = await service.ready();
  const client = createClient({ baseUrl: url });
  await client.putNamespace({ name: "vault" }, { encrypted: true });
  for (const namespace of ["vault", "plain", "later"])
    await client.setAccess({ agentId: "a", namespace, allowed: true });
  await importFacts(url, "vault", "Xylocanary");
  await importFacts(url, "plain", "Openquokka");
  await importFacts(url, "later", "Latewombat", 60);
  for (const query of ["Xylocanary number 5?", "Latewombat number 5?"]) {
    const { receipt } = await client.chat({ agentId: "a", query });
    expect(receipt.usedMemories.length).toBeGreaterThan(0);
  }
  expect(filesWith(cwd, "Xylocanary")).toEqual([]);
  expect(filesWith(cwd, "Openquokka")).not.toEqual([]);

  // An open namespace that is encrypted later.
  await client.putNamespace({ name: "later" }, { encrypted: true });
  const openOnes = async () =>
    (await client.listMemories({ namespace: "later", limit: 200 })).memories.filter(({ encrypted }) => !encrypted)
      .length;
  await expect.poll(openOnes, { timeout: LONG_MS }).toBe(0);
  const backup = await runCommand("backup", [join(cwd, "backup")], { DATABASE_URL: "memories.db" }, cwd);
  expect(backup).toMatchObject({ code: 0 });
  await service.kill("SIGTERM");

  expect(filesIn(cwd).length).toBeGreaterThan(3);
  expect(filesIn(join(cwd, "memories.db.index")).length).toBe(1);
  for (const word of ["Xylocanary", "Latewombat"]) {
    expect(filesWith(cwd, word)).toEqual([]);
    expect(service.out()).not.toContain(word);
  }
  const withOpen = filesWith(cwd, "Openquokka").map((path) => path.slice(cwd.length + 1));
  expect(withOpen).toEqual(expect.arrayContaining(["memories.db", expect.stringMatching(/^backup/)]));

  // With the key the next process answers from what it decrypts.
  const next = serviceProcessForTest(cwd, environment);
  const again = createClient({ baseUrl: await next.ready() });
  const { memories } = await again.recall({ agentId: "a", query: "Xylocanary number 77" });
  expect(memories.map(({ content }) => content)).toContain("Xylocanary number 77");
});
