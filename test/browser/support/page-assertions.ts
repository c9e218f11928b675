// Assertions on a whole page: accessible (axe-core), not wider than the window, with a screenshot for people.
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type axe from "axe-core";
import type { RunOnly } from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { WIDTHS, type Width } from "./browser.ts";

const SCREENSHOTS = fileURLToPath(new URL("../../../test-results/screens/", import.meta.url));

/** Pictures assert nothing and take a seventh of the CPU time of the browser, so they are made on request only. */
// biome-ignore lint/style/noProcessEnv: a setting of the tests alone.
const TAKES_PICTURES = process.env.TEST_SCREENSHOTS === "1";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"];
const ALL_RULES: RunOnly = { type: "tag", values: WCAG };
/** The rules whose result depends on colours. The others read the markup, what of it is shown, and where. */
const COLOUR_RULES: RunOnly = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

/** Not `axe.source`, which is more than twice as long: each page that is loaded has to parse it. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** No violation of WCAG 2.2 AA that a program can find. */
export async function expectAccessible(page: Page, rules: RunOnly = ALL_RULES): Promise<void> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  const violations = await page.evaluate(async (runOnly) => {
    const { axe: injected } = globalThis as unknown as { axe: typeof axe };
    const { violations: found } = await injected.run(document, {
      runOnly,
      resultTypes: ["violations"],
      preload: false,
    });
    return found.map(({ id, help, nodes }) => ({
      rule: `${id}: ${help}`,
      nodes: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`),
    }));
  }, rules);
  expect(violations).toEqual([]);
}

/** What the rules read that are not about colours: the markup, the text that is shown, and the place of each element. */
function shapeOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    // The box of an element in closed details depends on what was asked before.
    const shown = Array.from(document.querySelectorAll("*")).filter((element) => element.checkVisibility());
    const boxes = shown.map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return `${element.tagName} ${x} ${y} ${width} ${height}`;
    });
    return [document.documentElement.outerHTML, document.body.innerText, ...boxes].join("\n");
  });
}

/** With TEST_SCREENSHOTS=1, a picture of the whole page in test-results/screens, which git ignores. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (!TAKES_PICTURES) return;
  const width = page.viewportSize()?.width;
  const [label = `${width}`] = Object.entries(WIDTHS).find(([, size]) => size.width === width) ?? [];
  mkdirSync(SCREENSHOTS, { recursive: true });
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: `${SCREENSHOTS}${name}-${label}.png`, fullPage: true, animations: "disabled" });
}

/** Accessible and within the window, at the current width and in the current colours. */
export async function expectSound(page: Page, name: string): Promise<void> {
  await expectAccessible(page);
  await expectNoSidewaysScrolling(page);
  await screenshot(page, name);
}

/**
 * `expectSound` in both colour schemes. Leaves the page in light. There, the rules that are not about colours are left
 * out if nothing but colours differs: they would read the same again, and take half of the time.
 */
export async function expectSoundInBothSchemes(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: "dark" });
  const shape = await shapeOf(page);
  await expectSound(page, `${name}-dark`);
  await page.emulateMedia({ colorScheme: "light" });
  await expectAccessible(page, (await shapeOf(page)) === shape ? COLOUR_RULES : ALL_RULES);
  await expectNoSidewaysScrolling(page);
  await screenshot(page, name);
}

/** `expectSound` at both widths and in both colour schemes. Leaves the page at the width of a desktop, in light. */
export async function expectSoundEverywhere(page: Page, name: string): Promise<void> {
  for (const width of Object.keys(WIDTHS).toReversed() as Width[]) {
    await page.setViewportSize(WIDTHS[width]);
    await expectSoundInBothSchemes(page, name);
  }
}

async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [scrollWidth, clientWidth] as const;
  });
  expect(content, "the width of the page").toBeLessThanOrEqual(window);
}
