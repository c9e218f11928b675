// Reads ENCRYPTION_KEY from where the configuration says: the environment, a file, or a command that prints it. A file and a
// command give one key a line: the one that encrypts, then former ones, which only open.
import { execFile } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { promisify } from "node:util";
import { orUndefined } from "#core/defined.ts";
import { parseEncryptionKey } from "#core/encrypted-blob.ts";
import { configurationError } from "#core/errors.ts";

export type EncryptionKeySource =
  | { readonly kind: "value"; readonly key: Uint8Array }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "command"; readonly command: string };

/** A command asks a vault over the network, or a person. */
const COMMAND_DEADLINE_MS = 30_000;
const MOST_BYTES = 64 * 1024;
const OTHERS = 0o077;

/** The key that encrypts, then those that only decrypt. No message quotes anything that was read: it may be a key. */
export async function readEncryptionKeys(source: EncryptionKeySource, commandDeadlineMs = COMMAND_DEADLINE_MS) {
  switch (source.kind) {
    case "value":
      return [source.key];
    case "file":
      return keysIn(textOf(source.path), "ENCRYPTION_KEY_FILE");
    case "command":
      return keysIn(await outputOf(source.command, commandDeadlineMs), "ENCRYPTION_KEY_COMMAND");
  }
}

function keysIn(text: string, variable: string): Uint8Array[] {
  const lines = text.split("\n").map((line) => line.trim());
  const keys = lines.filter((line) => line !== "").map(parseEncryptionKey);
  const valid = keys.filter((key) => key !== undefined);
  if (valid.length === 0 || valid.length < keys.length)
    throw configurationError(`${variable} must give keys of 32 bytes as hex or base64, one a line, and nothing else.`);
  return valid;
}

function textOf(path: string): string {
  // The operating system's error would quote the text, and people put the key itself there.
  const stats = orUndefined(() => statSync(path));
  if (stats === undefined || !stats.isFile() || stats.size > MOST_BYTES)
    throw configurationError("ENCRYPTION_KEY_FILE names no file with a key. It takes the path of a file.");
  if (process.platform !== "win32" && (stats.mode & OTHERS) !== 0)
    throw configurationError(
      `Others than its owner may read ${path}, which holds ENCRYPTION_KEY. Run: chmod 600 ${path}`,
    );
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw configurationError(`${path}, which holds ENCRYPTION_KEY, cannot be read by this user.`);
  }
}

/** Without a shell: words are separated by white space, the first one is the program, and no character is special. */
async function outputOf(command: string, timeout: number): Promise<string> {
  const [program = "", ...args] = command.trim().split(/\s+/);
  try {
    // A program that ignores SIGTERM must not keep the service from its answer.
    const options = { timeout, maxBuffer: MOST_BYTES, killSignal: "SIGKILL", windowsHide: true } as const;
    return (await promisify(execFile)(program, args, options)).stdout;
  } catch (error) {
    throw configurationError(
      `ENCRYPTION_KEY_COMMAND ${reasonOf(error, timeout)}. It must print the key and exit with 0.`,
    );
  }
}

function reasonOf(error: unknown, timeout: number): string {
  const { code, killed } = error as { code?: unknown; killed?: boolean };
  if (code === "ENOENT") return "names no program that exists";
  if (killed) return `was ended after ${timeout / 1_000} s`;
  return typeof code === "number" ? `exited with ${code}` : "failed";
}
