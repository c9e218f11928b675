// The command as a process: what only a process shows. Processes start slowly, so there are few.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { COMMAND_MAIN } from "#test/support/built-service.ts";
import { COMPILE_CACHE } from "#test/support/compile-cache.ts";
import { portcullis } from "#test/support/portcullis.ts";
import { runCommand } from "#test/support/run-command.ts";
import { directoryForTest, serviceForTest } from "#test/support/service.ts";
import { serviceProcessForTest } from "#test/support/service-process.ts";

function start(args: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const child: ChildProcessByStdio<null, Readable, Readable> = spawn(process.execPath, [...args], {
    env: { ...COMPILE_CACHE, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return { child, closed: once(child, "close"), err: text(child.stderr) };
}

/** What Node itself says about its CPU time, in ms. Time on the wall depends on what else the machine does. */
async function cpuMs(args: readonly string[]): Promise<number> {
  const report = "process.on('exit',()=>process._rawDebug(process.cpuUsage().user+process.cpuUsage().system))";
  const { child, err } = start(["--import", `data:text/javascript,${report}`, ...args]);
  child.stdout.resume();
  return Number((await err).trim().split("\n").at(-1)) / 1_000;
}

test("--help costs less than four times what Node itself costs, which is 150 ms where Node takes 38", async () => {
  // The first run fills the compile cache, in which types are stripped as they are in the package.
  await cpuMs([COMMAND_MAIN, "--help"]);
  const times = { node: Number.POSITIVE_INFINITY, help: Number.POSITIVE_INFINITY };
  for (let i = 0; i < 5; i++) {
    times.node = Math.min(times.node, await cpuMs(["-e", "0"]));
    times.help = Math.min(times.help, await cpuMs([COMMAND_MAIN, "--help"]));
  }
  expect(times.help).toBeGreaterThan(times.node);
  expect(times.help / times.node).toBeLessThan(4);
});

test("a reader that has enough ends a list without an error, as `| head` does", async () => {
  const { url, client } = await serviceForTest();
  const facts = Array.from({ length: 1_000 }, (_, i) => ({
    namespace: "n",
    content: `${i} ${"x".repeat(500)}`,
    sourceAgent: "s",
  }));
  for await (const { problem } of client.importMemories(facts)) expect(problem).toBeUndefined();
  const { child, closed, err } = start([COMMAND_MAIN, "memories", "--all", "--json", "--url", url]);
  await once(child.stdout, "data");
  child.stdout.destroy();
  expect(await closed).toEqual([0, null]);
  expect(await err).toBe("");
});

test("Ctrl-C ends a stream with 130 and without a word", async () => {
  const { url, client } = await serviceForTest();
  const { child, closed, err } = start([COMMAND_MAIN, "events"], { PORTCULLIS_URL: url });
  let out = "";
  child.stdout.setEncoding("utf8").on("data", (piece: string) => {
    out += piece;
  });
  await expect
    .poll(async () => {
      await client.capture({ namespace: "diet", content: `Fact ${Math.random()}.`, sourceAgent: "s" });
      return out;
    })
    .toMatch(/memory-captured +.*namespace=diet/);
  child.kill("SIGINT");
  expect(await closed).toEqual([130, null]);
  expect(await err).toBe("");
});

test("a file .env of a stranger's folder cannot send the user's key to another service", async () => {
  const asked: string[] = [];
  const thief = createServer((request, response) => {
    asked.push(String(request.headers.authorization));
    response.end("{}");
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void thief.close().closeAllConnections());
  await once(thief, "listening");
  const folder = await directoryForTest();
  await writeFile(join(folder, ".env"), `PORTCULLIS_URL=http://127.0.0.1:${(thief.address() as AddressInfo).port}\n`);
  await runCommand("policy", [], { PORTCULLIS_KEY: "portcullis_secret" }, folder);
  expect(asked).toEqual([]);
});

test("serve starts the service, health says that it lives, and SIGTERM stops it", async () => {
  const directory = await directoryForTest();
  const command = [process.execPath, COMMAND_MAIN, "serve"];
  const service = serviceProcessForTest(directory, { PORT: "0", DATABASE_URL: "p.db" }, { command });
  const { port } = new URL(await service.ready());
  expect(await portcullis(["health", "--json"], { settings: { PORT: port } })).toMatchObject({
    code: 0,
    out: '{"live":true}\n',
  });
  expect(await service.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  expect(await portcullis(["health"], { settings: { PORT: port } })).toMatchObject({ code: 1, out: "" });
});
