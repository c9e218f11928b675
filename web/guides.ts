// The documentation as pages of the app, below /guides/: docs/*.md, and as their index the table of README.md. They have the
// styles of the app and no script. Of Markdown they know what docs/ uses.
import { readdirSync, readFileSync } from "node:fs";
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

/** Blocks: code, tables, headings, lists and paragraphs. */
export function htmlOf(markdown: string): string {
  const blocks =
    /^(`{3,}).*\n([\s\S]*?)\n\1$|^(#+) (.*)$|^\|.*\|\n(?:\|.*\|\n?)+|^(?:[-*]|\d+\.) .*\n?(?:(?!\n|#|`{3}|\|).+\n?)*|^(?!\n).+(?:\n(?!#|`{3}|[-*] ).+)*/gm;
  return [...markdown.matchAll(blocks)]
    .map(([all, fence, code = "", marks, heading = ""]) => {
      if (fence !== undefined) return `<pre tabindex="0"><code>${escaped(code)}</code></pre>`;
      if (marks !== undefined) return `<h${marks.length} id="${slugOf(heading)}">${inline(heading)}</h${marks.length}>`;
      if (all.startsWith("|")) return tableOf(all.trim().split("\n"));
      if (/^[-*] /.test(all)) return listOf("ul", all);
      return /^\d+\. /.test(all) ? listOf("ol", all) : `<p>${inline(all)}</p>`;
    })
    .join("\n");
}

function tableOf([head = "", , ...rows]: readonly string[]): string {
  const row = (line: string, cell: "td" | "th") =>
    `<tr>${line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((text) => `<${cell}>${inline(text.trim().replaceAll("\\|", "|"))}</${cell}>`)
      .join("")}</tr>`;
  return `<div tabindex="0" class="table"><table><thead>${row(head, "th")}</thead><tbody>${rows.map((line) => row(line, "td")).join("")}</tbody></table></div>`;
}

const listOf = (name: "ol" | "ul", text: string): string =>
  `<${name}>${text
    .split(/^(?:[-*]|\d+\.) /m)
    .slice(1)
    .map((item) => `<li>${inline(item.trim())}</li>`)
    .join("")}</${name}>`;

/** A link leads to a page beside this one, or out of the service. What else is in the repository is named only. */
function inline(text: string): string {
  const codes: string[] = [];
  return escaped(text.replaceAll(/(``?) ?(.+?) ?\1(?!`)/gs, (_, _marks, code: string) => `\0${codes.push(code) - 1}\0`))
    .replaceAll(/&lt;(https?:[^\s&]+)&gt;/g, '<a href="$1">$1</a>')
    .replaceAll(/\*\*(.+?)\*\*/gs, "<b>$1</b>")
    .replaceAll(/(?<![\w*])\*([^*]+)\*(?!\w)/g, "<i>$1</i>")
    .replaceAll(/!?\[((?:[^\][]|\[[^\]]*\])*)\]\(([^)]+)\)/g, (_, words: string, target: string) => {
      const [, page, place = ""] = /^([\w-]*)(?:\.md)?(#.*)?$/.exec(target) ?? [];
      if (/^https?:/.test(target)) return `<a href="${target}">${words}</a>`;
      if (page === undefined) return words;
      return `<a href="${page === "" ? "" : `${page}.html`}${place}">${words.replace(/\.md$/, "")}</a>`;
    })
    .replaceAll(/\0(\d+)\0/g, (_, index: string) => `<code>${escaped(codes[Number(index)] ?? "")}</code>`);
}

/** As GitHub makes them. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
