// What package.json promises a user of the package: entries with their files, and the command.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface PackageJson {
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly bin: Readonly<Record<string, string>>;
}

/** The files of dist/ that package.json names, without `./`. */
function promisedFiles(root: string): string[] {
  const { exports, bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as PackageJson;
  const ofEntries = Object.values(exports).flatMap((entry) =>
    typeof entry === "string" ? [] : [entry.types, entry.default],
  );
  return [...ofEntries, ...Object.values(bin)].map((path) => path.replace(/^\.\//, ""));
}

/** The modules of src/ that the entries are compiled from, as paths below src/. */
export function entryModules(root: string): string[] {
  return promisedFiles(root)
    .filter((path) => path.endsWith(".d.ts"))
    .map((path) => path.replace(/^dist\//, "").replace(/\.d\.ts$/, ".ts"))
    .filter((path) => existsSync(join(root, "src", path)));
}
