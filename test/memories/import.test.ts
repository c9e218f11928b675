// POST /api/memories/import, and the command that sends a file to it.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { memoryBlobs } from "#adapters/blobs/memory.ts";
import type { ImportReply } from "#contract/client/imports.ts";
import { PortcullisError } from "#core/errors.ts";
import { keyedServiceForTest } from "#test/support/keyed-service.ts";
import { portcullis } from "#test/support/portcullis.ts";
import { connectTo, problemIn, send } from "#test/support/send.ts";
import { changingNothing, directoryForTest, type Service, serviceForTest } from "#test/support/service.ts";

const fact = (n: number) => ({ namespace: "diet", content: `Fact number ${n}.`, sourceAgent: "importer" });

async function importAll(service: Service, lines: Iterable<object>): Promise<ImportReply[]> {
  const results: ImportReply[] = [];
  for await (const result of service.client.importMemories(lines)) results.push(result);
  return results;
}

const sendLines = (url: string, body: string | Uint8Array, type = "application/x-ndjson") =>
  send(`${url}/api/memories/import`, { method: "POST", headers: { "content-type": type }, body });

const linesIn = (text: string): ImportReply[] =>
  text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe("an import", () => {
  test("stores every fact, and answers with one line for each in their order", async () => {
    const service = await serviceForTest();
    const results = await importAll(
      service,
      Array.from({ length: 300 }, (_, i) => fact(i)),
    );
    expect(results.map(({ line }) => line)).toEqual(Array.from({ length: 300 }, (_, i) => i + 1));
    expect(results.every(({ memory }, i) => memory?.content === `Fact number ${i}.`)).toBe(true);
    const { memories } = await service.client.listMemories();
    expect(memories.filter(({ sourceAgent }) => sourceAgent === "importer")).toHaveLength(300);
  });

  test("tried as a dry run checks each line, and stores nothing", async () => {
    const service = await serviceForTest();
    const lines = [
      fact(1),
      { ...fact(2), createdAt: "2026-01-01T00:00:00Z" },
      { ...fact(3), supersedes: "mem_none" },
      { ...fact(4), namespace: "dіet" },
      { ...fact(5), expiresAt: "2001-01-01T00:00:00Z" },
    ];
    await changingNothing(service, async () => {
      const results = await Array.fromAsync(service.client.importMemories(lines, { dryRun: "true" }));
      expect(results.map(({ line, dryRun, problem }) => [line, dryRun ?? problem?.code])).toEqual([
        [1, true],
        [2, "invalid-request"],
        [3, "not-found"],
        [4, "confusable-name"],
        [5, "invalid-request"],
      ]);
    });
    expect(await Array.fromAsync(service.client.importMemories([fact(1)], { dryRun: "false" }))).toMatchObject([
      { memory: fact(1) },
    ]);
  });

  test("fails only the lines that are wrong, with a pointer to the fault", async () => {
    const { url } = await serviceForTest();
    const long = JSON.stringify({ ...fact(1), content: "x".repeat(70_000) });
    const body = [
      JSON.stringify(fact(1)),
      "{ no JSON",
      "",
      JSON.stringify({ ...fact(2), content: "" }),
      "[".repeat(100),
      long,
      '{"namespace":"\\ud800","content":"c","sourceAgent":"s"}',
      JSON.stringify(fact(3)),
    ].join("\r\n");
    const results = linesIn((await sendLines(url, body)).text);
    expect(results.map(({ line, problem }) => [line, problem?.code])).toEqual([
      [1, undefined],
      [2, "malformed-json"],
      [4, "invalid-request"],
      [5, "nesting-too-deep"],
      [6, "body-too-large"],
      [7, "invalid-request"],
      [8, undefined],
    ]);
    expect(results[2]?.problem?.errors).toEqual([{ pointer: "#/content", detail: "must not be empty" }]);
  });

  test("takes the first 10,000 lines and reports that there are more", async () => {
    const { url, tenant } = await serviceForTest();
    const body = `${JSON.stringify({ ...fact(0), content: "" })}\n`.repeat(10_050);
    const results = linesIn((await sendLines(url, body)).text);
    expect(results).toHaveLength(10_001);
    expect(results.at(-1)).toMatchObject({ line: 10_001, problem: { code: "body-too-large" } });
    expect((await tenant.records.memories.page({ limit: 100 })).memories).toHaveLength(14);
  });

  test("continues while the blob store fails, and records no memory without its blob", async () => {
    const store = memoryBlobs();
    let [count, failing] = [0, false];
    const put: typeof store.put = (bytes) =>
      failing && ++count % 3 === 0
        ? Promise.reject(new PortcullisError("blob-store-failed", "Not now."))
        : store.put(bytes);
    const service = await serviceForTest({ overrides: { blobs: { ...store, put } } });
    failing = true;
    const results = await importAll(
      service,
      Array.from({ length: 30 }, (_, i) => fact(i)),
    );
    const stored = results.flatMap(({ memory }) => memory?.content ?? []);
    expect(results.filter(({ problem }) => problem?.code === "blob-store-failed")).toHaveLength(10);
    const { memories } = await service.client.listMemories();
    const onRecord = memories.filter(({ sourceAgent }) => sourceAgent === "importer").map(({ content }) => content);
    expect(onRecord.toSorted()).toEqual(stored.toSorted());
  });

  test("has on record everything that it answered before the client went away", async () => {
    const { url, client } = await serviceForTest();
    const { socket, write, until } = await connectTo(url);
    write("POST /api/memories/import HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/x-ndjson\r\n");
    write("transfer-encoding: chunked\r\n\r\n");
    const lines = Array.from({ length: 40 }, (_, i) => `${JSON.stringify(fact(i))}\n`).join("");
    write(`${Buffer.byteLength(lines).toString(16)}\r\n${lines}\r\n`);
    const text = await until('"line":20,');
    socket.resetAndDestroy();
    const answered = [...text.matchAll(/"line":(\d+),"memory"/g)].map(([, line]) => Number(line) - 1);
    const { memories } = await client.listMemories();
    for (const n of answered.slice(0, -1)) {
      expect(memories.some(({ content }) => content === `Fact number ${n}.`)).toBe(true);
    }
  });

  test.for([
    ["application/json", "unsupported-media-type", 415],
    ["text/plain", "unsupported-media-type", 415],
  ] as const)("is refused with the content type %s", async ([type, code, status]) => {
    const { url } = await serviceForTest();
    expect(problemIn(await sendLines(url, "{}", type))).toMatchObject({ code, status });
  });

  test("answers with no line to an import without facts", async () => {
    const { url } = await serviceForTest();
    expect(await sendLines(url, "\n\n")).toMatchObject({ status: 200, text: "" });
  });
});

describe("portcullis import", () => {
  test("imports a file, reports the lines that failed, and exits with 1 if there were any", async () => {
    const { url, client } = await serviceForTest();
    const path = join(await directoryForTest(), "facts.ndjson");
    await writeFile(path, [JSON.stringify(fact(1)), "", "nonsense", "{}", JSON.stringify(fact(2)), ""].join("\n"));
    const ended = await portcullis(["import", path, "--url", url]);
    expect(ended).toMatchObject({ code: 1, err: expect.stringContaining("2 imported, 2 failed") });
    expect(ended.err).toContain("Line 3 is not valid JSON.");
    expect(ended.err).toMatch(/Line 4: .*namespace is required/);
    expect((await client.listMemories()).memories).toHaveLength(16);
  });

  test("sends the key of a file to a service that has identities", async () => {
    const { url, admin, adminKey } = await keyedServiceForTest();
    const directory = await directoryForTest();
    const [path, keyFile] = [join(directory, "facts.ndjson"), join(directory, "key")];
    await writeFile(path, JSON.stringify(fact(1)));
    await writeFile(keyFile, `${adminKey}\n`);
    expect(await portcullis(["import", path, "--url", url])).toMatchObject({ code: 3 });
    const { err } = await portcullis(["import", path, "--url", url, "--key-file", keyFile]);
    expect(err).toContain("1 imported, 0 failed");
    expect((await admin.listMemories({ q: fact(1).content })).memories).toHaveLength(1);
  });

  test("says in one sentence why it cannot run", async () => {
    const { code, err } = await portcullis(["import", "/no/such/file"]);
    expect({ code, err }).toEqual({ code: 1, err: expect.stringMatching(/^import: [^\n]*\/no\/such\/file[^\n]*\n$/) });
  });
});
