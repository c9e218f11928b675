// Which Sui framework we compile against. Its sources are half a megabyte of someone else's code, so they are never
// committed here. What is committed is which ones they must be: other sources may compile to other bytecode.
import { createHash } from "node:crypto";

export type FrameworkSpec = {
  repository: string;
  commit: string;
  /** The packages that are needed. `tree` is git's id of the folder at that commit. */
  packages: readonly { path: string; tree: string }[];
  /** `hashOf` their files. */
  sha256: string;
};

/** The framework of protocol version 122, which is the one that the compiler in @zktx.io/sui-move-builder asks for. */
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

/** The files of the packages that are compiled: their manifest and sources, not their tests or documentation. */
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
