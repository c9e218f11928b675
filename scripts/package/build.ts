// Builds dist/: what the package holds of src/. The service and its command are bundled, and the entries for programs are
// compiled file for file, so that a program's own bundler takes what it needs of them.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundle } from "../bundle.ts";
import { compile, filesBelow } from "./compile.ts";
import { contractTypes } from "./contract-types.ts";
import { entryModules } from "./exports.ts";
import { reachedFrom, specifiersIn } from "./specifiers.ts";

/** Replaces dist/ in the folder `root`, all at once: what runs meanwhile finds the one or the other. */
export async function build(root: string): Promise<void> {
  const dist = join(root, "dist");
  const [made, old] = [`${dist}.made`, `${dist}.old`];
  rmSync(old, { recursive: true, force: true });
  await buildInto(made, root);
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(made, dist);
  rmSync(old, { recursive: true, force: true });
}

async function buildInto(dist: string, root: string): Promise<void> {
  const entries = entryModules(root);
  compile(root, dist, entries);
  writeFileSync(join(dist, "contract", "routes.d.ts"), contractTypes());
  for (const path of filesBelow(dist)) if (path.endsWith(".d.ts")) writeOutJson(join(dist, path));
  removeUnused(dist, entries);
  const faults = filesBelow(dist).flatMap((path) => faultsIn(dist, path));
  if (faults.length > 0) throw new Error(`dist/ is not right:\n${faults.join("\n")}`);
  await bundle(root, dist);
}

/** Not every compiler reads JSON, so declarations say themselves what type it has. */
function writeOutJson(path: string): void {
  const text = readFileSync(path, "utf8");
  const plain = text.replaceAll(
    /^import (?:type )?(\w+) from "([^"]+\.json)"[^;]*;$/gm,
    (_, name: string, file: string) => {
      const value: unknown = JSON.parse(readFileSync(join(dirname(path), file), "utf8"));
      return `declare const ${name}: ${typeOf(value)};`;
    },
  );
  if (plain !== text) writeFileSync(path, plain);
}

function typeOf(value: unknown): string {
  if (value === null || typeof value !== "object") return value === null ? "null" : typeof value;
  if (Array.isArray(value)) return `readonly (${[...new Set(value.map(typeOf))].join(" | ") || "never"})[]`;
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${typeOf(member)};`);
  return `{ ${members.join(" ")} }`;
}

/** The compiler emits every file that it reads: schemas too, for their types, which the contract's replace. */
function removeUnused(dist: string, entries: readonly string[]): void {
  const named = entries.flatMap((path) => [".js", ".d.ts"].map((suffix) => path.replace(/\.ts$/, suffix)));
  const used = reachedFrom(dist, named);
  for (const path of filesBelow(dist)) if (!used.has(path)) rmSync(join(dist, path));
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

if (import.meta.main) await build(join(import.meta.dirname, "..", ".."));
