// Checks the types of the service, the web app and the browser tests, and finds what nobody uses, side by side. Two packages
// bring a command tsc (typescript, and typescript-5 for a generator of clients), and which one npm links is not said, so
// this names ours.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

/** @param {string} path */
const inModules = (path) => fileURLToPath(new URL(`../node_modules/${path}`, import.meta.url));

const look = process.stdout.isTTY ? ["--pretty"] : [];
// Each of several checkers resolves the same types anew. With one, the projects together take less than half the CPU time.
const typechecks = [".", "web", "test/browser"].map((project) => {
  return [inModules("typescript/bin/tsc"), "-p", project, "--checkers", "1", ...look];
});
const results = await Promise.all([...typechecks, [inModules("knip/bin/knip.js")]].map(run));
for (const { output } of results) process.stdout.write(output);
process.exitCode = results.every(({ isSound }) => isSound) ? 0 : 1;

/** @param {string[]} args */
function run(args) {
  return new Promise((resolve) => {
    execFile(process.execPath, args, { maxBuffer: Number.POSITIVE_INFINITY }, (error, out, err) =>
      resolve({ isSound: error === null, output: `${out}${err}` }),
    );
  });
}
