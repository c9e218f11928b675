// Reads and operates the memories page.
import type { Page } from "playwright-core";
import type { Width } from "./browser.ts";

export const rows = (page: Page) => page.getByRole("list", { name: "Memories, newest first" }).getByRole("listitem");

export const memoryWith = (page: Page, text: string) => page.getByRole("article").filter({ hasText: text });

/** Opens the page of a memory of the list. */
export async function openMemory(page: Page, text: string): Promise<void> {
  await memoryWith(page, text).getByRole("link", { name: text }).click();
  await page.getByRole("heading", { level: 1, name: "Memory" }).waitFor();
}

export const checkNow = (page: Page, text: string) =>
  memoryWith(page, text)
    .getByRole("button", { name: /^Check/ })
    .click();

/** The panels are closed at first on a phone. */
export async function openPanel(page: Page, title: string, width: Width): Promise<void> {
  if (width === "phone") await page.getByRole("heading", { name: title }).click();
}
