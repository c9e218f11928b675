// The size of each page's first load: the JavaScript that the app's entry and the page import statically, compressed as the
// service sends it, and the fonts that every page asks for.
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

interface FirstLoad {
  /** The page's module; empty for what every page loads. */
  readonly page: string;
  readonly files: readonly string[];
  readonly bytes: number;
}

export const FIRST_LOAD_LIMIT = 100 * 1_024;
/** Of the files that hold the letters of the pages themselves. They are compressed already. */
export const FONTS_LIMIT = 50 * 1_024;
export const BUILT = fileURLToPath(new URL("../web/dist", import.meta.url));

export function isBuilt(folder: string): boolean {
  return existsSync(manifestOf(folder));
}

/** What every page loads, and then each page, the largest first. */
export function firstLoads(folder: string): FirstLoad[] {
  const manifest = new Map(Object.entries<Chunk>(JSON.parse(readFileSync(manifestOf(folder), "utf8"))));
  const scripts = [...readFileSync(join(folder, "index.html"), "utf8").matchAll(/<script[^>]+src="\.?\/([^"]+)"/g)];
  const entries = [...manifest].filter(([, { isEntry }]) => isEntry === true).map(([key]) => key);
  const pages = [...manifest.keys()].filter((key) => /pages\/.*-page\.tsx$/.test(key));
  const sizes = new Map<string, number>();
  const sizeOf = (file: string): number => {
    const size = sizes.get(file) ?? gzipSync(readFileSync(join(folder, file))).length;
    sizes.set(file, size);
    return size;
  };
  const loadOf = (page: string): FirstLoad => {
    const reached = reachable(manifest, page === "" ? entries : [...entries, page]);
    const files = new Set([...scripts.map(([, file = ""]) => file), ...reached].filter((file) => file.endsWith(".js")));
    return { page, files: [...files], bytes: [...files].reduce((sum, file) => sum + sizeOf(file), 0) };
  };
  return [loadOf(""), ...pages.map(loadOf).sort((a, b) => b.bytes - a.bytes)];
}

/** How many bytes the fonts have that every page may ask for. Those of rarer letters are apart. */
export function fontBytes(folder: string): number {
  const assets = join(folder, "assets");
  return readdirSync(assets)
    .filter((file) => /(?<!-(?:latin|ext))-[\w-]{8}\.woff2$/.test(file))
    .reduce((sum, file) => sum + statSync(join(assets, file)).size, 0);
}

function manifestOf(folder: string): string {
  return join(folder, ".vite", "manifest.json");
}

/** The files of what is imported statically: dynamic imports load later. */
function reachable(manifest: ReadonlyMap<string, Chunk>, entries: readonly string[]): string[] {
  const found = new Set(entries);
  for (const key of found) for (const imported of manifest.get(key)?.imports ?? []) found.add(imported);
  return [...found].map((key) => manifest.get(key)?.file ?? "");
}

if (import.meta.main) {
  const loads = firstLoads(BUILT);
  const kb = (bytes: number): string => `${(bytes / 1_024).toFixed(1)} KB`.padStart(10);
  for (const { page, files, bytes } of loads)
    console.log(`${kb(bytes)} in ${String(files.length).padStart(2)} files  ${page || "what every page loads"}`);
  const fonts = fontBytes(BUILT);
  console.log(`Allowed are ${kb(FIRST_LOAD_LIMIT).trim()} a page.`);
  console.log(`${kb(fonts)} of fonts, of ${kb(FONTS_LIMIT).trim()} allowed`);
  if (loads.some(({ bytes }) => bytes > FIRST_LOAD_LIMIT) || fonts > FONTS_LIMIT) process.exitCode = 1;
}
