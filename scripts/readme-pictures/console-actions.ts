import type { Page } from "playwright-core";

export async function ask(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Ask/ }).click();
  await page.getByText(/under policy version/).waitFor();
}

export async function closeGate(page: Page, namespace: string): Promise<void> {
  await page.getByRole("switch", { name: `${namespace} for assistant` }).click();
}
