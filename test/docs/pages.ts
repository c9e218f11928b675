// The pages of the documentation, as they are in the repository.
import { readdirSync, readFileSync } from "node:fs";

const ROOT = new URL("../../", import.meta.url);

export interface Page {
  /** From the root of the repository, `docs/start.md` for example. */
  readonly path: string;
  readonly text: string;
}

export const pageAt = (path: string): Page => ({ path, text: readFileSync(new URL(path, ROOT), "utf8") });

const inDocs = readdirSync(new URL("docs/", ROOT))
  .filter((name) => name.endsWith(".md"))
  .sort();

export const PAGES: readonly Page[] = ["README.md", ...inDocs.map((name) => `docs/${name}`)].map(pageAt);
