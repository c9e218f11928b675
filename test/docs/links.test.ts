// Links between the pages, and to files of the repository.
import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { proseIn } from "./page-blocks.ts";
import { PAGES, type Page, pageAt } from "./pages.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const LINKING = [...PAGES, ...["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "llms.txt"].map(pageAt)];

const linksIn = (page: Page): string[] =>
  [...proseIn(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^\w+:/.test(target));

/** The anchors that GitHub makes of headings. */
function anchorsIn(page: Page): string[] {
  const headings = [...proseIn(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test.for(LINKING.map((page) => [page.path, page] as const))("%s: every link leads somewhere", ([path, page]) => {
  const broken = linksIn(page).filter((link) => {
    const [file = "", anchor] = link.split("#");
    const target = file === "" ? path : normalize(join(dirname(path), file));
    if (target.startsWith("..") || !existsSync(join(ROOT, target))) return true;
    return anchor !== undefined && !(target.endsWith(".md") && anchorsIn(pageAt(target)).includes(anchor));
  });
  expect(broken).toEqual([]);
});

test.for(["README.md", "llms.txt"])("%s leads to every page of docs/", (path) => {
  const links = linksIn(pageAt(path));
  for (const page of PAGES.slice(1)) expect(links).toContain(page.path);
});
