import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { directoryForTest, serviceForTest } from "#test/support/service.ts";
import { elideLike, parseElided, printElided } from "../../scripts/api-examples/elided-json.ts";
import { runExamples } from "../../scripts/api-examples/examples.ts";
import { examplesIn } from "../../scripts/api-examples/markdown-examples.ts";
import { startShell } from "../../scripts/api-examples/shell-session.ts";
import { stable } from "../../scripts/api-examples/stable.ts";

const DOCUMENT = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");

test("docs/api.md shows what its commands print, in their order; run `npm run api-examples` when it does not", async () => {
  const { url } = await serviceForTest();
  const shell = await startShell({ folder: await directoryForTest() });
  onTestFinished(() => shell.end());
  const { examples } = await runExamples(DOCUMENT, { shell, url });
  const shown = examples.filter(({ documented }) => documented !== "");
  expect(shown.length).toBe(DOCUMENT.match(/^```(?:json|text)$/gm)?.length);
  for (const { command, exitCode, documented, printed } of examples) {
    expect([exitCode, printed], command).toEqual([0, documented]);
  }
});

test("our own curl, for machines that have none, does what the commands ask of it", async () => {
  const { url } = await serviceForTest();
  const shell = await startShell({ folder: await directoryForTest() });
  onTestFinished(() => shell.end());
  const own = fileURLToPath(new URL("../../scripts/api-examples/curl.ts", import.meta.url));
  await shell.run(`curl() { node '${own}' "$@"; }`);
  const fact = '{"namespace":"diet","content":"Loves rice.","sourceAgent":"assistant"}';
  const posted = await shell.run(`curl -s ${url}/api/memories -H 'content-type: application/json' -d '${fact}'`);
  expect(JSON.parse(posted.output).memory.content).toBe("Loves rice.");
  const imported = await shell.run(
    `echo '${fact}' | curl -s ${url}/api/memories/import -H 'content-type: application/x-ndjson' --data-binary @-`,
  );
  expect(JSON.parse(imported.output)).toMatchObject({ line: 1, memory: { content: "Loves rice." } });
  const { output, exitCode } = await shell.run(`curl -sN --max-time 5 -X GET ${url}/api/events -H 'Last-Event-ID: 1'`);
  expect(output).toContain("event: memory-captured");
  expect(exitCode).toBe(28);
});

test("a command is in a block of a shell, and what it prints is in the block after it", () => {
  const document = "```sh\na \\\n  -b\n```\n\n```json\n1\n```\n\n```sh\nc\n```\n\nText.\n\n```json\n{}\n```\n";
  const examples = examplesIn(document);
  expect(examples).toMatchObject([{ command: "a \\\n  -b", shown: "1", language: "json" }, { command: "c" }]);
  expect(examples.map(({ start, end }) => document.slice(start, end))).toEqual(["1", ""]);
});

test("parts that are left out of an example stay left out, and all others are shown", () => {
  const shown = '{\n  "a": [\n    1,\n    …\n  ],\n  …\n  "text": "abc…"\n}';
  const pattern = parseElided(shown);
  expect(printElided(elideLike(pattern, { a: [2, 3, 4], b: 5, text: "xyzuvw" }), shown)).toBe(
    '{\n  "a": [\n    2,\n    …\n  ],\n  …\n  "text": "xyz…"\n}',
  );
  // An object without a line of dots is shown with all its fields, so that a new one is noticed.
  expect(elideLike({ a: 1 }, { a: 2, b: 3 })).toEqual({ a: 2, b: 3 });
});

test("two runs differ in ids, times and keys, and in nothing else", () => {
  const entry = {
    memoryId: `mem_${"0".repeat(26)}`,
    createdAt: "2026-01-02T03:04:05.678Z",
    contentDigest: "a".repeat(64),
  };
  const other = { ...entry, memoryId: `mem_${"1".repeat(26)}`, createdAt: "2027-01-02T03:04:05.678Z" };
  expect(stable(entry)).toEqual(stable(other));
  expect(stable(entry)).not.toEqual(stable({ ...entry, contentDigest: "b".repeat(64) }));
  const evidence = { commitments: { "/answer": "a".repeat(64) } };
  expect(stable(evidence)).toEqual(stable({ commitments: { "/answer": "b".repeat(64) } }));
  expect(stable(evidence)).not.toEqual(stable({ commitments: { "/prompt": "a".repeat(64) } }));
});
