import type { Page } from "playwright-core";

/** Presses Tab, or Shift and Tab, until the focus is on the element with this name. */
export async function tabTo(page: Page, name: string, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press(key);
    if ((await focusedName(page)) === name) return;
  }
  throw new Error(`${key} does not lead to ${name}.`);
}

/** The accessible name of the focused element, as far as the pages use it: its label, or else its text. */
export const focusedName = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement | null;
    const labels = (element as HTMLInputElement | null)?.labels;
    return (element?.getAttribute("aria-label") ?? labels?.[0]?.innerText ?? element?.innerText ?? "").trim();
  });

export const focusOutline = (page: Page): Promise<string> =>
  page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle);
