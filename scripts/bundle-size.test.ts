import { mkdtempSync, writeFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { BUILT, FIRST_LOAD_LIMIT, FONTS_LIMIT, firstLoad, fontBytes, isBuilt } from "./bundle-size.ts";

describe("the first load of the app", () => {
  // `npm test` builds the page first. A test that is run by hand may find no build.
  test.runIf(isBuilt(BUILT))("is not larger than its limit", () => {
    const { files, gzipped } = firstLoad(BUILT);
    expect(files.length).toBeGreaterThan(0);
    expect(gzipped).toBeLessThanOrEqual(FIRST_LOAD_LIMIT);
  });

  test("counts the entry and its static imports, each once, and no dynamic import", async () => {
    const folder = mkdtempSync(join(tmpdir(), "portcullis-build-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await mkdir(join(folder, ".vite"));
    const manifest = {
      "index.html": { file: "entry.js", isEntry: true, imports: ["_shared.js"], dynamicImports: ["later.tsx"] },
      "_shared.js": { file: "shared.js", imports: ["index.html"] },
      "later.tsx": { file: "later.js", imports: ["_shared.js"] },
    };
    writeFileSync(join(folder, ".vite", "manifest.json"), JSON.stringify(manifest));
    writeFileSync(
      join(folder, "index.html"),
      '<script src="/theme.js"></script><script type="module" src="/entry.js">',
    );
    for (const file of ["entry.js", "shared.js", "later.js", "theme.js"]) writeFileSync(join(folder, file), file);
    const { files, gzipped } = firstLoad(folder);
    expect(files.map(({ file }) => file).sort()).toEqual(["entry.js", "shared.js", "theme.js"]);
    expect(gzipped).toBe(files.reduce((sum, file) => sum + file.gzipped, 0));
  });
});

test.runIf(isBuilt(BUILT))("all fonts of the app together are within their budget", () => {
  const bytes = fontBytes(BUILT);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(FONTS_LIMIT);
});
