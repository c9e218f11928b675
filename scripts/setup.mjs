// Prepares a clone before any npm script. Installs the dependencies if the lock file has changed, and with `--web` builds
// the page if its sources have changed. With `--service`, for commands that need no development dependencies, an
// installation without those is taken as production's: it is checked, and nothing is installed, built or written. Uses
// Node built-ins only and runs on Node 20, because it runs before anything is installed.
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
  expected: createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .update(`${process.platform} ${process.arch}`)
    .digest("hex"),
};

if (process.argv.includes("--service") && isProduction()) checkProduction();
else {
  if (!existsSync(runtime) || !isUpToDate(installed)) install();
  if (process.argv.includes("--web") && existsSync(join(root, "web", "index.html"))) buildPage();
}

/** NODE_ENV says so, or npm has installed the dependencies without those of development. */
function isProduction() {
  if (process.env.NODE_ENV === "production") return true;
  return (
    !existsSync(installed.stamp) && !existsSync(runtime) && packagesIn(join(modules, ".package-lock.json")).size > 0
  );
}

function checkProduction() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 22 || (major === 22 && minor < 18))
    fail(`Node 22.18 or newer is needed, and this is ${process.version}.`);
  const found = packagesIn(join(modules, ".package-lock.json"));
  const needed = [...packagesIn(join(root, "package-lock.json"))].filter(([, { dev, optional, devOptional, peer }]) =>
    [dev, optional, devOptional, peer].every((flag) => flag !== true),
  );
  const wrong = needed.filter(([path, { version }]) => path !== "" && found.get(path)?.version !== version);
  if (wrong.length === 0) return;
  fail(`${wrong.length} packages are not installed as package-lock.json names them. Run: npm ci --omit=dev`);
}

/** The packages that a lock file names, by their paths. Of an installation: what npm wrote down about it. */
function packagesIn(lockFile) {
  if (!existsSync(lockFile)) return new Map();
  return new Map(Object.entries(JSON.parse(readFileSync(lockFile, "utf8")).packages));
}

function install() {
  log("installing dependencies from package-lock.json (only when it has changed) ...");
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ["npm", []];
  run(command, [...args, "ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    failure: "the installation failed. Check that the npm registry is reachable.",
    shell: process.platform === "win32" && !npm,
  });
  writeFileSync(installed.stamp, installed.expected);
}

function buildPage() {
  const folder = join(root, "web", "dist");
  // The page imports the contract, core and async, so they are sources too.
  const sources = ["web", "src/contract", "src/core", "src/async"].flatMap((name) => sourcesIn(join(root, name)));
  const built = {
    stamp: join(folder, ".portcullis-build"),
    expected: hashOf([...sources, join(root, "package-lock.json")]),
  };
  if (isUpToDate(built)) return;
  log("building the page (only when its sources have changed) ...");
  // Built in a folder of its own, so that two set-ups at a time do not mix their files.
  const fresh = join(modules, ".cache", `portcullis-web-${process.pid}`);
  run(runtime, [join(modules, "vite", "bin", "vite.js"), "build", "web", "--outDir", fresh, "--logLevel", "warn"], {
    failure: "the page could not be built.",
  });
  writeFileSync(join(fresh, ".portcullis-build"), built.expected);
  rmSync(folder, { recursive: true, force: true });
  renameSync(fresh, folder);
}

function run(command, args, { failure, shell = false }) {
  // Standard output belongs to the script: `npm run bench -- --json` must print nothing but JSON.
  const stdio = ["ignore", process.stderr, process.stderr];
  const { status, error } = spawnSync(command, args, { cwd: root, stdio, shell });
  if (status === 0) return;
  fail(error ? `${failure} (${error.message})` : failure, status || 1);
}

function fail(sentence, status = 1) {
  log(sentence);
  process.exit(status);
}

/** Every file except tests, build output and names that begin with a dot. */
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

function isUpToDate({ stamp, expected }) {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === expected;
}

function log(sentence) {
  console.error(`portcullis: ${sentence}`);
}
