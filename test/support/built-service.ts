// The service and its command as the package has them, for tests that run them as processes: they start in a third of the
// CPU time that their sources take.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export const SERVICE_MAIN = pathOf("dist/main.js");
export const COMMAND_MAIN = pathOf("dist/cli/main.js");

/** The global setup of a test run. Builds them and the page, if their sources have changed. */
export default async function setup(): Promise<void> {
  await promisify(execFile)(process.execPath, [pathOf("scripts/setup.mjs"), "--web"]);
}
