// The Sui framework that the package is compiled against. Its sources are half a megabyte of somebody else's code, so
// they are not committed. Their hash is, because other sources may compile to other bytecode.
import { createHash } from "node:crypto";

export type FrameworkSpec = {
  repository: string;
  commit: string;
  /** The packages that are needed. `tree` is the git tree id of the folder at that commit. */
  packages: readonly { path: string; tree: string }[];
  /** The result of `hashOf` for their files. */
  sha256: string;
};

/** The framework of protocol version 122, which the compiler in @zktx.io/sui-move-builder requires. */
export const FRAMEWORK: FrameworkSpec = {
  repository: "https://github.com/MystenLabs/sui.git",
  commit: "73dd2c2ba6f9fdb21d7ffde2b50a3f2f0ac39bc1",
  packages: [
    { path: "crates/sui-framework/packages/move-stdlib", tree: "01a4645d9db7a391b8880894be8304ddb4696448" },
    { path: "crates/sui-framework/packages/sui-framework", tree: "de656ab71486d42b965fa5fa3affaee3a9a3e494" },
  ],
  sha256: "8b493783c94b96fc135bdeb1d2ef4b63a6125e75a1aae16931e8eb483efbe5e2",
};

/** Path in the Sui repository -> text, for every file that the compiler needs. */
export type Framework = Readonly<Record<string, string>>;

/** Whether a file of a package is compiled: the manifest and the sources are, tests and documentation are not. */
export function isCompiled(path: string): boolean {
  return path === "Move.toml" || (path.startsWith("sources/") && path.endsWith(".move"));
}

export function hashOf(framework: Framework): string {
  const hash = createHash("sha256");
  for (const path of Object.keys(framework).sort()) {
    const text = framework[path] ?? "";
    hash.update(`${path}\0${Buffer.byteLength(text)}\0${text}`);
  }
  return hash.digest("hex");
}
