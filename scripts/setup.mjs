// Makes a fresh clone ready before any npm script: installs what the lock file names, when it is not there yet.
// Node built-ins only, and Node 20 is enough: this runs before anything is installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const stamp = join(root, "node_modules", ".portcullis-setup");
const runtime = join(root, "node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node");

const wanted = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .update(`${process.platform} ${process.arch}`)
  .digest("hex");

if (!isInstalled()) install();

function isInstalled() {
  return existsSync(runtime) && existsSync(stamp) && readFileSync(stamp, "utf8") === wanted;
}

function install() {
  console.error("portcullis: installing dependencies from package-lock.json (only when it has changed) ...");
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ["npm", []];
  const { status, error } = spawnSync(command, [...args, "ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: root,
    // Standard output stays the script's own: `npm run bench -- --json` must print nothing but JSON.
    stdio: ["ignore", process.stderr, process.stderr],
    shell: process.platform === "win32" && !npm,
  });
  if (status !== 0) {
    console.error(
      `portcullis: the installation failed${error ? `: ${error.message}` : ""}. Is the npm registry reachable?`,
    );
    process.exit(status ?? 1);
  }
  writeFileSync(stamp, wanted);
}
