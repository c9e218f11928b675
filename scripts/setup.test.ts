// The set-up of a clone, with a stand-in of npm that notes what it is asked and what it has installed.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { directoryForTest } from "#test/support/service.ts";

const SETUP = fileURLToPath(new URL("setup.mjs", import.meta.url));

const NPM = `
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
const args = process.argv.slice(2).filter((word) => !/^--(no-|loglevel)/.test(word));
const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const isWanted = ([path, { dev, optional, os }]) =>
  path !== "" &&
  !(dev && args.includes("--omit=dev")) &&
  !(optional && args.includes("--omit=optional")) &&
  (os ?? [process.platform]).includes(process.platform);
rmSync("node_modules", { recursive: true, force: true });
mkdirSync("node_modules");
const installed = Object.fromEntries(Object.entries(packages).filter(isWanted));
writeFileSync("node_modules/.package-lock.json", JSON.stringify({ packages: installed }));
appendFileSync("npm.log", args.join(" ") + "\\n");
`;

const [ALL, LEAN] = ["ci", "ci --omit=dev --omit=optional"];

/** A compiler for this machine, and one for another. */
const COMPILERS = {
  "node_modules/compiler": { version: "1.0.0", optional: true, os: [process.platform], cpu: [process.arch] },
  "node_modules/compiler-elsewhere": { version: "1.0.0", optional: true, os: ["plan9"], cpu: ["mips"] },
};

async function cloneForTest() {
  const root = await directoryForTest();
  const [npm, log] = [join(root, "npm.mjs"), join(root, "npm.log")];
  const writeLock = (folder: string, packages: object) =>
    writeFile(join(root, folder, "package-lock.json"), JSON.stringify({ packages: { "": {}, ...packages } }));
  await mkdir(join(root, "web"));
  await cp(SETUP, join(root, "scripts", "setup.mjs"));
  await writeFile(npm, NPM);
  await writeLock("web", { "node_modules/react": { version: "1.0.0" } });

  const clone = {
    lock: (version: string) =>
      writeLock("", {
        "node_modules/hono": { version },
        "node_modules/vitest": { version, dev: true },
        ...COMPILERS,
      }),
    /** Somebody runs npm by hand. */
    async install(...args: string[]): Promise<void> {
      execFileSync(process.execPath, [npm, "ci", ...args], { cwd: root });
      await rm(log);
    },
    /** Answers with what the set-up asks of npm for the service. */
    async setUp(...options: string[]): Promise<string[]> {
      const env = { npm_execpath: npm };
      execFileSync(process.execPath, [join(root, "scripts", "setup.mjs"), ...options], { env, stdio: "pipe" });
      const asked = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
      await rm(log, { force: true });
      return asked;
    },
  };
  await clone.lock("1.0.0");
  return clone;
}

const START = ["--lean", "--web", "--or-production"];

test("a start installs no development tools, the tests do, and neither installs anything again", async () => {
  const clone = await cloneForTest();
  expect(await clone.setUp(...START)).toEqual([LEAN]);
  expect(await clone.setUp(...START)).toEqual([]);
  expect(await clone.setUp()).toEqual([ALL]);
  for (const options of [START, [], ["--web"], ["--lean"]]) expect(await clone.setUp(...options)).toEqual([]);
});

test("when the lock file changes, a start keeps the development tools, and installs none where there are none", async () => {
  const clone = await cloneForTest();
  await clone.setUp();
  await clone.lock("1.0.1");
  expect(await clone.setUp(...START)).toEqual([ALL]);
  expect(await clone.setUp()).toEqual([]);

  const lean = await cloneForTest();
  await lean.setUp(...START);
  await lean.lock("1.0.1");
  expect(await lean.setUp(...START)).toEqual([LEAN]);
});

test("what somebody has installed by hand stays, as long as it is what the lock file says", async () => {
  const clone = await cloneForTest();
  await clone.install();
  for (const options of [START, [], ["--web"]]) expect(await clone.setUp(...options)).toEqual([]);
  await clone.lock("1.0.1");
  await clone.install();
  expect(await clone.setUp()).toEqual([]);
  await clone.lock("1.0.2");
  expect(await clone.setUp(...START)).toEqual([ALL]);
});

test("what is optional and made for this machine is missed by the tests alone", async () => {
  const clone = await cloneForTest();
  await clone.install("--omit=optional");
  expect(await clone.setUp(...START)).toEqual([]);
  expect(await clone.setUp()).toEqual([ALL]);
});

test("an installation by hand without development tools is production's: a start leaves it, and the tests add to it", async () => {
  const clone = await cloneForTest();
  await clone.install("--omit=dev", "--omit=optional");
  expect(await clone.setUp(...START)).toEqual([]);
  expect(await clone.setUp("--lean")).toEqual([]);
  expect(await clone.setUp()).toEqual([ALL]);
});
