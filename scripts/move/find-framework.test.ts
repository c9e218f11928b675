import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findFramework } from "./find-framework.ts";
import { type FrameworkSpec, hashOf } from "./framework.ts";

// A framework of three files stands in for Sui's. The tests are about where it comes from.
const files = {
  "packages/std/Move.toml": '[package]\nname = "Std"\n',
  "packages/std/sources/deep/a.move": 'module std::a; // "é"\n',
  "packages/sui/Move.toml": '[package]\nname = "Sui"\n',
};
const notCompiled = {
  "packages/std/tests/a_tests.move": "no",
  "packages/sui/README.md": "no",
  "other/Move.toml": "no",
};

const folder = mkdtempSync(join(tmpdir(), "portcullis-framework-"));
const clone = join(folder, "clone");
const cacheFile = join(folder, "cache", "framework.json");
let spec: FrameworkSpec;

/** A machine to which the project was copied need not have it. */
const hasGit = spawnSync("git", ["--version"]).status === 0;

beforeAll(() => {
  if (!hasGit) return;
  for (const [path, text] of Object.entries({ ...files, ...notCompiled })) {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    writeFileSync(join(clone, path), text);
  }
  git("init", "-q");
  git("add", ".");
  git(
    "-c",
    "user.name=t",
    "-c",
    "user.email=t@example.org",
    "-c",
    "commit.gpgsign=false",
    "commit",
    "-q",
    "-m",
    "framework",
  );
  const packages = ["packages/std", "packages/sui"].map((path) => ({ path, tree: git("rev-parse", `HEAD:${path}`) }));
  spec = {
    repository: "https://github.com/someone/framework.git",
    commit: git("rev-parse", "HEAD"),
    packages,
    sha256: hashOf(files),
  };
});
beforeEach(() => rmSync(dirname(cacheFile), { recursive: true, force: true }));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!hasGit)("a git directory", () => {
  test.each(["clone", "clone/.git"])("%s gives the files that are compiled, and they are cached", async (name) => {
    const found = await findFramework({ spec, cacheFile, gitDir: join(folder, name), fetch: noNetwork });
    expect(found).toEqual({ kind: "found", framework: files, from: "the git directory" });
    const again = await findFramework({ spec, cacheFile, fetch: noNetwork });
    expect(again).toEqual({ kind: "found", framework: files, from: "the cache" });
  });

  test("without the commit gives git's reason, and GitHub is not asked", async () => {
    const other = { ...spec, commit: "0".repeat(40) };
    const found = await findFramework({ spec: other, cacheFile, gitDir: clone, fetch: noNetwork });
    expect(found).toEqual({ kind: "missing", reason: expect.stringMatching(/clone \(fatal: .*0000.*--framework/) });
  });

  test("that does not exist gives git's reason", async () => {
    const found = await findFramework({ spec, cacheFile, gitDir: join(folder, "nowhere"), fetch: noNetwork });
    expect(found).toEqual({ kind: "missing", reason: expect.stringContaining("not a git repository") });
  });
});

describe.skipIf(!hasGit)("the cache", () => {
  test.each(["", "{", "[]", '{"packages/std/Move.toml":1}', '{"packages/std/Move.toml":"altered"}'])(
    "is replaced when it holds %j",
    async (damaged) => {
      mkdirSync(dirname(cacheFile), { recursive: true });
      writeFileSync(cacheFile, damaged);
      expect(await findFramework({ spec, cacheFile, gitDir: clone })).toMatchObject({ from: "the git directory" });
      expect(JSON.parse(readFileSync(cacheFile, "utf8"))).toEqual(files);
    },
  );
});

describe.skipIf(!hasGit)("GitHub", () => {
  test("gives the files that are compiled, and they are cached", async () => {
    const found = await findFramework({ spec, cacheFile, fetch: gitHub() });
    expect(found).toEqual({ kind: "found", framework: files, from: "GitHub" });
    expect(await findFramework({ spec, cacheFile, fetch: noNetwork })).toMatchObject({ from: "the cache" });
  });

  test("that cannot be reached gives the reason", async () => {
    const found = await findFramework({ spec, cacheFile, fetch: noNetwork });
    expect(found).toEqual({ kind: "missing", reason: expect.stringContaining("getaddrinfo ENOTFOUND api.github.com") });
  });

  test("that refuses gives the status", async () => {
    const found = await findFramework({ spec, cacheFile, fetch: async () => new Response("", { status: 403 }) });
    expect(found).toEqual({ kind: "missing", reason: expect.stringContaining("answered 403") });
  });

  test("that answers with something else gives a reason", async () => {
    const found = await findFramework({ spec, cacheFile, fetch: async () => new Response("<html>") });
    expect(found).toMatchObject({ kind: "missing" });
  });

  test("that never answers is left at the deadline", async () => {
    const hangs: typeof fetch = (_url, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      });
    const found = await findFramework({ spec, cacheFile, fetch: hangs, deadlineMs: 20 });
    expect(found).toEqual({ kind: "missing", reason: expect.stringContaining("timeout") });
  });

  test("with other files is refused, and nothing is cached", async () => {
    const found = await findFramework({ spec, cacheFile, fetch: gitHub("module std::evil;") });
    expect(found).toEqual({ kind: "missing", reason: expect.stringContaining(`not to ${spec.sha256}`) });
    expect(() => readFileSync(cacheFile)).toThrow("ENOENT");
  });
});

function git(...args: string[]): string {
  return execFileSync("git", ["-C", clone, ...args], { encoding: "utf8" }).trim();
}

/** The two interfaces of GitHub that are used, answered from the clone. */
function gitHub(text?: string): typeof fetch {
  return async (input) => {
    const { host, pathname } = new URL(String(input));
    if (host === "api.github.com") {
      const tree = pathname.replace("/repos/someone/framework/git/trees/", "");
      const paths = git("ls-tree", "-r", "--name-only", tree).split("\n");
      return Response.json({ truncated: false, tree: paths.map((path) => ({ path, type: "blob", mode: "100644" })) });
    }
    expect(host).toBe("raw.githubusercontent.com");
    const path = pathname.replace(`/someone/framework/${spec.commit}/`, "");
    return new Response(text ?? readFileSync(join(clone, path)));
  };
}

/** Throws what Node's fetch throws without a network. */
async function noNetwork(): Promise<Response> {
  throw new TypeError("fetch failed", { cause: new Error("getaddrinfo ENOTFOUND api.github.com") });
}
