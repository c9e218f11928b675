import type { Page } from "playwright-core";

/**
 * Goes to another page of the app without loading the app again, and resolves when that page has taken the place of the one
 * before. For tests of what a page shows, which is the same after a load.
 */
export async function turnTo(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    document.querySelector("h1")?.setAttribute("data-before", "");
    history.pushState(null, "", to);
  }, path);
  await page.locator("h1:not([data-before])").waitFor();
}
