// A folder is a chapter: none of src and web/src has more files than a reader can hold in mind. Tests are not counted.
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const MOST_FILES = 12;
const root = fileURLToPath(new URL("..", import.meta.url));

const counts = new Map();
for (const top of ["src", "web/src"])
  for (const path of readdirSync(join(root, top), { recursive: true }))
    if (/\.(ts|tsx|css)$/.test(path) && !/\.test\.tsx?$/.test(path)) {
      const folder = join(top, dirname(path));
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }

const large = [...counts].filter(([, count]) => count > MOST_FILES).sort(([, a], [, b]) => b - a);
for (const [folder, count] of large)
  console.error(`${folder} has ${count} files, and a folder has at most ${MOST_FILES}.`);
process.exitCode = large.length === 0 ? 0 : 1;
