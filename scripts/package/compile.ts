// Compiles entries of src/ and what they import to JavaScript and declarations, file for file. The compiler rewrites relative
// specifiers only, so it gets a copy of src/ that has no others.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { withSummaries } from "./contract-types.ts";
import { withEmittedNames, withRelativeImports } from "./specifiers.ts";

const EMITTED = {
  noEmit: false,
  declaration: true,
  noEmitOnError: true,
  rewriteRelativeImportExtensions: true,
  rootDir: ".",
  outDir: "out",
};

/** Replaces the folder `to`. Throws with the compiler's output when it finds an error. `entries` are paths below src/. */
export function compile(root: string, to: string, entries: readonly string[]): void {
  const staging = mkdtempSync(join(tmpdir(), "portcullis-compile-"));
  try {
    stage(root, staging);
    const files = entries.map((path) => `src/${path}`);
    runCompiler(root, staging, files);
    rmSync(to, { recursive: true, force: true });
    const emitted = join(staging, "out", "src");
    for (const path of filesBelow(emitted))
      write(join(to, path), withEmittedNames(readFileSync(join(emitted, path), "utf8")));
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/** A copy of the sources that has relative imports only. */
function stage(root: string, staging: string): void {
  cpSync(join(root, "package.json"), join(staging, "package.json"));
  symlinkSync(join(root, "node_modules"), join(staging, "node_modules"), "dir");
  for (const path of filesBelow(join(root, "src")).filter((path) => !path.endsWith(".test.ts"))) {
    const source = readFileSync(join(root, "src", path));
    const text = path === join("contract", "paths.ts") ? withSummaries(source.toString()) : source;
    write(join(staging, "src", path), path.endsWith(".ts") ? withRelativeImports(text.toString(), path) : source);
  }
}

function runCompiler(root: string, staging: string, files: readonly string[]): void {
  const { compilerOptions } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8"));
  const config = { compilerOptions: { ...compilerOptions, ...EMITTED }, files };
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
