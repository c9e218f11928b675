import { describe, expect, test } from "vitest";
import { browserForFile } from "./support/browser.ts";
import { openService } from "./support/open-service.ts";
import { expectSound, expectSoundEverywhere } from "./support/page-assertions.ts";

const browser = browserForFile();
const LONG = 120_000;

describe("The overview", () => {
  test("counts what is on record, readable as tables too", { timeout: LONG }, async () => {
    const service = await openService();
    const { receipt } = await service.client.chat({ agentId: "assistant", query: "What about dinner?" });
    await service.client.anchorReceipt({ receipt });
    const { page } = await browser.visit(service.url);
    await page.goto("/overview");
    const bars = page.getByRole("table", { name: "Memories by namespace" });
    await bars.getByRole("row", { name: "health 3" }).waitFor();
    expect(await bars.getByRole("row").count()).toBe(6);
    const hours = page.getByRole("table", { name: "Answers in each of the last 24 hours" });
    expect(await hours.getByRole("row").count()).toBe(25);
    expect(await hours.getByRole("row").last().getByRole("cell").innerText()).toBe("1");
    await page.getByText("12 of 12 memories that answers used").first().waitFor();
    await expectSoundEverywhere(page, "overview");
  });

  test("says so when it cannot be had", { timeout: LONG }, async () => {
    const service = await openService();
    const { page, expectTrouble } = await browser.visit(service.url);
    expectTrouble(/api\/overview/);
    await page.route("**/api/overview", (route) => route.abort("connectionrefused"));
    await page.goto("/overview");
    await page.getByRole("alert").getByText("The service did not answer").waitFor();
    await expectSound(page, "overview-down");
    await page.unroute("**/api/overview");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("table", { name: "Memories by namespace" }).waitFor();
  });
});
