// The page of keys: an admin makes, rotates and revokes them.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { browserForFile } from "./support/browser.ts";
import { openWithKeys } from "./support/open-service.ts";
import { expectSoundEverywhere } from "./support/page-assertions.ts";
import { signInAt } from "./support/sign-in.ts";

const browser = browserForFile();

const cardOf = (page: Page, name: string) =>
  page.getByRole("list", { name: "Keys" }).getByRole("listitem").filter({ hasText: name });
const shownKey = (page: Page) => page.getByRole("region", { name: /^The key of/ }).locator("code");

test("a key is created, shown once, and works", async () => {
  const service = await openWithKeys();
  const { page } = await browser.visit(service.url);
  await signInAt(page, pagePath("keys"), service.adminKey);
  await cardOf(page, "first admin").waitFor();
  await page.getByRole("button", { name: "Create the key" }).click();
  expect(await page.getByLabel("Name").getAttribute("aria-invalid")).toBe("true");
  await page.getByLabel("Name").fill("travel planner");
  await page.getByLabel("Agent").fill("planner");
  await page.getByLabel("Captures into").fill("travel\n work \n");
  await page.getByLabel("Expires").selectOption("in 30 days");
  await page.getByRole("button", { name: "Create the key" }).click();
  await page.getByText("It is not shown again.").waitFor();
  const key = await shownKey(page).innerText();
  await expectSoundEverywhere(page, "keys");
  expect(await service.as(key).getSession()).toMatchObject({ agentId: "planner", captures: ["travel", "work"] });
  const card = cardOf(page, "travel planner");
  await card.getByText("agent planner").waitFor();
  await card.getByText("travel, work").waitFor();
  await card.getByText("active").waitFor();
  await page.getByRole("button", { name: "I have stored it" }).click();
  await shownKey(page).waitFor({ state: "detached" });
  await page.waitForFunction(() => document.activeElement?.tagName === "H1");
  await page.reload();
  await card.waitFor();
  expect(await page.locator("html").innerHTML()).not.toContain(key);
});

test("a key is rotated, and the new secret is shown", async () => {
  const service = await openWithKeys();
  const { key: old } = await service.keyFor("auditor");
  const { page } = await browser.visit(service.url);
  await signInAt(page, pagePath("keys"), service.adminKey);
  await page.getByRole("button", { name: "Rotate key of auditor" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
  const key = await shownKey(page).innerText();
  expect(key).not.toBe(old);
  for (const bearer of [old, key]) expect((await service.as(bearer).getSession()).role).toBe("auditor");
  await cardOf(page, "key of auditor").getByText("The old secret ends").waitFor();
});

test("a key is revoked after a confirmation", async () => {
  const service = await openWithKeys();
  const { client } = await service.keyFor("auditor");
  const { page } = await browser.visit(service.url);
  await signInAt(page, pagePath("keys"), service.adminKey);
  await page.getByRole("button", { name: "Revoke key of auditor" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  expect(await client.getSession()).toMatchObject({ role: "auditor" });
  await page.getByRole("button", { name: "Revoke key of auditor" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }).click();
  const card = cardOf(page, "key of auditor");
  await card.getByText("revoked", { exact: true }).waitFor();
  expect(await card.getByRole("button").count()).toBe(0);
  await page.waitForFunction(() => document.activeElement?.tagName === "ARTICLE");
  await expect(client.getSession()).rejects.toThrow();
});

test("an admin who revokes the key of this session is signed out", async () => {
  const service = await openWithKeys();
  const { page } = await browser.visit(service.url);
  // The service cuts the feed of a revoked key, which the browser reports.
  await page.route("**/api/events", () => undefined);
  await signInAt(page, pagePath("keys"), service.adminKey);
  await page.getByRole("button", { name: "Revoke first admin" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }).click();
  await page.getByText("You were signed out.").waitFor();
});
