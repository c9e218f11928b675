// Looking at a page: with the eyes of axe-core, and as a picture for people.
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import axe from "axe-core";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { type Scheme, WIDTHS, type Width } from "./browser.ts";

const SCREENS = fileURLToPath(new URL("../../../test-results/screens/", import.meta.url));

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"];

/** No violation of WCAG 2.2 AA that a program can find, as the page stands now. */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  const violations = await page.evaluate(async (tags) => {
    const { axe: here } = globalThis as unknown as { axe: typeof axe };
    const { violations: found } = await here.run(document, {
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

/** The whole page, into a folder that git ignores. Look at them. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const width = page.viewportSize()?.width;
  const [label = `${width}`] = Object.entries(WIDTHS).find(([, size]) => size.width === width) ?? [];
  mkdirSync(SCREENS, { recursive: true });
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: `${SCREENS}${name}-${label}.png`, fullPage: true, animations: "disabled" });
}

const SCHEMES: readonly Scheme[] = ["light", "dark"];

/** As `expectSoundEverywhere`, at the width and in the colours that the page has now. */
export async function expectSound(page: Page, name: string): Promise<void> {
  await expectAccessible(page);
  await expectNothingCutOff(page);
  await screenshot(page, name);
}

/** As `expectSoundEverywhere`, at the width that the page has now. Leaves it in light. */
export async function expectSoundInBoth(page: Page, name: string): Promise<void> {
  for (const colorScheme of SCHEMES.toReversed()) {
    await page.emulateMedia({ colorScheme });
    await expectSound(page, colorScheme === "dark" ? `${name}-dark` : name);
  }
}

/** Accessible at both widths, in light and in dark, with a picture of each. Leaves the page as on a desktop, in light. */
export async function expectSoundEverywhere(page: Page, name: string): Promise<void> {
  for (const width of Object.keys(WIDTHS).toReversed() as Width[]) {
    await page.setViewportSize(WIDTHS[width]);
    await expectSoundInBoth(page, name);
  }
}

/** Nothing pushes the page aside: it never scrolls sideways. */
async function expectNothingCutOff(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [scrollWidth, clientWidth] as const;
  });
  expect(content, "the width of the page").toBeLessThanOrEqual(window);
}
