// Finds a Chromium to test with: an installed one, or on Debian its own package, which is installed once.
import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { promisify } from "node:util";
import { canInstall, installationsEnd, installPackages } from "./debian-packages.ts";

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

/** Rejects when there is none: a browser test that is silently skipped shows nothing. */
export async function chromiumPath(): Promise<string> {
  await installationsEnd();
  const found = (await findChromium()) ?? (canInstall() ? await installChromium() : undefined);
  if (found !== undefined) return found;
  throw new Error(
    "The browser tests need Chromium or Chrome, and none was found. Install it (on Debian: apt-get install chromium; on macOS: brew install --cask chromium) and run them again.",
  );
}

async function installChromium(): Promise<string | undefined> {
  await installPackages("chromium-headless-shell").catch(() => installPackages("chromium"));
  return findChromium();
}

const findChromium = async (): Promise<string | undefined> => (await findInPath()) ?? PATHS.find(isExecutable);

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
