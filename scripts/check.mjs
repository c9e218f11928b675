// npm run check: format and lint, the sizes of folders, the types of the service, the web app and the browser tests, and
// what nobody uses. All side by side, as many as there are cores, the longest first. Two packages bring a command tsc
// (typescript, and typescript-5 for a generator of clients), and which one npm links is not said, so this names ours.
import { execFile } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

/** @param {string} path */
const inClone = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const isTerminal = process.stdout.isTTY;
// Each of several checkers resolves the same types anew. With one, the projects together take less than half the CPU time.
const typechecks = [".", "web", "test/browser"].map((project) => {
  return [
    inClone("node_modules/typescript/bin/tsc"),
    "-p",
    project,
    "--checkers",
    "1",
    ...(isTerminal ? ["--pretty"] : []),
  ];
});
const [service, ...pages] = typechecks;
const waiting = [
  service,
  [inClone("node_modules/knip/bin/knip.js")],
  [
    inClone("node_modules/@biomejs/biome/bin/biome"),
    "check",
    "--error-on-warnings",
    `--colors=${isTerminal ? "force" : "off"}`,
    ".",
  ],
  ...pages,
  [inClone("scripts/folder-sizes.mjs")],
].values();

/** Takes one check after another. */
async function work() {
  for (const args of waiting) {
    const { isSound, output } = await run(args);
    process.stdout.write(output);
    if (!isSound) process.exitCode = 1;
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work));

/** @param {string[]} args */
function run(args) {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { maxBuffer: Number.POSITIVE_INFINITY }, (error, out, err) =>
      resolve({ isSound: error === null, output: `${out}${err}` }),
    );
  });
}
