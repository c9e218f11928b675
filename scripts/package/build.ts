// Builds dist/: what the package holds of src/.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { compile, filesBelow } from "./compile.ts";
import { contractTypes } from "./contract-types.ts";
import { entryModules } from "./exports.ts";
import { specifiersIn } from "./specifiers.ts";

/** Replaces dist/ in the folder `root`. */
export function build(root: string): void {
  const dist = join(root, "dist");
  const entries = entryModules(root);
  compile(root, dist, entries);
  writeFileSync(join(dist, "contract", "routes.d.ts"), contractTypes());
  const used = entries.map((path) => join(dist, path.replace(/\.ts$/, ".d.ts")));
  removeUnusedDeclarations(dist, used);
  const faults = filesBelow(dist).flatMap((path) => faultsIn(dist, path));
  if (faults.length > 0) throw new Error(`dist/ is not right:\n${faults.join("\n")}`);
}

/** Declarations that no entry leads to are those of the service, and of schemas that the contract's types replace. */
function removeUnusedDeclarations(dist: string, entries: readonly string[]): void {
  const used = new Set(entries);
  for (const file of used) {
    for (const specifier of specifiersIn(readFileSync(file, "utf8"))) {
      if (specifier.startsWith(".")) used.add(join(dirname(file), specifier.replace(/\.js$/, ".d.ts")));
    }
  }
  for (const path of filesBelow(dist).filter((path) => path.endsWith(".d.ts")))
    if (!used.has(join(dist, path))) rmSync(join(dist, path));
}

/** A file that another one names must be there, and nothing may still name a source. */
function faultsIn(dist: string, path: string): string[] {
  if (!/\.[jt]s$/.test(path)) return [];
  const text = readFileSync(join(dist, path), "utf8");
  const sources = [...text.matchAll(/"[^"\n]*\.ts"/g)].map(([literal]) => `${path} still names ${literal}`);
  const missing = specifiersIn(text)
    .filter((specifier) => /^[.#]/.test(specifier) && !specifier.includes("node_modules/.cache/"))
    .map((specifier) => (path.endsWith(".d.ts") ? specifier.replace(/\.js$/, ".d.ts") : specifier))
    .filter((specifier) => !existsSync(join(dist, dirname(path), specifier)))
    .map((specifier) => `${path} names ${specifier}, which is not there`);
  return [...sources, ...missing];
}

if (import.meta.main) build(join(import.meta.dirname, "..", ".."));
