// Reads the framework from a local git directory: a bare repository, a mirror or a clone.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Framework, type FrameworkSpec, isCompiled } from "./framework.ts";

export function readFromGit({ commit, packages }: FrameworkSpec, directory: string): Framework {
  const inside = join(directory, ".git");
  const git = runner(existsSync(inside) ? inside : directory);

  const paths = packages.flatMap(({ path }) =>
    git(["ls-tree", "-r", "-z", "--name-only", `${commit}:${path}`])
      .toString("utf8")
      .split("\0")
      .filter(isCompiled)
      .map((file) => `${path}/${file}`),
  );
  const objects = git(["cat-file", "--batch"], paths.map((path) => `${commit}:${path}\n`).join(""));
  const texts = splitBatch(objects, paths.length);
  return Object.fromEntries(paths.map((path, i) => [path, texts[i] ?? ""]));
}

function runner(gitDir: string) {
  return (args: string[], input = ""): Buffer => {
    try {
      const limits = { maxBuffer: 1 << 26, timeout: 60_000 };
      return execFileSync("git", ["--git-dir", gitDir, ...args], { input, stdio: "pipe", ...limits });
    } catch (error) {
      // The first line of git's error is the reason. The rest is the command and our own stack.
      const stderr = String((error as { stderr?: unknown }).stderr ?? "").split("\n")[0];
      throw new Error(stderr || (error instanceof Error ? error.message : String(error)));
    }
  };
}

/** `git cat-file --batch` answers each name with `<id> <type> <size>\n<content>\n`. */
function splitBatch(batch: Buffer, count: number): string[] {
  const texts: string[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    const end = batch.indexOf("\n", at);
    const header = batch.toString("utf8", at, end);
    const size = Number(/^[0-9a-f]+ blob (\d+)$/.exec(header)?.[1]);
    if (!Number.isInteger(size)) throw new Error(`git cat-file answered: ${header}`);
    texts.push(batch.toString("utf8", end + 1, end + 1 + size));
    at = end + 1 + size + 1;
  }
  return texts;
}
