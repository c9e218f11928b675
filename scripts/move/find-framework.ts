// Finds the sources of the Sui framework: in the user's cache, else in a git directory, else on GitHub. Wherever they
// come from, their hash must be the one in framework.ts.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { z } from "zod";
import { FRAMEWORK, type Framework, type FrameworkSpec, hashOf } from "./framework.ts";
import { readFromGit } from "./framework-git.ts";
import { downloadFromGitHub } from "./framework-github.ts";

export type FrameworkResult =
  | { kind: "found"; framework: Framework; from: "the cache" | "the git directory" | "GitHub" }
  | { kind: "missing"; reason: string };

type Options = {
  gitDir?: string | undefined;
  spec?: FrameworkSpec;
  cacheFile?: string;
  fetch?: typeof globalThis.fetch;
  deadlineMs?: number;
};

/** Finds the framework and caches it. Returns the reason, and does not throw, when it is not available. */
export async function findFramework({
  gitDir,
  spec = FRAMEWORK,
  cacheFile = defaultCacheFile(spec),
  fetch = globalThis.fetch,
  deadlineMs = 30_000,
}: Options = {}): Promise<FrameworkResult> {
  const cached = readCache(cacheFile, spec);
  if (cached) return { kind: "found", framework: cached, from: "the cache" };
  try {
    const framework =
      gitDir === undefined
        ? await downloadFromGitHub(spec, { fetch, signal: AbortSignal.timeout(deadlineMs) })
        : readFromGit(spec, gitDir);
    const sha256 = hashOf(framework);
    if (sha256 !== spec.sha256) throw new Error(`its files hash to ${sha256}, not to ${spec.sha256}`);
    writeCache(cacheFile, framework);
    return { kind: "found", framework, from: gitDir === undefined ? "GitHub" : "the git directory" };
  } catch (error) {
    return { kind: "missing", reason: missing(spec, gitDir ?? "GitHub", message(error)) };
  }
}

function missing({ commit }: FrameworkSpec, tried: string, why: string): string {
  return (
    `the Sui framework at ${commit.slice(0, 8)} is not in the cache and not available from ${tried} (${why}); ` +
    "run `npm run move:test -- --framework <git directory of MystenLabs/sui>` once, or go online"
  );
}

/** https://specifications.freedesktop.org/basedir-spec: a relative XDG_CACHE_HOME is ignored. */
function defaultCacheFile({ commit }: FrameworkSpec): string {
  const xdg = process.env.XDG_CACHE_HOME;
  const base = xdg && isAbsolute(xdg) ? xdg : join(homedir(), ".cache");
  return join(base, "portcullis", "sui-framework", `${commit}.json`);
}

/** Undefined when the cache is missing, unreadable or not the framework. Then it is fetched again and replaced. */
function readCache(file: string, { sha256 }: FrameworkSpec): Framework | undefined {
  try {
    const framework = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(file, "utf8")));
    return hashOf(framework) === sha256 ? framework : undefined;
  } catch {
    return undefined;
  }
}

/** Writes beside and renames, so that a reader never sees half a cache. A cache that cannot be written is no error. */
function writeCache(file: string, framework: Framework): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, JSON.stringify(framework));
    renameSync(unfinished, file);
  } catch (error) {
    console.warn(`move: the framework could not be cached in ${file}: ${message(error)}`);
  }
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
