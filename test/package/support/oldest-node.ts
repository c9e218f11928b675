// The oldest Node that package.json allows: of the cache in node_modules, or from the npm registry, once.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import packageJson from "../../../package.json" with { type: "json" };

const CACHE = fileURLToPath(new URL("../../../node_modules/.cache/", import.meta.url));

/** Rejects when it cannot be had: a test that is silently skipped shows nothing. */
export async function oldestNode(): Promise<{ readonly version: string; readonly path: string }> {
  const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(packageJson.engines.node) ?? [];
  const version = `${major}.${minor}.0`;
  const folder = join(CACHE, `node-${version}`);
  const name = `node-${process.platform}-${process.arch}`;
  const path = join(folder, "node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node");
  if (!existsSync(folder)) {
    // Another file of tests may do the same at this moment. Each installs its own, and one of them gets the name.
    const draft = `${folder}.${process.pid}`;
    await mkdir(draft, { recursive: true });
    const args = ["install", `${name}@${version}`, "--prefix", draft, "--no-save", "--no-package-lock", "--no-audit"];
    await promisify(execFile)("npm", args, { cwd: draft });
    await rename(draft, folder).catch(() => rm(draft, { recursive: true }));
  }
  return { version, path };
}
