// The files of the built app. They are read once, at the start. The path of a request never reaches the file system.
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { HttpReply } from "#http/answer/reply.ts";

/** Gives the file to a request that has this header. */
export type WebFile = (acceptEncoding: string | null) => Promise<HttpReply>;

export interface WebFiles {
  readonly index: WebFile;
  /** The same page with a mark that nobody has to sign in, so that the app shows itself without asking first. */
  readonly openIndex: WebFile;
  /** The other files by their paths, `/assets/index-Cq2x.js` for example. */
  readonly files: ReadonlyMap<string, WebFile>;
}

const TYPES: ReadonlyMap<string, string> = new Map([
  [".html", "text/html; charset=utf-8"],
  [".js", "text/javascript; charset=utf-8"],
  [".css", "text/css; charset=utf-8"],
  [".svg", "image/svg+xml"],
  [".json", "application/json"],
  [".webmanifest", "application/manifest+json"],
  [".txt", "text/plain; charset=utf-8"],
  [".wasm", "application/wasm"],
  [".woff2", "font/woff2"],
  [".png", "image/png"],
  [".ico", "image/x-icon"],
]);
/** These formats are compressed already. */
const COMPRESSED: ReadonlySet<string> = new Set([".woff2", ".png", ".ico"]);

/** The names of files below /assets hold a hash of their content. Browsers ask for the others again each time. */
const isImmutable = (path: string): boolean => path.startsWith("/assets/");

/** The files of a build, or undefined when there is none. */
export async function loadWeb(folder: string): Promise<WebFiles | undefined> {
  const paths = await filesIn(folder);
  const loaded = await Promise.all(
    paths.map(async (path) => [path, new Uint8Array(await readFile(join(folder, path)))] as const),
  );
  const files = new Map(loaded.map(([path, bytes]) => [path, fileOf(path, bytes)] as const));
  const index = files.get("/index.html");
  const html = new Map(loaded).get("/index.html");
  if (index === undefined || html === undefined) return undefined;
  files.delete("/index.html");
  return { index, openIndex: fileOf("/index.html", markedOpen(html)), files };
}

function markedOpen(html: Uint8Array): Uint8Array<ArrayBuffer> {
  const text = new TextDecoder().decode(html).replace("<html ", '<html data-identities="none" ');
  return new TextEncoder().encode(text);
}

/** The paths of the files in a folder, each with a `/` in front. Files and folders that begin with a dot are left out. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll("\\", "/"))
    .filter((path) => !path.includes("/."));
}

function fileOf(path: string, bytes: Uint8Array<ArrayBuffer>): WebFile {
  const extension = extname(path);
  const headers = {
    "content-type": TYPES.get(extension) ?? "application/octet-stream",
    "cache-control": isImmutable(path) ? "public, max-age=31536000, immutable" : "no-cache",
    vary: "accept-encoding",
  };
  let compressed: Promise<Uint8Array<ArrayBuffer>> | undefined;
  return async (acceptEncoding) => {
    if (COMPRESSED.has(extension) || !takesGzip(acceptEncoding ?? "")) return { headers, body: bytes };
    compressed ??= compress(bytes);
    return { headers: { ...headers, "content-encoding": "gzip" }, body: await compressed };
  };
}

/** Done when a file is first requested, so that the start of the service does not wait for it. */
async function compress(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await promisify(gzip)(bytes, { level: 9 }));
}

const takesGzip = (acceptEncoding: string): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(acceptEncoding);
