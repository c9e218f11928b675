// Assertions on a whole page: accessible (axe-core), not wider than the window, with a screenshot for people.
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { type Scheme, WIDTHS, type Width } from "./browser.ts";

const SCREENSHOTS = fileURLToPath(new URL("../../../test-results/screens/", import.meta.url));

/** Pictures assert nothing and take a seventh of the CPU time of the browser, so they are made on request only. */
// biome-ignore lint/style/noProcessEnv: a setting of the tests alone.
const TAKES_PICTURES = process.env.TEST_SCREENSHOTS === "1";

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"];

/** No violation of WCAG 2.2 AA that a program can find. */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async (tags) => {
    const { axe: injected } = globalThis as unknown as { axe: typeof axe };
    const { violations: found } = await injected.run(document, {
      runOnly: { type: "tag", values: tags },
      resultTypes: ["violations"],
      preload: false,
    });
    return found.map(({ id, help, nodes }) => ({
      rule: `${id}: ${help}`,
      nodes: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`),
    }));
  }, WCAG);
  expect(violations).toEqual([]);
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

const SCHEMES: readonly Scheme[] = ["light", "dark"];

/** Accessible and within the window, at the current width and in the current colours. */
export async function expectSound(page: Page, name: string): Promise<void> {
  await expectAccessible(page);
  await expectNoSidewaysScrolling(page);
  await screenshot(page, name);
}

/** `expectSound` in both colour schemes. Leaves the page in light. */
export async function expectSoundInBothSchemes(page: Page, name: string): Promise<void> {
  for (const colorScheme of SCHEMES.toReversed()) {
    await page.emulateMedia({ colorScheme });
    await expectSound(page, colorScheme === "dark" ? `${name}-dark` : name);
  }
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
