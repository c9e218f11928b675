// The documentation as pages of the app, below /guides/: docs/*.md, and as their index the table of README.md. They have the
// styles of the app and no script.
import { readdirSync, readFileSync } from "node:fs";
import { Marked, Renderer } from "marked";
import type { Plugin } from "vite";

const ROOT = new URL("../", import.meta.url);

export function guides(): Plugin {
  return {
    name: "guides",
    generateBundle(_options, bundle) {
      const styles = Object.keys(bundle).find((file) => /^assets\/index-.*\.css$/.test(file)) ?? "";
      for (const [fileName, markdown] of guideTexts())
        this.emitFile({ type: "asset", fileName: `guides/${fileName}.html`, source: pageOf(markdown, styles) });
    },
  };
}

/** Each by the name of its page. */
export function guideTexts(): Map<string, string> {
  const read = (path: string) => readFileSync(new URL(path, ROOT), "utf8");
  const docs = readdirSync(new URL("docs", ROOT)).filter((file) => file.endsWith(".md"));
  const table = read("README.md")
    .split("\n")
    .filter((line) => /^\|.*\|$/.test(line) && (/\]\(docs\//.test(line) || /^\|[-| ]+\|$/.test(line)));
  const index = [
    "# Guides",
    "",
    "| to | read |",
    ...table.slice(table.findIndex((line) => line.includes("docs/")) - 1),
  ];
  const texts = docs.map((file) => [file.replace(/\.md$/, ""), read(`docs/${file}`)] as const);
  return new Map([
    [
      "index",
      index
        .join("\n")
        .replaceAll(/\[docs\/([\w-]+)\.md\]\(docs\//g, "[$1](")
        .replaceAll("](docs/", "]("),
    ],
    ...texts,
  ]);
}

function pageOf(markdown: string, styles: string): string {
  const [, title = "Guides"] = /^# (.*)/m.exec(markdown) ?? [];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
<title>${escaped(title)} · Portcullis</title>
<link rel="icon" href="../gate.svg" type="image/svg+xml" />
<link rel="stylesheet" href="../${styles}" />
<link rel="stylesheet" href="guides.css" />
<nav><a href="../">Portcullis</a> <a href="index.html">Guides</a> <a href="../docs">API reference</a></nav>
<main>
${htmlOf(markdown)}
</main>
</html>
`;
}

const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    code: ({ text }) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
    table(token) {
      return `<div tabindex="0" class="table">${Renderer.prototype.table.call(this, token)}</div>\n`;
    },
    /** It leads to a page beside this one, or out of the service. What else is in the repository is named only. */
    link({ href, tokens }) {
      const words = this.parser.parseInline(tokens);
      if (/^https?:/.test(href)) return `<a href="${escaped(href)}">${words}</a>`;
      const [, page, place = ""] = /^([\w-]*)(?:\.md)?(#.*)?$/.exec(href) ?? [];
      if (page === undefined) return words;
      return `<a href="${page === "" ? "" : `${page}.html`}${place}">${words.replace(/\.md$/, "")}</a>`;
    },
    image: ({ text }) => escaped(text),
    html: ({ text }) => escaped(text),
  },
});

export const htmlOf = (markdown: string): string => marked.parse(markdown, { async: false });

/** As GitHub makes them. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
