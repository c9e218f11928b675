// The size of the app's first load: all JavaScript that its entry imports statically, gzipped. And that of its fonts.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** The part of Vite's `.vite/manifest.json` that is used here. */
interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
}

export interface FirstLoad {
  readonly files: readonly { readonly file: string; readonly bytes: number; readonly gzipped: number }[];
  readonly gzipped: number;
}

export const FIRST_LOAD_LIMIT = 130 * 1_024;
/** Of all fonts together. They are compressed already. */
export const FONTS_LIMIT = 120_000;
export const BUILT = fileURLToPath(new URL("../web/dist", import.meta.url));

export function isBuilt(folder: string): boolean {
  return existsSync(manifestOf(folder));
}

/** The entry, what it imports statically, and the scripts that the page names itself. */
export function firstLoad(folder: string): FirstLoad {
  const manifest = new Map(Object.entries<Chunk>(JSON.parse(readFileSync(manifestOf(folder), "utf8"))));
  const scripts = readFileSync(join(folder, "index.html"), "utf8").matchAll(/<script[^>]+src="\/([^"]+)"/g);
  const loaded = new Set([...scripts].map(([, file = ""]) => file));
  const entries = [...manifest].filter(([, { isEntry }]) => isEntry === true).map(([key]) => key);
  for (const key of reachable(manifest, entries)) loaded.add(manifest.get(key)?.file ?? "");
  const files = [...loaded]
    .filter((file) => file.endsWith(".js"))
    .map((file) => {
      const bytes = readFileSync(join(folder, file));
      return { file, bytes: bytes.length, gzipped: gzipSync(bytes).length };
    });
  return { files, gzipped: files.reduce((sum, { gzipped }) => sum + gzipped, 0) };
}

/** How many bytes all fonts have together. */
export function fontBytes(folder: string): number {
  const assets = join(folder, "assets");
  return readdirSync(assets)
    .filter((file) => file.endsWith(".woff2"))
    .reduce((sum, file) => sum + statSync(join(assets, file)).size, 0);
}

function manifestOf(folder: string): string {
  return join(folder, ".vite", "manifest.json");
}

/** Follows static imports only: dynamic ones load later. */
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
  const fonts = fontBytes(BUILT);
  console.log(`${kb(fonts)} of fonts, of ${kb(FONTS_LIMIT).trim()} allowed`);
  if (gzipped > FIRST_LOAD_LIMIT || fonts > FONTS_LIMIT) process.exitCode = 1;
}
