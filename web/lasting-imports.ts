// What `import()` does in the built app. A browser that failed to fetch a module never tries again, and neither for the
// modules that import it. So their files are fetched first, each once more if it was lost, and the browser has them then.
// Whoever imports again after a failure has them fetched again.
import type { Plugin } from "vite";

/** Of Vite. It is called with the file of each `import()` and those that it imports. */
const HELPER = "\0vite/preload-helper.js";

const FETCH_BEFORE = `
const fetched = new Map();

async function fetchFile(href) {
  const reply = await fetch(href);
  if (!reply.ok) throw new Error(href);
  await reply.arrayBuffer();
}

/** The page asks for those of its first load itself (preload-pages.ts). */
const isPreloaded = ({ pathname }) => document.querySelector(\`link[rel=modulepreload][href="\${pathname}"]\`) !== null;

function fetchOnce(url) {
  const { href } = url;
  if (!fetched.has(href)) {
    const file = isPreloaded(url) ? Promise.resolve() : fetchFile(href).catch(() => fetchFile(href));
    fetched.set(href, file);
    file.catch(() => fetched.delete(href));
  }
  return fetched.get(href);
}

export async function __vitePreload(load, files = [], importer) {
  await Promise.all(files.map((file) => fetchOnce(new URL(file, importer))));
  return load();
}
`;

export const lastingImports = (): Plugin => ({
  name: "lasting-imports",
  enforce: "pre",
  load: (id) => (id === HELPER ? FETCH_BEFORE : undefined),
});
