// Where the sources of the Sui framework come from: the user's cache, else a git directory, else GitHub.
// Whatever the source, a framework that is not the one that framework.ts names is not taken.
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

/** Finds the framework, and keeps it in the cache for the next time. Does not throw for one that cannot be had. */
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
    `the Sui framework at ${commit.slice(0, 8)} is neither in the cache nor to be had from ${tried} (${why}); ` +
    "run `npm run move:test -- --framework <git directory of MystenLabs/sui>` once, or go online"
  );
}

/** https://specifications.freedesktop.org/basedir-spec: a relative XDG_CACHE_HOME is to be ignored. */
function defaultCacheFile({ commit }: FrameworkSpec): string {
  const xdg = process.env.XDG_CACHE_HOME;
  const base = xdg && isAbsolute(xdg) ? xdg : join(homedir(), ".cache");
  return join(base, "portcullis", "sui-framework", `${commit}.json`);
}

/** What is not there, cannot be read or is not the framework is as good as absent: it is fetched again and replaced. */
function readCache(file: string, { sha256 }: FrameworkSpec): Framework | undefined {
  try {
    const framework = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(file, "utf8")));
    return hashOf(framework) === sha256 ? framework : undefined;
  } catch {
    return undefined;
  }
}

/** Written beside and renamed, so that a reader never sees half a cache. A cache that cannot be written is no error. */
function writeCache(file: string, framework: Framework): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, JSON.stringify(framework));
    renameSync(unfinished, file);
  } catch (error) {
    console.warn(`move: the framework could not be kept in ${file}: ${message(error)}`);
  }
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
