// Downloads the framework from GitHub: one API request for the file list of each folder (60 an hour are allowed without
// an account), then the files as raw text (which has no such limit).
import { z } from "zod";
import { type Framework, type FrameworkSpec, isCompiled } from "./framework.ts";

const CONCURRENCY = 12;

const Tree = z.object({ truncated: z.boolean(), tree: z.array(z.object({ path: z.string(), type: z.string() })) });

type Network = { fetch: typeof fetch; signal: AbortSignal };

export async function downloadFromGitHub(
  { repository, commit, packages }: FrameworkSpec,
  network: Network,
): Promise<Framework> {
  const name = new URL(repository).pathname.replace(/\.git$/, "");
  const paths: string[] = [];
  for (const { path, tree } of packages) {
    const response = await get(`https://api.github.com/repos${name}/git/trees/${tree}?recursive=1`, network);
    const listing = Tree.parse(await response.json());
    if (listing.truncated) throw new Error(`GitHub's file list of ${path} is truncated`);
    const files = listing.tree.filter((entry) => entry.type === "blob" && isCompiled(entry.path));
    paths.push(...files.map((file) => `${path}/${file.path}`));
  }

  const framework: Record<string, string> = {};
  for (let at = 0; at < paths.length; at += CONCURRENCY) {
    const download = async (path: string) => {
      const response = await get(`https://raw.githubusercontent.com${name}/${commit}/${path}`, network);
      framework[path] = await response.text();
    };
    await Promise.all(paths.slice(at, at + CONCURRENCY).map(download));
  }
  return framework;
}

async function get(url: string, { fetch, signal }: Network): Promise<Response> {
  const response = await fetch(url, { signal }).catch((error: unknown) => {
    // Node's fetch only says "fetch failed". The reason is in the cause.
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    throw new Error(`${new URL(url).host}: ${cause instanceof Error ? cause.message : String(cause)}`);
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response;
}
