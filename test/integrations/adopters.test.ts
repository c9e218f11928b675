// The programs of examples/adopt, before and after they use the service: how many lines change, and that they run.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { COMPILE_CACHE } from "#test/support/compile-cache.ts";
import { keyedServiceForTest } from "#test/support/keyed-service.ts";
import { findPython, NO_PYTHON, runPython } from "#test/support/python.ts";

const FOLDER = new URL("../../examples/adopt/", import.meta.url);
const SOURCE = new URL("../support/package-from-source.ts", import.meta.url).href;
const read = (name: string) => readFileSync(new URL(name, FOLDER), "utf8");

/** The lines of `after` that are not in `before`, in its order: by the longest common subsequence, empty lines aside. */
function changedLines(before: string, after: string): number {
  const [old, now] = [before, after].map((text) => text.split("\n").filter((line) => line.trim() !== "")) as [
    string[],
    string[],
  ];
  let lengths = new Array<number>(old.length + 1).fill(0);
  for (const line of now) {
    const next = [0];
    for (const [i, other] of old.entries())
      next.push(line === other ? (lengths[i] ?? 0) + 1 : Math.max(next[i] ?? 0, lengths[i + 1] ?? 0));
    lengths = next;
  }
  return now.length - (lengths.at(-1) ?? 0);
}

const page = readFileSync(new URL("../../docs/integrate.md", import.meta.url), "utf8");
const ROW = /^\| .*?\| (\d+) \| \[`(\S+)`\]\(\.\.\/examples\/adopt\/\2\) \|$/gm;
const rows = [...page.matchAll(ROW)].map(([, lines, after = ""]) => ({ lines: Number(lines), after }));

test("docs/integrate.md says of six adopters how many lines change, and so many do", () => {
  expect(rows).toHaveLength(6);
  const counted = rows.map(({ after }) => ({
    after,
    lines: changedLines(read(after.replace("-after.", "-before.")), read(after)),
  }));
  expect(rows).toEqual(counted);
  const linesOf = (name: string) => rows.find(({ after }) => after.startsWith(name))?.lines;
  expect([linesOf("gateway"), linesOf("python"), linesOf("ai-sdk")]).toEqual([2, 4, 3]);
});

async function world() {
  const { url, admin, keyFor } = await keyedServiceForTest({ environment: { SEED: "none" } });
  for (const [namespace, allowed] of [
    ["diet", true],
    ["safe", false],
  ] as const)
    await admin.setAccess({ agentId: "cook", namespace, allowed });
  const { key, client } = await keyFor("agent:cook", { captures: ["diet", "safe"] });
  await client.capture({ namespace: "diet", content: "Avoid peanuts at dinner." });
  await client.capture({ namespace: "safe", content: "The canary sings at dinner." });
  return { env: { PORTCULLIS_URL: url, PORTCULLIS_KEY: key } };
}

const SAYS_WHAT_IS_OPEN = /^(?![\s\S]*canary)[\s\S]*Avoid peanuts at dinner\./;

test.for(rows.filter(({ after }) => after.endsWith(".ts")))(
  "$after is given what is open, and nothing else",
  async ({ after }) => {
    const { env } = await world();
    const models = await (
      await fetch(`${env.PORTCULLIS_URL}/v1/models`, { headers: { authorization: `Bearer ${env.PORTCULLIS_KEY}` } })
    ).json();
    const program = fileURLToPath(new URL(after, FOLDER));
    const { stdout } = await promisify(execFile)(process.execPath, ["--import", SOURCE, program], {
      env: { ...COMPILE_CACHE, ...env, MODEL: (models as { data: [{ id: string }] }).data[0].id },
    });
    expect(stdout).toMatch(SAYS_WHAT_IS_OPEN);
  },
);

test("python-after.py is given what is open, and nothing else", async ({ skip }) => {
  const python = await findPython();
  if (python === undefined) return skip(NO_PYTHON);
  const { env: environment } = await world();
  const args = [fileURLToPath(new URL("python-after.py", FOLDER))];
  const { code, out } = await runPython({ python, args, environment });
  expect([code, out]).toEqual([0, expect.stringMatching(SAYS_WHAT_IS_OPEN)]);
});

test("mcp-after.json leads a host to the tools, which give what is open, and nothing else", async () => {
  const { env } = await world();
  const filled = read("mcp-after.json").replaceAll(/\$\{(\w+)\}/g, (_, name) => env[name as keyof typeof env]);
  const { url, headers } = JSON.parse(filled).mcpServers.portcullis;
  const client = new Client({ name: "host", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  const recalled = await client.callTool({ name: "recall", arguments: { query: "What should I avoid at dinner?" } });
  expect(JSON.stringify(recalled)).toMatch(SAYS_WHAT_IS_OPEN);
  await client.close();
});
