// Compiles src/ to JavaScript and declarations, one file for one file and at the same depth, so that URLs of assets and
// package.json hold. The compiler rewrites relative specifiers only, so it gets a copy of src/ that has no others.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { withEmittedNames, withRelativeImports } from "./specifiers.ts";

const EMITTED = {
  noEmit: false,
  noEmitOnError: true,
  rewriteRelativeImportExtensions: true,
  rootDir: ".",
  outDir: "out",
};

/** Replaces the folder `to`. Throws with the compiler's output when it finds an error. `entries` are paths below src/. */
export function compile(root: string, to: string, entries: readonly string[]): void {
  const staging = mkdtempSync(join(tmpdir(), "portcullis-compile-"));
  try {
    const sources = filesBelow(join(root, "src")).filter((path) => !path.endsWith(".test.ts"));
    stage(root, staging, sources);
    // `npm run check` checks the types of everything. Here only those that a user of the package gets are checked.
    runCompiler(root, staging, { noCheck: true }, { include: ["src"] });
    const files = entries.map((path) => `src/${path}`);
    runCompiler(root, staging, { declaration: true, emitDeclarationOnly: true }, { files });
    rmSync(to, { recursive: true, force: true });
    const emitted = join(staging, "out", "src");
    for (const path of filesBelow(emitted))
      write(join(to, path), withEmittedNames(readFileSync(join(emitted, path), "utf8")));
    // Texts that the code reads, help for example.
    for (const path of sources.filter((path) => !path.endsWith(".ts")))
      write(join(to, path), readFileSync(join(root, "src", path)));
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** A copy of the sources that has relative imports only. */
function stage(root: string, staging: string, sources: readonly string[]): void {
  cpSync(join(root, "package.json"), join(staging, "package.json"));
  symlinkSync(join(root, "node_modules"), join(staging, "node_modules"), "dir");
  for (const path of sources) {
    const source = readFileSync(join(root, "src", path));
    write(join(staging, "src", path), path.endsWith(".ts") ? withRelativeImports(source.toString(), path) : source);
  }
}

function runCompiler(root: string, staging: string, more: object, inputs: object): void {
  const { compilerOptions } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
  const config = { compilerOptions: { ...compilerOptions, ...EMITTED, ...more }, ...inputs };
  writeFileSync(join(staging, "tsconfig.json"), JSON.stringify(config));
  // By its path: other packages bring a `tsc`, too. With one checker, as several resolve the same types anew.
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  try {
    execFileSync(process.execPath, [tsc, "-p", staging, "--checkers", "1"], { cwd: staging, encoding: "utf8" });
  } catch (error) {
    throw new Error(`src/ does not compile:\n${(error as { stdout?: string }).stdout}`);
  }
}

/** The paths of all files below a folder, with `/` between their parts. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .sort();
}

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
