// Bundles the service and its command into dist/, with the packages that every start needs: to find and read a thousand
// modules takes longer than to run them. What is loaded when it is used stays a chunk or a package of its own.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const ENTRIES = ["main.ts", "cli/main.ts"];
const WHEN_USED = [/^pg$/, /^@mysten\//, /^@modelcontextprotocol\//, /^@lat\.md\//];

interface Output {
  readonly fileName: string;
  readonly moduleIds?: readonly string[];
}

interface Emitter {
  emitFile(file: { type: "chunk" | "asset"; fileName: string; id?: string; source?: Uint8Array }): void;
}

/**
 * Bundles the package in the folder `root` into `dir`, and leaves there what it does not replace: a service that runs may
 * still load its chunks, whose names say what is in them.
 */
export async function bundle(root: string, dir = join(root, "dist")): Promise<void> {
  // It is installed with what builds the page.
  const { rolldown } = createRequire(join(root, "web", "package.json"))("rolldown");
  const bundled = await rolldown({
    cwd: root,
    input: Object.fromEntries(ENTRIES.map((path) => [path.replace(/\.ts$/, ""), join(root, "src", path)])),
    platform: "node",
    external: [/^node:/, ...WHEN_USED],
    plugins: [ownUrls(root), asciiSources],
  });
  const names = { entryFileNames: "[name].js", chunkFileNames: "chunks/[name]-[hash].js" };
  const { output }: { output: readonly Output[] } = await bundled.write({
    dir,
    format: "esm",
    comments: false,
    ...names,
  });
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds);
  writeFileSync(join(dir, "third-party-licenses.txt"), licensesOf(modules));
}

/**
 * URLs that a module makes from its own still lead to the same files: to those of the package, to texts beside the module,
 * and to modules that run in a thread or a process of their own, each of which becomes an entry.
 */
function ownUrls(root: string) {
  const folder = pathToFileURL(join(root, "/")).href;
  const src = `${folder}src/`;

  function rewritten(code: string, id: string, emitter: Emitter): string {
    const self = pathToFileURL(id).href;
    const urlOf = (url: string) => {
      if (!url.startsWith(src)) return `new URL("${url.slice(folder.length)}", __PACKAGE__)`;
      const path = fileURLToPath(url);
      const fileName = url.slice(src.length).replace(/\.ts$/, ".js");
      if (path.endsWith(".ts")) emitter.emitFile({ type: "chunk", id: path, fileName });
      else emitter.emitFile({ type: "asset", fileName, source: readFileSync(path) });
      return `new URL("${fileName}", __BUNDLE__)`;
    };
    return code
      .replaceAll(/new URL\("([^"]+)", import\.meta\.url\)/g, (_, path: string) => urlOf(new URL(path, self).href))
      .replaceAll("new URL(import.meta.url)", () => urlOf(self));
  }

  return {
    name: "own-urls",
    transform: {
      filter: { id: /[\\/]src[\\/].*\.ts$/, code: /import\.meta\.url/ },
      handler(this: Emitter, code: string, id: string) {
        return rewritten(code, id, this);
      },
    },
    renderChunk(code: string, { fileName }: Output) {
      const up = "../".repeat(fileName.split("/").length - 1);
      return code
        .replaceAll("__BUNDLE__", `new URL("./${up}", import.meta.url)`)
        .replaceAll("__PACKAGE__", `new URL("${up}../", import.meta.url)`);
    },
  };
}

/** V8 keeps a source in two bytes a character when it is not ASCII. */
const asciiSources = {
  name: "ascii-sources",
  generateBundle(_: unknown, files: Record<string, { code?: string }>) {
    const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
    for (const file of Object.values(files))
      if (file.code !== undefined) file.code = file.code.replaceAll(/[^\n -~\t]/g, escaped);
  },
};

/** The licenses of the packages that the modules are of: they ask to go with the code. */
function licensesOf(modules: readonly string[]): string {
  const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll("\\", "/")) ?? []);
  return [...new Set(folders)]
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
      const file = readdirSync(folder).find((entry) => /^licen[sc]e/i.test(entry));
      return `${name} ${version} (${license})\n\n${file === undefined ? "" : readFileSync(join(folder, file), "utf8")}`;
    })
    .join("\n\n---\n\n");
}

if (import.meta.main) await bundle(join(import.meta.dirname, ".."));
