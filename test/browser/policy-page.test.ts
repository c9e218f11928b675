import { describe, expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { browserForFile, eventually, FLOW_WIDTHS } from "./support/browser.ts";
import { openService } from "./support/open-service.ts";
import { expectSoundEverywhere, expectStateSound } from "./support/page-assertions.ts";
import { gate, stateOf } from "./support/policy-page.ts";

const browser = browserForFile();
const POLICY = pagePath("policy");

describe("the policy page", () => {
  test.for(FLOW_WIDTHS)("shows what an agent may use, and updates it after a change, on a %s", async (width) => {
    const service = await openService();
    const { page } = await browser.visit(service.url, { width });
    await page.goto(POLICY);
    await page.getByRole("rowheader").getByRole("link", { name: "planner" }).click();
    await page.getByText("Memories that it may use").click();
    const view = page.getByRole("region", { name: "What it may use" });
    await view.getByText("Presents the quarterly roadmap").waitFor();
    expect(await view.getByRole("article").count()).toBe(7);
    expect(await view.getByText("Severe peanut allergy").count()).toBe(0);
    await expectSoundEverywhere(page, "policy-view-as");

    await gate(page, "work", "planner").click();
    await page.getByText(/^closed since version/).waitFor();
    await eventually(() => view.getByRole("article").count()).toBe(5);
    expect(await view.getByText("Presents the quarterly roadmap").count()).toBe(0);

    await page.goto(pagePath("agent", { agentId: "stranger" }));
    await page.getByText("Memories that it may use").click();
    await view.getByText("This agent may use no memory.").waitFor();
    await expectStateSound(page, "policy-view-as-stranger");
  });

  test("shows an error while the policy cannot be read, loads on a retry, and shows the memories of an agent page by page", async () => {
    const service = await openService();
    for (let i = 0; i < 25; i++) {
      await service.client.capture({ namespace: "diet", content: `Meal ${i}`, sourceAgent: "planner" });
    }
    const { page, expectError } = await browser.visit(service.url);
    expectError(/api\/policy/);
    await page.route("**/api/policy", (route) => route.abort("connectionrefused"));
    await page.goto(POLICY);
    await page.getByRole("alert").getByText("The service did not answer").first().waitFor();
    await expectStateSound(page, "policy-down");
    await page.unroute("**/api/policy");
    await page.getByRole("button", { name: "Try again" }).first().click();
    await gate(page, "health", "assistant").waitFor();
    await page.goto(pagePath("agent", { agentId: "companion" }));
    await page.getByText("Memories that it may use").click();
    const view = page.getByRole("region", { name: "What it may use" });
    await eventually(() => view.getByRole("article").count()).toBe(20);
    for (const count of [33]) {
      await view.getByRole("button", { name: "Show older memories" }).click();
      await eventually(() => view.getByRole("article").count()).toBe(count);
    }
    expect(await view.getByRole("button", { name: "Show older memories" }).count()).toBe(0);
  });

  test("has every version in the change log, a reset as one of them, page by page", async () => {
    const service = await openService();
    for (let i = 0; i < 30; i++) {
      await service.client.setAccess({ agentId: "assistant", namespace: "finance", allowed: i % 2 === 0 });
      await service.client.setAccess({ agentId: "planner", namespace: `new-${i}`, allowed: true });
    }
    await service.client.resetDemo();
    await service.client.setAccess({ agentId: "assistant", namespace: "health", allowed: false });
    const { version } = await service.client.getPolicy();
    const { page } = await browser.visit(service.url);
    await page.goto(POLICY);
    const log = page.getByRole("list", { name: "Changes, newest first" });
    const newest = log.getByRole("listitem").first();
    await newest.getByText("health for assistant: open → closed").waitFor();
    expect(await newest.innerText()).toContain(`Version ${version}`);
    await log.getByText("30 gates changed at once").click();
    await log.getByText("new-7 for planner: open → removed").waitFor();
    await expectStateSound(page, "policy-log");
    const shown = () => log.locator(":scope > li").count();
    for (const count of [20, 40, 60, version]) {
      await eventually(shown).toBe(count);
      if (count < version) await page.getByRole("button", { name: "Show older changes" }).click();
    }
    await eventually(() => page.getByRole("button", { name: "Show older changes" }).count()).toBe(0);
    await log.getByText("Version 1", { exact: true }).waitFor();
    await log.getByText(/by first start/).waitFor();
  });

  test("resets the demo data only after a confirmation, and not where anything else is in the database", async () => {
    const service = await openService();
    await service.client.setAccess({ agentId: "assistant", namespace: "health", allowed: false });
    const { page } = await browser.visit(service.url);
    await page.goto(POLICY);
    await page.getByRole("button", { name: "Reset demo data …" }).click();
    const dialog = page.getByRole("dialog", { name: "Reset the demo data?" });
    await dialog.waitFor();
    await expectSoundEverywhere(page, "policy-reset");
    await page.keyboard.press("Escape");
    await eventually(() => dialog.count()).toBe(0);
    expect((await service.client.getPolicy()).policy.assistant?.health).toBe(false);

    await page.getByRole("button", { name: "Reset demo data …" }).click();
    await dialog.getByRole("button", { name: "Reset", exact: true }).click();
    await page.getByText("The demo data is restored.").waitFor();
    await eventually(() => stateOf(page, "health", "assistant")).toBe("open");
    await service.client.capture({ namespace: "diet", content: "Likes radishes.", sourceAgent: "planner" });
    await eventually(() => page.getByRole("button", { name: "Reset demo data …" }).count()).toBe(0);
  });
});
