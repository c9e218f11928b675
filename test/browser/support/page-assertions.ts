// Assertions on a whole page: accessible (axe-core), not wider than the window, with a screenshot for people.
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { casesOf } from "#test/support/runs.ts";
import { expectAccessible } from "./accessibility.ts";
import { WIDTHS, type Width } from "./browser.ts";

const SCREENSHOTS = fileURLToPath(new URL("../../../test-results/screens/", import.meta.url));

/** Pictures assert nothing and take a seventh of the CPU time of the browser, so they are made on request only. */
// biome-ignore lint/style/noProcessEnv: a setting of the tests alone.
const TAKES_PICTURES = process.env.TEST_SCREENSHOTS === "1";

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

type Scheme = "light" | "dark";
type Look = readonly [width: Width, scheme: Scheme];

/** Every width in every colour scheme. */
const LOOKS: readonly Look[] = [
  ["phone", "dark"],
  ["phone", "light"],
  ["desktop", "dark"],
  ["desktop", "light"],
];
/** In `npm test`, each width and each scheme once: what has no room rarely depends on colours, and the reverse. */
const LOOKS_OF_PAGE = casesOf(LOOKS, [LOOKS[0], LOOKS[3]] as readonly Look[]);

/** `expectSound` in both colour schemes. Leaves the page in light. */
export async function expectSoundInBothSchemes(page: Page, name: string): Promise<void> {
  await expectSoundIn("dark", page, name);
  await expectSoundIn("light", page, name);
}

async function expectSoundIn(scheme: Scheme, page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: scheme });
  await expectSound(page, scheme === "dark" ? `${name}-dark` : name);
}

/** `expectSound` at both widths and in both colour schemes. Leaves the page at its own width, in light. */
export async function expectSoundEverywhere(page: Page, name: string): Promise<void> {
  await expectSoundAs(LOOKS_OF_PAGE, page, name);
}

/**
 * As `expectSoundEverywhere`, for another state of a page of which that has been expected. In `npm test` on a phone, where
 * less fits, one half of the states in light and the other in dark.
 */
export async function expectStateSound(page: Page, name: string): Promise<void> {
  const scheme = name.length % 2 === 0 ? "dark" : "light";
  await expectSoundAs(casesOf(LOOKS, [["phone", scheme]]), page, name);
}

async function expectSoundAs(looks: readonly Look[], page: Page, name: string): Promise<void> {
  const before = page.viewportSize() ?? WIDTHS.desktop;
  for (const [width, scheme] of looks) {
    await page.setViewportSize(WIDTHS[width]);
    await expectSoundIn(scheme, page, name);
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(before);
}

async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const [content, window] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [scrollWidth, clientWidth] as const;
  });
  expect(content, "the width of the page").toBeLessThanOrEqual(window);
}
