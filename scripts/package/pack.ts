// Packs the package: builds dist/, and makes the tarball that `npm pack` would.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { build } from "./build.ts";

/** The path of the tarball, which is in the folder `to`. The page must be built. */
export async function pack(root: string, to: string): Promise<string> {
  await build(root);
  // Without scripts: dist/ is there already.
  const args = ["pack", "--ignore-scripts", "--json", "--loglevel=error", "--pack-destination", to];
  const [packed] = JSON.parse(execFileSync("npm", args, { cwd: root, encoding: "utf8" }));
  return join(to, packed.filename);
}
