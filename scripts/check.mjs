// Checks the types of the service, the web app and the browser tests. Two packages bring a command tsc (typescript, and
// typescript-5 for a generator of clients), and which one npm links is not said, so this names ours.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

const TSC = fileURLToPath(new URL("../node_modules/typescript/bin/tsc", import.meta.url));

// Each of several checkers resolves the same types anew. With one, the projects together take less than half the CPU
// time, and they run side by side.
const results = await Promise.all([".", "web", "test/browser"].map(check));
for (const { output } of results) process.stdout.write(output);
process.exitCode = results.every(({ isSound }) => isSound) ? 0 : 1;

/** @param {string} project */
function check(project) {
  return new Promise((resolve) => {
    const args = [TSC, "-p", project, "--checkers", "1", ...(process.stdout.isTTY ? ["--pretty"] : [])];
    execFile(process.execPath, args, { maxBuffer: Number.POSITIVE_INFINITY }, (error, out, err) =>
      resolve({ isSound: error === null, output: `${out}${err}` }),
    );
  });
}
