// Accessible as far as a program can tell (WCAG 2.2 AA, axe-core), and never checked twice for the same: the shape of a page
// counts for the rules about its markup, and a combination of colours that has passed once is legible everywhere.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type axe from "axe-core";
import type { RunOptions } from "axe-core";
import type { Page } from "playwright-core";
import { expect, inject } from "vitest";
import { casesOf } from "#test/support/runs.ts";
import { expectLargeTargets } from "./small-targets.ts";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"];
const COLOURS = ["color-contrast", "link-in-text-block"];
/** `expectLargeTargets` is quicker. `npm run torture -- properties` has both. */
const OF_PLACES = casesOf<string>([], ["target-size"]);
/** They read the markup, what of it is shown, and what scrolls. */
const RULES_OF_SHAPE: RunOptions = {
  runOnly: { type: "tag", values: WCAG },
  rules: Object.fromEntries([...COLOURS, ...OF_PLACES].map((rule) => [rule, { enabled: false }])),
  resultTypes: ["violations"],
  selectors: false,
  preload: false,
};
const RULES_OF_COLOURS: RunOptions = {
  runOnly: { type: "rule", values: COLOURS },
  resultTypes: ["violations", "passes"],
  elementRef: true,
  selectors: false,
  preload: false,
};

/** Not `axe.source`, which is more than twice as long: each page that is loaded has to parse it. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The combinations of colours that have passed on any page of this run, one a line: the workers share what they find. */
const legibleFile = () => join(inject("browserHomes"), "legible");

function readLegible(): ReadonlySet<string> {
  return new Set(existsSync(legibleFile()) ? readFileSync(legibleFile(), "utf8").split("\n") : []);
}

interface InPage {
  readonly axe: typeof axe;
  /** The shape that has passed last. */
  shape?: string;
  shapeOf(): string;
  /** The texts that are shown, and all that decides whether they can be read. Undefined if they may lie over others. */
  textsWithColours(): [element: Element, colours: string | undefined][];
}

/** No violation that a program can find, at the current width and in the current colours. */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate(() => "shapeOf" in globalThis))) {
    await addAxe(page);
    await page.evaluate(addReaders);
  }
  await expectSoundShape(page);
  await expectLargeTargets(page);
  await expectLegible(page);
}

/** As a script of its own. `page.evaluate` would have it evaluated as a text, which takes an eighth longer. */
async function addAxe(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: AXE });
  await session.detach();
}

async function expectSoundShape(page: Page): Promise<void> {
  const violations = await page.evaluate(async (options) => {
    const inPage = globalThis as unknown as InPage;
    const shape = inPage.shapeOf();
    if (shape === inPage.shape) return [];
    const { violations: found } = await inPage.axe.run(document, options);
    if (found.length === 0) inPage.shape = shape;
    return found.map(({ id, help, nodes }) => ({
      rule: `${id}: ${help}`,
      nodes: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`),
    }));
  }, RULES_OF_SHAPE);
  expect(violations).toEqual([]);
}

/**
 * Most of the time of all rules is that of the contrast, so it is computed for one text of each combination that is new, and
 * for the others only where axe-core cannot tell.
 */
async function expectLegible(page: Page): Promise<void> {
  const shown = await page.evaluate(() => {
    const texts = (globalThis as unknown as InPage).textsWithColours();
    return [...new Set(texts.map(([, colours]) => colours ?? "over others"))];
  });
  const legible = readLegible();
  const known = shown.filter((colours) => legible.has(colours));
  if (known.length === shown.length) return;
  const { violations, passed } = await page.evaluate(
    async ([options, before]) => {
      const inPage = globalThis as unknown as InPage;
      const texts = inPage.textsWithColours().filter(([, colours]) => !before.includes(colours ?? ""));
      const isFirst = (colours: string, i: number) => i === texts.findIndex((text) => text[1] === colours);
      const firsts = texts.filter(([, colours], i) => colours === undefined || isFirst(colours, i));
      const run = async (some: typeof texts) => {
        if (some.length === 0) return { passing: [], found: [] };
        const elements = some.map(([element]) => element);
        const { passes, violations: found } = await inPage.axe.run(elements, options);
        const nodes = passes.filter(({ id }) => id === "color-contrast").flatMap((rule) => rule.nodes);
        const passed = new Set(nodes.map(({ element }) => element as Element | undefined));
        return { passing: some.flatMap(([element, colours]) => (passed.has(element) && colours) || []), found };
      };
      const first = await run(firsts);
      const rest = texts.filter((text) => !firsts.includes(text) && !first.passing.includes(text[1] ?? ""));
      const second = await run(rest);
      return {
        passed: [...new Set([...first.passing, ...second.passing])],
        violations: [...first.found, ...second.found].map(({ id, help, nodes }) => ({
          rule: `${id}: ${help}`,
          nodes: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`),
        })),
      };
    },
    [RULES_OF_COLOURS, known] as const,
  );
  expect(violations).toEqual([]);
  appendFileSync(legibleFile(), passed.map((colours) => `${colours}\n`).join(""));
}

/** Runs in the page. */
function addReaders(): void {
  const isShown = (element: Element) => element.checkVisibility();

  /** What the rules read that are not about colours: the markup, the text that is shown, and which elements scroll. */
  function shapeOf(): string {
    const states = Array.from(document.querySelectorAll("*"), (element) => {
      if (!isShown(element)) return "-";
      const { scrollHeight, clientHeight, scrollWidth, clientWidth } = element;
      return scrollHeight > clientHeight || scrollWidth > clientWidth ? "scrolls" : "";
    });
    return [document.documentElement.outerHTML, document.body.innerText, ...states].join("\n");
  }

  const isInline = (element: Element) => getComputedStyle(element).display.startsWith("inline");

  /** A link within a text must differ from the text. */
  function textAround(link: Element): string {
    let block = link.parentElement;
    while (block !== null && isInline(block)) block = block.parentElement;
    const isAlone = block === null || block.textContent.trim() === link.textContent.trim();
    return isAlone || block === null ? "" : getComputedStyle(block).color;
  }

  /** For screen readers alone. */
  function isClipped(element: Element): boolean {
    const { width, height } = element.getBoundingClientRect();
    return (width <= 1 && height <= 1) || (element.parentElement !== null && isClipped(element.parentElement));
  }

  /** Before that, what sticks to the top is where it would be without. */
  function isScrolled(element: Element): boolean {
    const { scrollTop, scrollLeft, parentElement } = element;
    return scrollTop > 0 || scrollLeft > 0 || (parentElement !== null && isScrolled(parentElement));
  }

  /** What is painted behind an element, up to the first opaque background. Undefined if that need not be its ancestor's. */
  function backgroundOf(element: Element): string | undefined {
    const layers: string[] = [];
    for (let each: Element | null = element; each !== null; each = each.parentElement) {
      const { backgroundColor, backgroundImage, opacity, position, bottom } = getComputedStyle(each);
      layers.push(backgroundColor, backgroundImage, opacity);
      const isOpaque = !backgroundColor.startsWith("rgba(") && !backgroundColor.includes("/");
      if (isOpaque) break;
      if (position === "absolute" || position === "fixed") return;
      if (position === "sticky" && (bottom !== "auto" || isScrolled(each))) return;
    }
    return layers.filter((layer) => layer !== "rgba(0, 0, 0, 0)" && layer !== "none" && layer !== "1").join(" ");
  }

  const FIELDS = "input:not([type=checkbox], [type=radio], [type=range], [type=file], [type=hidden]), select, textarea";
  const EXEMPT = ":disabled, [aria-disabled=true], [aria-disabled=true] *, :disabled *, option";

  function isText(element: Element): boolean {
    const isLetters = ({ nodeType, nodeValue }: Node) => nodeType === Node.TEXT_NODE && nodeValue?.trim() !== "";
    return element.matches(FIELDS) || Array.from(element.childNodes).some(isLetters);
  }

  /** Whether less contrast is enough, as axe-core says it: from 18 points, or from 14 in bold. */
  function isLarge({ fontSize, fontWeight }: CSSStyleDeclaration): boolean {
    const points = Math.ceil(Number.parseFloat(fontSize) * 72) / 96;
    return points >= (Number(fontWeight) >= 700 ? 14 : 18);
  }

  function textsWithColours(): [Element, string | undefined][] {
    return Array.from(document.body.querySelectorAll("*"))
      .filter((element) => isShown(element) && isText(element) && !element.matches(EXEMPT) && !isClipped(element))
      .map((element) => {
        const style = getComputedStyle(element);
        const { color, fontSize, fontWeight, textDecorationLine, textShadow } = style;
        const background = backgroundOf(element);
        const around = element.matches("a") ? textAround(element) : "";
        // A link can also differ from the text around it by its size or its weight.
        const size = around === "" ? `${isLarge(style)}` : `${fontSize} ${fontWeight}`;
        const colours = [color, size, textDecorationLine, textShadow, around, background].join("; ");
        return [element, background === undefined ? undefined : colours];
      });
  }

  Object.assign(globalThis, { shapeOf, textsWithColours });
}
