import { expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { browserForFile } from "./support/browser.ts";
import { openService } from "./support/open-service.ts";
import { expectSound, expectSoundEverywhere } from "./support/page-assertions.ts";

const browser = browserForFile();

test("the overview shows its counts as charts and as tables", async () => {
  const service = await openService();
  const { receipt } = await service.client.chat({ agentId: "assistant", query: "What do you know about me?" });
  await service.client.anchorReceipt({ receipt });
  const { page } = await browser.visit(service.url);
  await page.goto(pagePath("overview"));
  const bars = page.getByRole("table", { name: "Memories by namespace" });
  await bars.getByRole("row", { name: "health 3" }).waitFor();
  expect(await bars.getByRole("row").count()).toBe(6);
  const hours = page.getByRole("figure", { name: "Answers in each of the last 24 hours" }).getByRole("listitem");
  expect(await hours.count()).toBe(24);
  expect(await hours.last().textContent()).toMatch(/: 1/);
  const states = page.locator("[data-state]");
  expect((await states.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " "))).toEqual([
    "12 intact",
    "0 altered",
    "0 not reachable",
  ]);
  await expectSoundEverywhere(page, "overview");
  const agents = page.getByRole("table", { name: "Memories by source agent" });
  expect(await agents.getByRole("link").count()).toBe(await agents.getByRole("row").count());
  await bars.getByRole("link", { name: "health" }).click();
  await page.waitForURL(`**${pagePath("namespace", { name: "health" })}`);
});

test("the overview shows an error while the service does not answer, and loads on a retry", async () => {
  const service = await openService();
  const { page, expectError } = await browser.visit(service.url);
  expectError(/api\/overview/);
  await page.route("**/api/overview", (route) => route.abort("connectionrefused"));
  await page.goto(pagePath("overview"));
  await page.getByRole("alert").getByText("The service did not answer").waitFor();
  await expectSound(page, "overview-down");
  await page.unroute("**/api/overview");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("table", { name: "Memories by namespace" }).waitFor();
});
