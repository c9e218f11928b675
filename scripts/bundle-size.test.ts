import { mkdtempSync, writeFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { BUILT, FIRST_LOAD_LIMIT, FONTS_LIMIT, firstLoads, fontBytes, isBuilt } from "./bundle-size.ts";

describe("the first load of a page", () => {
  // `npm test` builds the page first. A test that is run by hand may find no build.
  test.runIf(isBuilt(BUILT))("is not larger than its limit", () => {
    const loads = firstLoads(BUILT);
    expect(loads.length).toBeGreaterThan(15);
    expect(loads.filter(({ bytes }) => bytes > FIRST_LOAD_LIMIT)).toEqual([]);
  });

  test("counts the entry, the page and what they import statically, each once, and no dynamic import", async () => {
    const folder = mkdtempSync(join(tmpdir(), "portcullis-build-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    await mkdir(join(folder, ".vite"));
    const manifest = {
      "index.html": { file: "entry.js", isEntry: true, imports: ["_shared.js"] },
      "_shared.js": { file: "shared.js", imports: ["index.html"] },
      "_own.js": { file: "own.js" },
      "src/pages/one/one-page.tsx": {
        file: "one.js",
        imports: ["_shared.js", "_own.js"],
        dynamicImports: ["later.tsx"],
      },
      "later.tsx": { file: "later.js", imports: ["_shared.js"] },
    };
    writeFileSync(join(folder, ".vite", "manifest.json"), JSON.stringify(manifest));
    writeFileSync(
      join(folder, "index.html"),
      '<script src="/theme.js"></script><script type="module" src="./entry.js">',
    );
    for (const file of ["entry.js", "shared.js", "own.js", "one.js", "later.js", "theme.js"])
      writeFileSync(join(folder, file), file);
    const [all, one] = firstLoads(folder);
    expect(all?.files.toSorted()).toEqual(["entry.js", "shared.js", "theme.js"]);
    expect(one?.page).toBe("src/pages/one/one-page.tsx");
    expect(one?.files.toSorted()).toEqual(["entry.js", "one.js", "own.js", "shared.js", "theme.js"]);
  });
});

test.runIf(isBuilt(BUILT))("the fonts that every page may ask for are within their budget", () => {
  const bytes = fontBytes(BUILT);
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThanOrEqual(FONTS_LIMIT);
});
