// The documentation as pages of the app (web/guides.ts).
import { describe, expect, test } from "vitest";
import { guideTexts, htmlOf } from "../../web/guides.ts";

const pages = new Map([...guideTexts()].map(([name, markdown]) => [name, htmlOf(markdown)]));

describe("the guides in the app", () => {
  test("are named by their index, each of them", () => {
    const others = [...pages.keys()].filter((name) => name !== "index");
    expect(others.length).toBeGreaterThan(20);
    expect(others.filter((name) => pages.get("index")?.includes(`href="${name}.html`) !== true)).toEqual([]);
  });

  test.each([...pages])("%s: each link leads to a place that exists, and nothing of Markdown is left", (name, html) => {
    const links = [...html.matchAll(/href="(?!https?:)([^"#]*)(?:#([^"]*))?"/g)];
    const dead = links.filter(([, file = "", place]) => {
      const page = pages.get(file === "" ? name : file.replace(/\.html$/, ""));
      return page === undefined || (place !== undefined && !page.includes(`id="${place}"`));
    });
    expect(dead.map(([link]) => link)).toEqual([]);
    const words = html.replaceAll(/<pre.*?<\/pre>|<code>.*?<\/code>/gs, "");
    expect(words.match(/\*\*|`|\]\(|^\||^#/m)).toBeNull();
  });

  test("show code, tables and hostile text as they are", () => {
    expect(htmlOf("# A & <b>\n\n```sh\n<script>\n```")).toBe(
      '<h1 id="a--b">A &amp; &lt;b&gt;</h1>\n<pre tabindex="0"><code>&lt;script&gt;</code></pre>\n',
    );
    expect(htmlOf("| a | b |\n|---|---|\n| `x\\|y` | **`z`** |")).toContain(
      "<td><code>x|y</code></td>\n<td><strong><code>z</code></strong></td>",
    );
    expect(htmlOf("- one\n- [two](gate.md#where)")).toBe(
      '<ul>\n<li>one</li>\n<li><a href="gate.html#where">two</a></li>\n</ul>\n',
    );
  });
});
