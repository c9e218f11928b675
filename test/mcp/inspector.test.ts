// The inspector of the MCP project, as a person runs it in a terminal.
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createWorld, type World } from "#test/identity/world.ts";
import { directoryForTest } from "#test/support/service.ts";
import { asProcess } from "./clients.ts";

const PACKAGE = "@modelcontextprotocol/inspector";
const INSPECTOR = fileURLToPath(
  new URL("clients/launcher/build/index.js", import.meta.resolve(`${PACKAGE}/package.json`)),
);

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.service.stop());

/** Its catalogue of servers stands in the home directory. */
async function inspect(args: readonly string[]) {
  const home = await directoryForTest();
  const child = spawn(process.execPath, [INSPECTOR, "--cli", ...args], {
    env: { HOME: home, PATH: "/usr/bin:/bin" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const code = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { out, err, code: await code };
}

test("It calls a tool over HTTP", async () => {
  const { url } = world.service;
  const header = ["--header", `Authorization: Bearer ${world.keys.agent}`];
  const call = ["--method", "tools/call", "--tool-name", "explain_access"];
  const { out, err, code } = await inspect([`${url}/mcp`, "--transport", "http", ...header, ...call]);
  expect(code, err).toBe(0);
  expect(JSON.parse(out).structuredContent).toMatchObject({ agentId: "assistant", allowedNamespaces: ["diet"] });
});

test("It lists the tools of the process, and finds no error in their schemas, and no doubt about what they take", async () => {
  const { command, args, env } = asProcess({ url: world.service.url, key: world.keys.agent });
  const variables = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  const list = ["--method", "tools/list", "--strict"];
  // What follows `--` is the server's own.
  const { out, err, code } = await inspect([...variables, ...list, "--", command, ...args]);
  expect(code, err).toBe(0);
  expect(JSON.parse(out).tools).toHaveLength(8);
  expect(err).not.toContain("inputSchema");
});
