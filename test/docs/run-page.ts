// Follows a page as a reader does: one shell in an empty folder, one fresh service, the blocks in their order.
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { COMPILE_CACHE } from "#test/support/compile-cache.ts";
import { PYTHON_ENVIRONMENT } from "#test/support/python.ts";
import { directoryForTest, serviceForTest } from "#test/support/service.ts";
import { type ShellSession, startShell } from "../../scripts/api-examples/shell-session.ts";
import { fillIn, matchOutput, type Words } from "./match-output.ts";
import { type Step, stepsIn } from "./page-blocks.ts";
import type { Page } from "./pages.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const COMMANDS = fileURLToPath(new URL("commands.sh", import.meta.url));
const STARTS_SERVICE = /^npm start/m;

type Command = Extract<Step, { kind: "command" }>;

/** `python`: the one that runs programs of the page. */
export async function runPage(page: Page, python = ""): Promise<void> {
  const folder = await directoryForTest();
  const steps = stepsIn(page);
  const startsService = steps.some((step) => step.kind === "command" && STARTS_SERVICE.test(step.command));
  const port = startsService ? await freePort() : await portOfService(folder);
  const own = { ROOT, PORT: port, PYTHON: python, PORTCULLIS_URL: `http://127.0.0.1:${port}` };
  const environment = { ...COMPILE_CACHE, ...PYTHON_ENVIRONMENT, ...own };
  const shell = await startShell({ folder, environment });
  onTestFinished(() => shell.end());
  await shell.run(`source '${COMMANDS}'`);
  let words: Words = new Map();
  for (const step of steps) {
    if (step.kind === "file") await writeFile(join(folder, step.name), step.text);
    else words = await runStep(shell, step, { words, port });
  }
}

async function runStep(
  shell: ShellSession,
  { command, place, shown }: Command,
  { words, port }: { readonly words: Words; readonly port: string },
): Promise<Words> {
  const local = fillIn(command, words).replaceAll(/(localhost|127\.0\.0\.1):3000\b/g, `$1:${port}`);
  const { output, exitCode } = await shell.run(local);
  const printed = output.replaceAll(`:${port}`, ":3000");
  expect({ exitCode, printed }, place).toEqual({ exitCode: 0, printed });
  if (shown === undefined) return words;
  const isSpread = shown.language === "json" && shown.text.trim().includes("\n");
  const compared = isSpread ? JSON.stringify(JSON.parse(printed), null, 2) : printed;
  const found = matchOutput(shown.text, compared, words);
  if (found === undefined) expect(compared, place).toBe(shown.text);
  return found ?? words;
}

/** The service that a page takes for granted, with its records where `npm start` in this folder would have them. */
async function portOfService(folder: string): Promise<string> {
  await mkdir(join(folder, "data"));
  const { url } = await serviceForTest({ database: join(folder, "data", "portcullis.db") });
  return new URL(url).port;
}

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return `${address.port}`;
}
