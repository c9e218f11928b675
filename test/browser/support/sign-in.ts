import type { Page } from "playwright-core";
import { pagePath } from "#contract/page-paths.ts";

export async function enterKey(page: Page, key: string): Promise<void> {
  await page.getByLabel("Key", { exact: true }).fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Opens a page and signs in on the way. */
export async function signInAt(page: Page, path: string, key: string): Promise<void> {
  await page.goto(path);
  await enterKey(page, key);
  await page.getByRole("button", { name: "Sign out" }).waitFor();
}

export const signIn = (page: Page, key: string) => signInAt(page, pagePath("console"), key);

export const navigationOf = (page: Page) =>
  page.getByRole("navigation", { name: "Pages" }).getByRole("link").allInnerTexts();
