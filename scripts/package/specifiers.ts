// The specifiers of modules, from how src/ names them (`#core/gate/gate.ts`) to how dist/ does (`../core/gate/gate.js`).
import { dirname, relative } from "node:path/posix";

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

function relativeTo(from: string, target: string): string {
  const path = relative(dirname(from), target);
  return path.startsWith(".") ? path : `./${path}`;
}
