// Prepares a clone before any npm script. Installs the packages of the service, exactly as the lock file says and only
// when it has changed, and with them the development tools. The page has its packages in web/.
//
//   --web            builds the page and the service, if their sources have changed
//   --lean           without the development tools, and without the page's packages if it is not built
//   --or-production  an installation that npm made without development tools is production's: it is checked, and nothing
//                    is installed, built or written
//
// Where the Node at hand is too old, runtime/ brings one, and npm scripts find that one first. Uses Node built-ins only
// and runs on Node 20, because it runs before anything is installed.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const isWindows = process.platform === "win32";
const modules = join(root, "node_modules");
const runtimeModules = join(root, "runtime", "node_modules");

/** When development tools are not wanted. What is optional for the service is a compiler; for the page, what builds it. */
const OMITTED = { ".": ["dev", "optional"], web: ["dev"], runtime: [] };

const isAsked = (option) => process.argv.includes(option);

if (isAsked("--or-production") && isProduction()) checkProduction();
else {
  const withTools = !isAsked("--lean");
  const builds = isAsked("--web") && existsSync(join(root, "web", "index.html"));
  await Promise.all([
    install(".", withTools),
    (builds || withTools) && install("web", withTools),
    (isTooOld() || existsSync(runtimeModules)) && install("runtime", withTools),
  ]);
  linkRuntime();
  if (builds) await Promise.all([buildPage(), buildService()]);
}

/** NODE_ENV says so, or npm has installed the dependencies without those of development. */
function isProduction() {
  if (process.env.NODE_ENV === "production") return true;
  return !existsSync(stampOf(".").file) && installedIn(".").size > 0 && !hasTools(".");
}

function checkProduction() {
  if (isTooOld()) fail(`Node 22.18 or newer is needed, and this is ${process.version}.`);
  const wrong = wrongPackages(".", false);
  if (wrong.length === 0) return;
  fail(`${wrong.length} packages are not installed as package-lock.json names them. Run: npm ci --omit=dev`);
}

function isTooOld() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  return major < 22 || (major === 22 && minor < 18);
}

/** The packages that a lock file names, by their paths. */
function packagesIn(lockFile) {
  if (!existsSync(lockFile)) return new Map();
  return new Map(Object.entries(JSON.parse(readFileSync(lockFile, "utf8")).packages));
}

/** As npm wrote them down when it had installed them. */
function installedIn(folder) {
  return packagesIn(join(root, folder, "node_modules", ".package-lock.json"));
}

function hasTools(folder) {
  return [...installedIn(folder).values()].some(({ dev }) => dev === true);
}

/** Those that are not installed in the version that the lock file names. Of the optional ones npm leaves some out. */
function wrongPackages(folder, withTools) {
  const found = installedIn(folder);
  const omitted = withTools ? [] : OMITTED[folder];
  const isWanted = ([path, { dev, optional, devOptional, peer, os, cpu, libc }]) => {
    if (path === "" || (omitted.includes("dev") && (dev || devOptional || peer))) return false;
    if (!optional && !devOptional) return true;
    const isOfMachine = os?.includes(process.platform) && cpu?.includes(process.arch) && libc === undefined;
    return !omitted.includes("optional") && (found.has(path) || isOfMachine);
  };
  const wanted = [...packagesIn(join(root, folder, "package-lock.json"))].filter(isWanted);
  return wanted.filter(([path, { version }]) => found.get(path)?.version !== version);
}

/** Says which lock file is installed in a folder. */
function stampOf(folder) {
  return {
    file: join(root, folder, "node_modules", ".portcullis-setup"),
    text: createHash("sha256")
      .update(readFileSync(join(root, folder, "package-lock.json")))
      .update(`${process.platform} ${process.arch}`)
      .digest("hex"),
  };
}

/** What was installed with development tools serves those who need none, and keeps them when the lock file changes. */
async function install(folder, needsTools) {
  const { file, text } = stampOf(folder);
  const complete = `${text} with development tools`;
  if (isWritten(file, complete) || (!needsTools && isWritten(file, text))) return;
  // By somebody's own npm.
  if (wrongPackages(folder, needsTools).length === 0) return;
  const withTools = needsTools || hasTools(folder);
  log(`installing from ${join(folder, "package-lock.json")} (only when it has changed) ...`);
  const npm = process.env.npm_execpath;
  const [command, args] = npm ? [process.execPath, [npm]] : ["npm", []];
  const omitted = withTools ? [] : OMITTED[folder].map((kind) => `--omit=${kind}`);
  await run(command, [...args, "ci", ...omitted, "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: join(root, folder),
    failure: "the installation failed. Check that the npm registry is reachable.",
    shell: isWindows && !npm,
  });
  writeFileSync(file, withTools ? complete : text);
}

/** Where npm puts the commands of packages, so that `node` in an npm script is the one that runtime/ brought. */
function linkRuntime() {
  const brought = readdirIfAny(runtimeModules).find((name) => /^node-/.test(name));
  if (brought === undefined) return;
  // Headers for compilers of native modules, a third of the package.
  rmSync(join(runtimeModules, brought, "include"), { recursive: true, force: true });
  const name = isWindows ? "node.exe" : "node";
  const [from, to] = [join(runtimeModules, brought, "bin", name), join(modules, ".bin", name)];
  if (existsSync(to)) return;
  rmSync(to, { force: true });
  if (isWindows) linkSync(from, to);
  else symlinkSync(relative(join(modules, ".bin"), from), to);
}

async function buildPage() {
  const folder = join(root, "web", "dist");
  // The page imports the contract, core, async and verification, and shows the documentation, so they are sources too.
  const code = ["web", "src/contract", "src/core", "src/async", "src/verification", "scripts/verify-html"];
  const sources = [...code, "docs", "README.md"];
  const built = { folder, sources };
  await buildIfChanged("the page", built, async () => {
    // Built in a folder of its own, so that two set-ups at a time do not mix their files.
    const fresh = join(modules, ".cache", `portcullis-web-${process.pid}`);
    const vite = join(root, "web", "node_modules", "vite", "bin", "vite.js");
    await runNode([vite, "build", "web", "--outDir", fresh, "--logLevel", "warn"], "the page could not be built.");
    await runNode([join(root, "scripts", "verify-html", "build.ts"), fresh], "verify.html could not be built.");
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  });
}

/** As the package has it, because it starts in half the time. */
function buildService() {
  const built = { folder: join(root, "dist"), sources: ["src", "scripts/bundle.ts", "package.json"] };
  return buildIfChanged("the service", built, () =>
    runNode([join(root, "scripts", "bundle.ts")], "the service could not be built."),
  );
}

async function buildIfChanged(what, { folder, sources }, build) {
  const stamp = join(folder, ".portcullis-build");
  const files = sources.flatMap((name) => sourcesIn(join(root, name)));
  const text = hashOf([...files, join(root, "package-lock.json"), join(root, "web", "package-lock.json")]);
  if (isWritten(stamp, text)) return;
  log(`building ${what} (only when its sources have changed) ...`);
  await build();
  writeFileSync(stamp, text);
}

function runNode(args, failure) {
  const brought = join(modules, ".bin", isWindows ? "node.exe" : "node");
  // What is built is built to be served, also when a test asks for it.
  const env = { ...process.env, NODE_ENV: "production" };
  return run(existsSync(brought) ? brought : process.execPath, args, { env, failure });
}

function run(command, args, { cwd = root, env = process.env, failure, shell = false }) {
  // Standard output belongs to the script: `npm run bench -- --json` must print nothing but JSON.
  const child = spawn(command, args, { cwd, env, stdio: ["ignore", process.stderr, process.stderr], shell });
  return new Promise((resolve) => {
    child.on("error", (error) => fail(`${failure} (${error.message})`));
    child.on("exit", (status) => (status === 0 ? resolve() : fail(failure, status || 1)));
  });
}

function fail(sentence, status = 1) {
  log(sentence);
  process.exit(status);
}

/** Every file except tests, build output and names that begin with a dot. */
function sourcesIn(folder) {
  if (statSync(folder).isFile()) return [folder];
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

function readdirIfAny(folder) {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function isWritten(file, text) {
  return existsSync(file) && readFileSync(file, "utf8") === text;
}

function log(sentence) {
  console.error(`portcullis: ${sentence}`);
}
