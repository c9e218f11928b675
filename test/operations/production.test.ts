// A production install: the steps of the Containerfile in a clean folder, then the service as a user who cannot write to
// the code, with no development dependencies and no registry.
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildStages, type Stage } from "#test/support/production/container-file.ts";
import { runs } from "#test/support/runs.ts";
import { post, send } from "#test/support/send.ts";
import { serviceProcessForTest } from "#test/support/service-process.ts";
import packageJson from "../../package.json" with { type: "json" };

const CLONE = fileURLToPath(new URL("../..", import.meta.url));
const NOWHERE = "http://127.0.0.1:9/";
/** `npm run torture -- properties` does. */
const BUILDS_AGAIN = runs(1, 0) === 1;
const isRoot = process.getuid?.() === 0;

describe.skipIf(!isRoot)("an installation by the steps of the Containerfile (skipped unless run by root)", () => {
  const folder = mkdtempSync(join(tmpdir(), "portcullis-production-"));
  // The base image's Node: a copy of ours, since the clone may be closed to other users.
  const node = join(folder, "bin", "node");
  const path = `${dirname(node)}:${pathWithoutModules()}`;
  let stage: Stage;

  beforeAll(() => {
    mkdirSync(dirname(node));
    cpSync(process.execPath, node);
    execFileSync("chmod", ["0755", folder]);
    const environment = { PATH: path, HOME: folder, npm_config_cache: npmCache(), npm_config_prefer_offline: "true" };
    stage = buildStages({
      context: CLONE,
      folder,
      environment,
      // Saves the download of what builds the page. The other stage installs from the lock file.
      beforeRun: ({ name, workdir }) => {
        if (name !== "built") return;
        const bring = (path: string) => execFileSync("cp", ["-a", join(CLONE, path), join(workdir, path)]);
        if (BUILDS_AGAIN) return ["node_modules", "web/node_modules"].forEach(bring);
        // What this run has built already. It counts only for the same sources, so nothing is built if all are there.
        for (const path of ["dist", "web/dist"]) bring(path);
        for (const path of ["node_modules", "web/node_modules"]) symlinkSync(join(CLONE, path), join(workdir, path));
      },
    });
    rmSync(join(folder, "built"), { recursive: true });
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const owner = () => {
    const [uid = 0, gid = 0] = stage.user.split(":").map(Number);
    return { uid, gid };
  };
  const environment = (more: Readonly<Record<string, string>> = {}) => ({
    ...stage.environment,
    PATH: path,
    HOME: folder,
    npm_config_registry: NOWHERE,
    npm_config_cache: join(folder, "no-cache"),
    DRAIN_MS: "0",
    ...more,
  });
  const start = (command: readonly string[], more?: Readonly<Record<string, string>>, cwd = stage.workdir) =>
    serviceProcessForTest(cwd, environment(more), { command, owner: owner() });
  const code = () => join(stage.root, "opt", "portcullis");

  test("has no development dependencies and runs as another user than root", () => {
    for (const name of ["vite", "vitest", "@biomejs", "react", "typescript"])
      expect(existsSync(join(code(), "node_modules", name)), name).toBe(false);
    expect(owner().uid).toBeGreaterThan(0);
  });

  test("refuses to start before somebody says who may call", async () => {
    const service = start(stage.command);
    expect(await service.exited).toEqual({ code: 1, signal: null });
    expect(service.err()).toContain("ALLOW_UNAUTHENTICATED");
  });

  test("answers, serves the page, passes its health check, stops, and writes only to its data folder", async () => {
    const service = start(stage.command, { ALLOW_UNAUTHENTICATED: "true", PORT: "0" });
    const url = new URL(await service.ready());
    const local = `http://127.0.0.1:${url.port}`;
    expect((await ask(local)).status).toBe(200);
    const page = await send(local, { headers: { accept: "text/html" } });
    expect(page.text).toContain('<div id="root">');
    expect(health(url.port)).toBe(0);
    expect(await service.kill("SIGTERM")).toEqual({ code: 0, signal: null });
    expect(health(url.port)).toBe(1);
    expect(readdirSync(join(stage.root, "data"))).toContain("portcullis.db");
    const owned = filesBelow(code()).filter((file) => statSync(file).uid === owner().uid);
    expect(owned).toEqual([]);
  });

  test("starts with what npm start runs, and installs and builds nothing", async () => {
    const more = { ALLOW_UNAUTHENTICATED: "true", PORT: "0", DATABASE_URL: ":memory:" };
    // Without npm between: it does not pass signals on where sh stays its child.
    const service = start(packageJson.scripts.start.split(" "), more, code());
    const { port } = new URL(await service.ready());
    expect((await ask(`http://127.0.0.1:${port}`)).status).toBe(200);
    expect(service.err()).not.toMatch(/install|building/);
    expect(await service.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  });

  test("says what is missing when packages are not as the lock file names them, and asks no registry", () => {
    const broken = join(folder, "broken");
    mkdirSync(broken);
    for (const name of ["package.json", "package-lock.json", "scripts"])
      cpSync(join(code(), name), join(broken, name), { recursive: true });
    const started = spawnSync("npm", ["start"], { cwd: broken, env: environment(), encoding: "utf8" });
    expect(started.status).toBe(1);
    expect(started.stderr).toContain("npm ci --omit=dev");
  });

  test("shows its help and its version before anything is installed", () => {
    const bare = join(folder, "bare");
    mkdirSync(bare);
    for (const name of ["package.json", "package-lock.json", "scripts", "dist"])
      cpSync(join(code(), name), join(bare, name), { recursive: true });
    const say = (option: string) => {
      const env = { PATH: path, HOME: folder, npm_config_registry: NOWHERE };
      return spawnSync("npm", ["start", "--silent", "--", option], { cwd: bare, env, encoding: "utf8" }).stdout;
    };
    expect(say("--help")).toContain("DATABASE_URL=data/portcullis.db");
    expect(say("-h")).toBe(say("--help"));
    expect(say("--version")).toMatch(/^portcullis \d+\.\d+\.\d+\n$/);
    expect(existsSync(join(bare, "node_modules"))).toBe(false);
  });

  function health(port: string): number | null {
    const [, ...args] = stage.healthCheck;
    const env = environment({ ALLOW_UNAUTHENTICATED: "true", PORT: port });
    return spawnSync(node, args, { cwd: stage.workdir, env, ...owner() }).status;
  }
});

const ask = (url: string) =>
  post(`${url}/api/chat`, { agentId: "assistant", query: "What is planned for dinner on Friday?" });

/** The PATH of this process, without the folders of commands that npm put there. */
function pathWithoutModules(): string {
  const path = execFileSync("/bin/sh", ["-c", 'printf %s "$PATH"'], { encoding: "utf8" });
  return path
    .split(":")
    .filter((entry) => !entry.includes("node_modules"))
    .join(":");
}

const npmCache = (): string => execFileSync("npm", ["config", "get", "cache"], { encoding: "utf8" }).trim();

function filesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
