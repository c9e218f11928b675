// The files of the built app. They are read once, at the start. The path of a request never reaches the file system.
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { getMimeType, mimes } from "hono/utils/mime";
import { getOrInsert } from "#core/collections/get-or-insert.ts";
import { brotlied, gzipped, type HttpReply, takesBrotli, takesGzip } from "#http/answer/reply.ts";

export type WebFile = (request: Pick<Request, "headers">) => Promise<HttpReply>;

export interface WebFiles {
  /** The page, with marks that tell the app what it would have to ask for. */
  readonly index: (marks: PageMarks) => WebFile;
  /** The other files by their paths, `/assets/index-Cq2x.js` for example. */
  readonly files: ReadonlyMap<string, WebFile>;
  /** SHA-256 of verify.html, hex. */
  readonly verifier?: string | undefined;
}

export interface PageMarks {
  /** Nobody has to sign in, so the app shows itself without asking first. */
  readonly isOpen: boolean;
  /** The path under which the browser sees the service. */
  readonly basePath: string;
}

/** An SVG says its charset itself. */
const TYPES = { ...mimes, svg: "image/svg+xml" };
const COMPRESSED: ReadonlySet<string> = new Set([".woff2", ".png", ".ico"]);

/** A reader keeps it, and opens it from a disk: there it obeys its own policy, and connects to nobody. */
const VERIFIER_PATH = "/verify.html";

/** The names of files below /assets hold a hash of their content. Browsers ask for the others again each time. */
const isImmutable = (path: string): boolean => path.startsWith("/assets/");

/** The files of a build, or undefined when there is none. */
export async function loadWeb(folder: string): Promise<WebFiles | undefined> {
  const paths = await filesIn(folder);
  const loaded = await Promise.all(
    paths.map(async (path) => [path, new Uint8Array(await readFile(join(folder, path)))] as const),
  );
  const files = new Map(loaded.map(([path, bytes]) => [path, fileOf(path, bytes)] as const));
  const bytesOf = new Map(loaded);
  const html = bytesOf.get("/index.html");
  if (html === undefined) return undefined;
  files.delete("/index.html");
  const verifier = bytesOf.get(VERIFIER_PATH);
  return {
    index: markedPages(new TextDecoder().decode(html)),
    files,
    ...(verifier && { verifier: createHash("sha256").update(verifier).digest("hex") }),
  };
}

/** Proxies name few base paths. A bound, in case that one passes on what clients send. */
export const MOST_BASE_PATHS = 16;

/** The build has relative links, which would point elsewhere from a page with a longer path. They become absolute here. */
function markedPages(html: string): WebFiles["index"] {
  const pages = new Map<string, WebFile>();
  function marked({ isOpen, basePath }: PageMarks): WebFile {
    const marks = `${isOpen ? 'data-identities="none" ' : ""}${basePath === "" ? "" : `data-base-path="${basePath}" `}`;
    const text = html.replaceAll(/(\s(?:src|href)=")\.\//g, `$1${basePath}/`).replace("<html ", `<html ${marks}`);
    return fileOf("/index.html", new TextEncoder().encode(text));
  }
  return (marks) => getOrInsert(pages, `${marks.isOpen} ${marks.basePath}`, () => marked(marks), MOST_BASE_PATHS);
}

/** The paths of the files in a folder, each with a `/` in front. Files and folders that begin with a dot are left out. */
async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll("\\", "/"))
    .filter((path) => !path.includes("/."));
}

const FAST = 9;
const SMALLEST = 11;

function fileOf(path: string, bytes: Uint8Array<ArrayBuffer>): WebFile {
  const extension = extname(path);
  const headers = {
    "content-type": getMimeType(path, TYPES) ?? "application/octet-stream",
    "cache-control": isImmutable(path) ? "public, max-age=31536000, immutable" : "no-cache",
    vary: "accept-encoding",
    ...(path === VERIFIER_PATH && { "content-disposition": 'attachment; filename="verify.html"' }),
  };
  // Done when a file is first requested, so that the start of the service does not wait for it.
  const forms = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  const inForm = (name: "br" | "gzip") => {
    const known = forms.get(name);
    if (known !== undefined) return known;
    const form = name === "br" ? brotlied(bytes, FAST) : gzipped(bytes, { level: 9 });
    forms.set(name, form);
    // The smallest form takes ten times as long. So it is for those who come later.
    const smallest = name === "br" && form.then(() => brotlied(bytes, SMALLEST));
    if (smallest)
      smallest.then(
        () => forms.set(name, smallest),
        () => undefined,
      );
    return form;
  };
  return async (request) => {
    const name = takesBrotli(request) ? "br" : takesGzip(request) ? "gzip" : undefined;
    if (COMPRESSED.has(extension) || name === undefined) return { headers, body: bytes, isShared: true };
    return { headers: { ...headers, "content-encoding": name }, body: await inForm(name), isShared: true };
  };
}
