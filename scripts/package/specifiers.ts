// The specifiers of modules, from how src/ names them (`#core/gate/gate.ts`) to how dist/ does (`../core/gate/gate.js`).
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path/posix";

/** Of a module of src/: each `#layer/file.ts` becomes relative. `path` is the module's own, below src/. */
export function withRelativeImports(source: string, path: string): string {
  return source.replaceAll(/(["'])#([\w./-]+\.ts)\1/g, (_, quote: string, target: string) => {
    return `${quote}${relativeTo(path, target)}${quote}`;
  });
}

/** Of what the compiler emitted: it leaves `.ts` in declarations, and in the URLs of threads and processes. */
export function withEmittedNames(text: string): string {
  return text
    .replaceAll(/(\bfrom |\bimport\(|\bimport )"(\.{1,2}\/[^"]+)\.ts"/g, '$1"$2.js"')
    .replaceAll(/(\bnew URL\()"(\.{1,2}\/[^"]+)\.ts"(, import\.meta\.url\))/g, '$1"$2.js"$3');
}

/** What a module imports, and the files next to it that it names by a URL. */
export function specifiersIn(text: string): string[] {
  const imports = text.matchAll(/(?:\bfrom |\bimport\(|^import |^export \* from )"([^"\n]+)"/gm);
  const urls = text.matchAll(/\bnew URL\("(\.{1,2}\/[^"\n]+)", import\.meta\.url\)/g);
  return [...imports, ...urls].map(([, specifier = ""]) => specifier);
}

/** The files of dist/ that these lead to, and these. A declaration leads to declarations. Paths are relative to `root`. */
export function reachedFrom(root: string, entries: readonly string[]): Set<string> {
  const reached = new Set(entries.map((path) => join(path)));
  for (const path of reached)
    for (const specifier of specifiersIn(readFileSync(join(root, path), "utf8")))
      if (specifier.startsWith("."))
        reached.add(join(dirname(path), path.endsWith(".d.ts") ? specifier.replace(/\.js$/, ".d.ts") : specifier));
  return reached;
}

function relativeTo(from: string, target: string): string {
  const path = relative(dirname(from), target);
  return path.startsWith(".") ? path : `./${path}`;
}
