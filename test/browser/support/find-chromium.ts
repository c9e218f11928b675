// A Chromium to test with: one that is installed, or else Debian's own, which is then installed once.
import { execFile } from "node:child_process";
import { accessSync, constants, existsSync } from "node:fs";
import { promisify } from "node:util";

const NAMES = ["chromium", "google-chrome-stable", "google-chrome", "chromium-browser", "chrome"];
const PLACES = [
  ...["/usr/bin", "/usr/local/bin", "/snap/bin", "/opt/google/chrome", "/opt/homebrew/bin"].flatMap((folder) =>
    NAMES.map((name) => `${folder}/${name}`),
  ),
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

const run = promisify(execFile);

/** Installing takes a minute or two where the network is good. */
export const CHROMIUM_MS = 10 * 60_000;

/** Its path. Fails with what to do: a browser test that is passed over in silence shows nothing. */
export async function chromium(): Promise<string> {
  const found = (await inPath()) ?? PLACES.find(isExecutable);
  if (found !== undefined) return found;
  const installed = canInstall() ? await install() : undefined;
  if (installed !== undefined) return installed;
  throw new Error(
    "The browser tests need Chromium or Chrome, and none was found. Install it (on Debian: apt-get install chromium; on macOS: brew install --cask chromium) and run them again.",
  );
}

async function inPath(): Promise<string | undefined> {
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

// Test files run at the same time in processes of their own: the first one installs, the others wait for it.
const INSTALL = `
command -v chromium && exit 0
get() { DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends chromium >&2; }
get || { apt-get update >&2 && get; }
command -v chromium
`;

async function install(): Promise<string | undefined> {
  process.stderr.write("portcullis: installing Chromium for the browser tests (only when there is none) ...\n");
  try {
    const { stdout } = await run("flock", ["/tmp/portcullis-chromium.lock", "sh", "-c", INSTALL], {
      timeout: CHROMIUM_MS,
      maxBuffer: 16 * 1024 * 1024,
    });
    return stdout.trim() || undefined;
  } catch (cause) {
    throw new Error(
      "The browser tests need Chromium, and it could not be installed with apt-get. Is Debian's mirror reachable?",
      { cause },
    );
  }
}
