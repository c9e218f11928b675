// Finds a Chromium to test with: an installed one, or on Debian its own package, which is installed once.
import { execFile } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { promisify } from "node:util";

/** The headless shell first: a page takes 40 % less CPU time in it than in the whole browser. */
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "google-chrome-stable",
  "google-chrome",
  "chromium-browser",
  "chrome",
];
const PATHS = [
  ...["/usr/bin", "/usr/local/bin", "/snap/bin", "/opt/google/chrome", "/opt/homebrew/bin"].flatMap((folder) =>
    NAMES.map((name) => `${folder}/${name}`),
  ),
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

const run = promisify(execFile);

/** An installation takes one or two minutes on a good network. */
export const INSTALL_TIMEOUT_MS = 10 * 60_000;

/** Rejects when there is none: a browser test that is silently skipped shows nothing. */
export async function chromiumPath(): Promise<string> {
  const found = (await findInPath()) ?? PATHS.find(isExecutable);
  if (found !== undefined) return found;
  const installed = canInstall() ? await install() : undefined;
  if (installed !== undefined) return installed;
  throw new Error(
    "The browser tests need Chromium or Chrome, and none was found. Install it (on Debian: apt-get install chromium; on macOS: brew install --cask chromium) and run them again.",
  );
}

async function findInPath(): Promise<string | undefined> {
  const script = `for name in ${NAMES.join(" ")}; do command -v "$name" && exit 0; done; exit 1`;
  const { stdout } = await run("sh", ["-c", script]).catch(() => ({ stdout: "" }));
  return stdout.trim() || undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const canInstall = (): boolean => existsSync("/etc/debian_version") && process.getuid?.() === 0;

// Test files run at the same time in processes of their own. The first one installs, and the others wait for the lock.
const INSTALL = `
command -v chromium-headless-shell && exit 0
get() { DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$1" >&2; }
get chromium-headless-shell || { apt-get update >&2 && get chromium-headless-shell; } || get chromium
command -v chromium-headless-shell || command -v chromium
`;

async function install(): Promise<string | undefined> {
  process.stderr.write("portcullis: installing Chromium for the browser tests (only when there is none) ...\n");
  try {
    const { stdout } = await run("flock", ["/tmp/portcullis-chromium.lock", "sh", "-c", INSTALL], {
      timeout: INSTALL_TIMEOUT_MS,
      maxBuffer: 16 * 1024 * 1024,
    });
    return stdout.trim() || undefined;
  } catch (cause) {
    throw new Error("The browser tests need Chromium, and apt-get could not install it. Is the network reachable?", {
      cause,
    });
  }
}
