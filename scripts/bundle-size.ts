// How much JavaScript the console's first load takes, gzipped: everything that its entry loads eagerly.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** What Vite writes to `.vite/manifest.json`, as far as it matters here. */
interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
}

export interface FirstLoad {
  readonly files: readonly { readonly file: string; readonly bytes: number; readonly gzipped: number }[];
  readonly gzipped: number;
}

export const FIRST_LOAD_LIMIT = 150 * 1_024;
export const BUILT = fileURLToPath(new URL("../web/dist", import.meta.url));

export function isBuilt(folder: string): boolean {
  return existsSync(manifestOf(folder));
}

/** What the page itself names counts as well: its entry, and the scripts that stand in its head. */
export function firstLoad(folder: string): FirstLoad {
  const manifest = new Map(Object.entries<Chunk>(JSON.parse(readFileSync(manifestOf(folder), "utf8"))));
  const named = readFileSync(join(folder, "index.html"), "utf8").matchAll(/<script[^>]+src="\/([^"]+)"/g);
  const wanted = new Set([...named].map(([, file = ""]) => file));
  const entries = [...manifest].filter(([, { isEntry }]) => isEntry === true).map(([key]) => key);
  for (const key of reachable(manifest, entries)) wanted.add(manifest.get(key)?.file ?? "");
  const files = [...wanted]
    .filter((file) => file.endsWith(".js"))
    .map((file) => {
      const bytes = readFileSync(join(folder, file));
      return { file, bytes: bytes.length, gzipped: gzipSync(bytes).length };
    });
  return { files, gzipped: files.reduce((sum, { gzipped }) => sum + gzipped, 0) };
}

function manifestOf(folder: string): string {
  return join(folder, ".vite", "manifest.json");
}

/** Static imports only: what is imported dynamically comes later. */
function reachable(manifest: ReadonlyMap<string, Chunk>, entries: readonly string[]): Set<string> {
  const found = new Set(entries);
  for (const key of found) for (const imported of manifest.get(key)?.imports ?? []) found.add(imported);
  return found;
}

if (import.meta.main) {
  const { files, gzipped } = firstLoad(BUILT);
  const kb = (bytes: number): string => `${(bytes / 1_024).toFixed(1)} KB`.padStart(10);
  for (const file of files) console.log(`${kb(file.gzipped)} gzipped ${kb(file.bytes)}  ${file.file}`);
  console.log(`${kb(gzipped)} gzipped, of ${kb(FIRST_LOAD_LIMIT).trim()} allowed`);
  if (gzipped > FIRST_LOAD_LIMIT) process.exitCode = 1;
}
