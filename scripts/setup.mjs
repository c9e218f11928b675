// Makes a fresh clone ready before any npm script: installs what the lock file names, when it is not there yet, and with
// `--web` builds the page, when its sources have changed.
// Node built-ins only, and Node 20 is enough: this runs before anything is installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const modules = join(root, "node_modules");
const runtime = join(modules, "node", "bin", process.platform === "win32" ? "node.exe" : "node");
const installed = {
  stamp: join(modules, ".portcullis-setup"),
  wanted: createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .update(`${process.platform} ${process.arch}`)
    .digest("hex"),
};

if (!existsSync(runtime) || !isStamped(installed)) install();
if (process.argv.includes("--web") && existsSync(join(root, "web", "index.html"))) buildWhatChanged();

function install() {
  say("installing dependencies from package-lock.json (only when it has changed) ...");
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ["npm", []];
  run(command, [...args, "ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    failure: "the installation failed. Is the npm registry reachable?",
    shell: process.platform === "win32" && !npm,
  });
  writeFileSync(installed.stamp, installed.wanted);
}

function buildWhatChanged() {
  const folder = join(root, "web", "dist");
  // The page is made of what it imports, too.
  const sources = ["web", "src/contract", "src/core", "src/async"].flatMap((name) => sourcesIn(join(root, name)));
  const built = {
    stamp: join(folder, ".portcullis-build"),
    wanted: hashOf([...sources, join(root, "package-lock.json")]),
  };
  if (isStamped(built)) return;
  say("building the page (only when its sources have changed) ...");
  // Beside the one that is there, so that two set-ups at a time do not mix theirs.
  const fresh = join(modules, ".cache", `portcullis-web-${process.pid}`);
  run(runtime, [join(modules, "vite", "bin", "vite.js"), "build", "web", "--outDir", fresh, "--logLevel", "warn"], {
    failure: "the page could not be built.",
  });
  writeFileSync(join(fresh, ".portcullis-build"), built.wanted);
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
}

function run(command, args, { failure, shell = false }) {
  // Standard output stays the script's own: `npm run bench -- --json` must print nothing but JSON.
  const stdio = ["ignore", process.stderr, process.stderr];
  const { status, error } = spawnSync(command, args, { cwd: root, stdio, shell });
  if (status === 0) return;
  say(error ? `${failure} (${error.message})` : failure);
  process.exit(status || 1);
}

/** Every file but tests, what a build made, and what begins with a dot. */
function sourcesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name.startsWith(".") || entry.name === "dist" || entry.name === "node_modules") return [];
    if (entry.isDirectory()) return sourcesIn(path);
    return /\.test\.tsx?$/.test(entry.name) ? [] : [path];
  });
}

function hashOf(files) {
  const hash = createHash("sha256");
  for (const file of files.toSorted()) {
    const bytes = readFileSync(file);
    hash.update(`\n${relative(root, file)} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex");
}

function isStamped({ stamp, wanted }) {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === wanted;
}

function say(sentence) {
  console.error(`portcullis: ${sentence}`);
}
