// Reads our Move package in the form that the compiler takes: path within move/ -> text.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";

export type MoveFiles = Readonly<Record<string, string>>;

export const MOVE_FOLDER = fileURLToPath(new URL("../../move/", import.meta.url));

export function readMovePackage(folder = MOVE_FOLDER): MoveFiles {
  const sources = ["sources", "tests"].flatMap((part) =>
    readdirSync(join(folder, part), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".move"))
      .map((name) => join(part, name)),
  );
  // Sorted, so that the compiler's input does not depend on the file system.
  const names = ["Move.toml", "Move.lock", ...sources.sort()].filter((name) => existsSync(join(folder, name)));
  return Object.fromEntries(names.map((name) => [name.split(sep).join("/"), readFileSync(join(folder, name), "utf8")]));
}
