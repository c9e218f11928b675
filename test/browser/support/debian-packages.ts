// Installs packages of Debian that the tests need, for whoever may: root.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";

/** An installation takes one or two minutes on a good network. */
export const INSTALL_TIMEOUT_MS = 10 * 60_000;

export const canInstall = (): boolean => existsSync("/etc/debian_version") && process.getuid?.() === 0;

// A fresh machine has no lists of packages, and an old one has old lists.
const INSTALL = `
get() { DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"; }
get "$@" || { apt-get update && get "$@"; }
`;

/** Test files run at the same time in processes of their own. The first one installs, and the others wait for the lock. */
const underLock = (...command: readonly string[]) =>
  promisify(execFile)("flock", ["/tmp/portcullis-packages.lock", ...command], {
    timeout: INSTALL_TIMEOUT_MS,
    maxBuffer: 16 * 1024 * 1024,
  });

/** Resolves when no test file installs anything: a program is there before the libraries that it needs. */
export async function installationsEnd(): Promise<void> {
  if (canInstall()) await underLock("true");
}

export async function installPackages(...names: readonly string[]): Promise<void> {
  const all = names.join(", ");
  process.stderr.write(`portcullis: installing ${all} for the tests (only when it is missing) ...\n`);
  await underLock("sh", "-c", INSTALL, "sh", ...names).catch((cause: unknown) => {
    throw new Error(`The tests need ${all}, and apt-get could not install it. Is the network reachable?`, { cause });
  });
}
