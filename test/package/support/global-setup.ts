// Once for all tests of the package: it is built, packed and installed in a process of its own, while other tests run.
import { execFile } from "node:child_process";
import { existsSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { answerLate } from "../../support/late-answer.ts";

const INSTALL = fileURLToPath(new URL("./install.ts", import.meta.url));
/** On the disk: the other tests keep their files in memory, and this is large. */
const PLACE = existsSync("/var/tmp") ? "/var/tmp" : tmpdir();

export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const temporary = mkdtempSync(join(PLACE, "portcullis-package-"));
  const installed = promisify(execFile)(process.execPath, [INSTALL, temporary]);
  // The tests that ask for it report a failure.
  const ended = installed.catch(() => undefined);
  const installer = await answerLate(async () => (await installed).stdout);
  provide("packageInstaller", installer.url);

  return async () => {
    installer.close();
    installed.child.kill();
    await ended;
    await rm(temporary, { recursive: true, force: true });
  };
}
