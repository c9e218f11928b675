// The installed package on the oldest Node that it allows: its service, and a program that uses its client and its core.
import { execFile } from "node:child_process";
import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { send } from "#test/support/send.ts";
import { directoryForTest } from "#test/support/service.ts";
import { installedFolder, installedServiceForTest, packageFolder } from "./support/installed.ts";
import { oldestNode } from "./support/oldest-node.ts";

const PROGRAMS = fileURLToPath(new URL("./programs", import.meta.url));
const NODE_TIMEOUT_MS = 300_000;

test(
  "serves, and its client and core do what the documentation says, on the oldest Node that is allowed",
  async () => {
    const node = await oldestNode();
    const directory = await directoryForTest();
    const service = installedServiceForTest(directory, { AUTH: "keys" }, [node.path]);
    const url = await service.ready();
    await expect.poll(service.out).toMatch(/\n {4}\S+\n/);
    const adminKey = /\n {4}(\S+)\n/.exec(service.out())?.[1] ?? "";

    cpSync(join(PROGRAMS, "story.mjs"), join(installedFolder(), "story.mjs"));
    const args = [join(installedFolder(), "story.mjs"), url, adminKey];
    const { stdout } = await promisify(execFile)(node.path, args, { cwd: installedFolder() });
    const [soil, tomatoes] = ["The hydrangea needs acid soil.", "The tomatoes are watered at six."];
    expect(JSON.parse(stdout)).toEqual({
      node: node.version,
      imported: [
        [1, soil],
        [2, tomatoes],
      ],
      refusal: 403,
      before: [],
      blocked: true,
      after: expect.arrayContaining([tomatoes]),
      answer: expect.stringContaining("six"),
      isStreamed: true,
      isSigned: true,
      listed: [tomatoes, soil],
      event: "memory-captured",
      aborted: "AbortError",
      own: expect.arrayContaining([tomatoes]),
      isOpen: true,
      unreachable: "unreachable",
    });
    expect(await service.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  },
  NODE_TIMEOUT_MS,
);

test("serves the app, keeps its data in the working directory, and writes nothing beside its code but a cache", async () => {
  const before = readdirSync(packageFolder(), { recursive: true }).filter((path) => !isCache(path));
  const directory = await directoryForTest();
  const service = installedServiceForTest(directory, {});
  const page = await send(await service.ready(), { headers: { accept: "text/html" } });
  expect(page.text).toContain('<div id="root">');
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page.text)?.[1] ?? "";
  expect((await send(`${await service.ready()}${script}`)).status).toBe(200);
  expect(await service.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(readdirSync(join(directory, "data"))).toContain("portcullis.db");
  expect(readdirSync(packageFolder(), { recursive: true }).filter((path) => !isCache(path))).toEqual(before);
});

const isCache = (path: string | Buffer): boolean => String(path).startsWith("node_modules");
