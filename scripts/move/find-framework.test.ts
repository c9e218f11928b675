import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { findFramework } from "./find-framework.ts";
import { type FrameworkSpec, hashOf } from "./framework.ts";

// A framework of three files stands in for Sui's: what is tested is where one comes from.
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

beforeAll(() => {
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

describe("a git directory", () => {
  test.each(["clone", "clone/.git"])("%s gives the files that are compiled, and fills the cache", async (name) => {
    const found = await findFramework({ spec, cacheFile, gitDir: join(folder, name), fetch: noNetwork });
    expect(found).toEqual({ kind: "found", framework: files, from: "the git directory" });
    const again = await findFramework({ spec, cacheFile, fetch: noNetwork });
    expect(again).toEqual({ kind: "found", framework: files, from: "the cache" });
  });

  test("without the commit is said to be so, and GitHub is not asked instead", async () => {
    const other = { ...spec, commit: "0".repeat(40) };
    const found = await findFramework({ spec: other, cacheFile, gitDir: clone, fetch: noNetwork });
    expect(found).toEqual({ kind: "missing", reason: expect.stringMatching(/clone \(fatal: .*0000.*--framework/) });
  });

  test("that is none is said to be so", async () => {
    const found = await findFramework({ spec, cacheFile, gitDir: join(folder, "nowhere"), fetch: noNetwork });
    expect(found).toEqual({ kind: "missing", reason: expect.stringContaining("not a git repository") });
  });
});

describe("the cache", () => {
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

describe("GitHub", () => {
  test("gives the files that are compiled, and fills the cache", async () => {
    const found = await findFramework({ spec, cacheFile, fetch: gitHub() });
    expect(found).toEqual({ kind: "found", framework: files, from: "GitHub" });
    expect(await findFramework({ spec, cacheFile, fetch: noNetwork })).toMatchObject({ from: "the cache" });
  });

  test("out of reach is said to be so", async () => {
    const found = await findFramework({ spec, cacheFile, fetch: noNetwork });
    expect(found).toEqual({ kind: "missing", reason: expect.stringContaining("getaddrinfo ENOTFOUND api.github.com") });
  });

  test("that refuses is said to be so", async () => {
    const found = await findFramework({ spec, cacheFile, fetch: async () => new Response("", { status: 403 }) });
    expect(found).toEqual({ kind: "missing", reason: expect.stringContaining("answered 403") });
  });

  test("that answers something else is said to be so", async () => {
    const found = await findFramework({ spec, cacheFile, fetch: async () => new Response("<html>") });
    expect(found).toMatchObject({ kind: "missing" });
  });

  test("that never answers is given up at the deadline", async () => {
    const hangs: typeof fetch = (_url, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      });
    const found = await findFramework({ spec, cacheFile, fetch: hangs, deadlineMs: 20 });
    expect(found).toEqual({ kind: "missing", reason: expect.stringContaining("timeout") });
  });

  test("with other files is not believed, and does not reach the cache", async () => {
    const found = await findFramework({ spec, cacheFile, fetch: gitHub("module std::evil;") });
    expect(found).toEqual({ kind: "missing", reason: expect.stringContaining(`not to ${spec.sha256}`) });
    expect(() => readFileSync(cacheFile)).toThrow("ENOENT");
  });
});

function git(...args: string[]): string {
  return execFileSync("git", ["-C", clone, ...args], { encoding: "utf8" }).trim();
}

/** The two interfaces of GitHub that are used, answered out of the clone. */
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

/** What Node's fetch throws when there is no network. */
async function noNetwork(): Promise<Response> {
  throw new TypeError("fetch failed", { cause: new Error("getaddrinfo ENOTFOUND api.github.com") });
}
