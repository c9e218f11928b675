// What must hold of a tarball before anybody is told to install it.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesBelow } from "./compile.ts";

/** A file of the package, by its path without the `package/` that npm puts in front. */
export type PackedFiles = ReadonlyMap<string, Uint8Array>;

interface Manifest {
  readonly version: string;
  readonly private?: boolean;
  readonly "//private"?: string;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const LARGEST_BYTES = 8 * 2 ** 20;

/** Everything that may be in it. */
const ALLOWED: readonly RegExp[] = [
  /^(?:package\.json|(?:README|CHANGELOG|ARCHITECTURE|CONTRIBUTING)\.md|LICENSE|example\.env|llms\.txt|openapi\.json)$/,
  /^docs\/[\w-]+\.(?:md|json|png|gif)$/,
  /^dist\/[\w./-]+(?:\.js|\.d\.ts|\.txt|\.json|\.css|\.wasm|\.bash|\.zsh|\.fish|\/NOTICE)$/,
  /^web\/dist\/(?:index\.html|verify\.html|gate\.svg|theme\.js|(?:font|icon|third-party)-licenses\.txt|\.vite\/manifest\.json)$/,
  /^web\/dist\/assets\/[\w.-]+\.(?:js|css|woff2|wasm)$/,
  /^web\/dist\/guides\/[\w-]+\.(?:html|css)$/,
  /^assets\/word-vectors\/(?:NOTICE|README\.md|vectors\.bin|vocabulary\.txt)$/,
  /^move\/build\/gate\.json$/,
];
const NEEDED = [
  "README.md",
  "LICENSE",
  "CHANGELOG.md",
  "llms.txt",
  "openapi.json",
  "dist/main.js",
  "dist/third-party-licenses.txt",
  "web/dist/index.html",
  "web/dist/verify.html",
  "web/dist/guides/index.html",
  "web/dist/third-party-licenses.txt",
  "web/dist/font-licenses.txt",
  "web/dist/icon-licenses.txt",
  "assets/word-vectors/NOTICE",
  "move/build/gate.json",
];
const TEST = /(?:^|\/)(?:test|tests|fixtures?)\/|\.test\./;
/** Text of the machine that built it, private keys, keys of ours, and of Sui. */
const SECRETS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ["an absolute path", /(?:^|["'`\s(])\/(?:home|root|Users|tmp|work|var\/tmp)\/[\w.-]/m],
  ["a private key", /-----BEGIN [A-Z ]*PRIVATE KEY-----\n/],
  ["a key of Sui", /suiprivkey1[0-9a-z]{50,}/],
  ["a key of a caller", /\bportcullis_(?!0{40})[0-9A-Za-z]{50,}/],
  ["a source map", /^\/\/# sourceMappingURL=/m],
];
const TEXT = /\.(?:js|ts|json|txt|md|html|css|env|svg|bash|zsh|fish)$|LICENSE$|NOTICE$/;

export function readTarball(path: string): PackedFiles {
  const folder = mkdtempSync(join(tmpdir(), "portcullis-tarball-"));
  try {
    execFileSync("tar", ["-xzf", path, "-C", folder]);
    const root = join(folder, "package");
    return new Map(filesBelow(root).map((name) => [name, readFileSync(join(root, name))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export const sha256Of = (path: string): string => createHash("sha256").update(readFileSync(path)).digest("hex");

/** What is wrong, a sentence each. */
export function tarballFaults(files: PackedFiles, size: number): string[] {
  const manifest = JSON.parse(textOf(files, "package.json")) as Manifest;
  return [
    ...[...files.keys()]
      .filter((path) => !ALLOWED.some((allowed) => allowed.test(path)))
      .map((path) => `${path} is not a file of the package.`),
    ...[...files.keys()].filter((path) => TEST.test(path)).map((path) => `${path} is of a test.`),
    ...NEEDED.filter((path) => !files.has(path)).map((path) => `${path} is missing.`),
    ...missingTargets(files, manifest),
    ...brokenLinks(files),
    ...unlistedPackages(files, manifest),
    ...secretsIn(files),
    ...releaseFaults(textOf(files, "CHANGELOG.md"), manifest),
    ...(size > LARGEST_BYTES ? [`It has ${size} bytes, and ${LARGEST_BYTES} are allowed.`] : []),
  ];
}

/** Of `exports` and `bin`. */
function missingTargets(files: PackedFiles, { exports, bin }: Manifest): string[] {
  const targets = Object.values(exports).flatMap((entry) => (typeof entry === "string" ? entry : Object.values(entry)));
  return [...targets, ...Object.values(bin)]
    .map((path) => path.replace(/^\.\//, ""))
    .filter((path) => !files.has(path))
    .map((path) => `package.json names ${path}, which is missing.`);
}

/** Of the README, which a registry shows. */
function brokenLinks(files: PackedFiles): string[] {
  return [...textOf(files, "README.md").matchAll(/\]\((?!\w+:|#)([^)#]+)/g)]
    .map(([, path = ""]) => path)
    .filter((path) => !files.has(path))
    .map((path) => `README.md links to ${path}, which is missing.`);
}

/** Packages that the code imports, and that an installation would not bring. */
function unlistedPackages(files: PackedFiles, { dependencies = {}, peerDependencies = {} }: Manifest): string[] {
  const listed = new Set([...Object.keys(dependencies), ...Object.keys(peerDependencies), "portcullis"]);
  const imported = new Set<string>();
  for (const path of files.keys()) {
    if (!/^dist\/.*\.(?:js|d\.ts)$/.test(path)) continue;
    for (const [, name = ""] of textOf(files, path).matchAll(IMPORTED)) imported.add(name);
  }
  return [...imported].filter((name) => !listed.has(name)).map((name) => `${name} is imported, and is no dependency.`);
}

/** Static imports. What is loaded only if it is configured may be missing. */
const IMPORTED = /^(?:(?:import|export)\b[^"\n]*\bfrom|import) "((?:@[\w.-]+\/)?(?!node:)[a-z][\w.-]*)[^"\n]*"/gm;

function secretsIn(files: PackedFiles): string[] {
  return [...files.keys()]
    .filter((path) => TEXT.test(path))
    .flatMap((path) =>
      SECRETS.filter(([, pattern]) => pattern.test(textOf(files, path))).map(([what]) => `${path} has ${what}.`),
    );
}

/** The changelog tells of this version, or of what is not released yet. */
function releaseFaults(changelog: string, { version, private: isPrivate, ...manifest }: Manifest): string[] {
  const headings = [...changelog.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);
  const isTold = headings.some((heading) => heading === "Unreleased" || heading.startsWith(version));
  return [
    ...(isTold ? [] : [`CHANGELOG.md says nothing about ${version}.`]),
    ...(isPrivate === true && manifest["//private"] ? [] : ["package.json must be private, and say why."]),
  ];
}

function textOf(files: PackedFiles, path: string): string {
  return new TextDecoder().decode(files.get(path));
}
