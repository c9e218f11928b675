import { describe, expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { browserForFile, eventually, FLOW_WIDTHS } from "./support/browser.ts";
import { openService } from "./support/open-service.ts";
import { expectSoundEverywhere, expectStateSound } from "./support/page-assertions.ts";
import { gate, stateOf } from "./support/policy-page.ts";
import { turnTo } from "./support/turn-to.ts";

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

    await turnTo(page, pagePath("agent", { agentId: "stranger" }));
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
    await turnTo(page, pagePath("agent", { agentId: "companion" }));
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

  test("shows the difference between two versions, and undoes changes by a new one", async () => {
    const service = await openService();
    const { client } = service;
    const set = (namespace: string, allowed: boolean) => client.setAccess({ agentId: "assistant", namespace, allowed });
    const { version: first } = await client.getPolicy();
    await set("health", false);
    await set("finance", true);
    await set("health", true);
    await set("diet", false);
    const { page } = await browser.visit(service.url);
    await page.goto(POLICY);
    await page.getByText("Compare two versions").click();
    await page.getByLabel("From version").fill(String(first));
    await page.getByRole("button", { name: "Compare", exact: true }).press("Enter");
    const difference = page.getByRole("status").filter({ hasText: `From version ${first} to ${first + 4}: 2 gates` });
    await difference.getByText("diet for assistant: open → closed").waitFor();
    await difference.getByText(/finance for assistant: .* → open/).waitFor();
    expect(await difference.getByText("health").count()).toBe(0);
    await expectStateSound(page, "policy-compare");

    await page.getByRole("button", { name: `Undo version ${first + 4}`, exact: true }).click();
    const dialog = page.getByRole("dialog", { name: `Undo version ${first + 4}?` });
    await dialog.getByText("diet for assistant: closed → open").waitFor();
    await expectStateSound(page, "policy-undo");
    await dialog.getByRole("button", { name: "Undo", exact: true }).press("Enter");
    await page.getByText(`Version ${first + 5}`, { exact: true }).waitFor();
    await eventually(() => stateOf(page, "diet", "assistant")).toBe("open");
    expect(await client.getPolicy()).toMatchObject({ version: first + 5, policy: { assistant: { diet: true } } });

    // All of them at once. What is as it was is left alone.
    await page.getByRole("button", { name: `Undo versions ${first + 1} to ${first + 4}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByText(`Version ${first + 6}`, { exact: true }).waitFor();
    const { changes } = await client.listPolicyChanges({ limit: 1 });
    expect(changes).toMatchObject([{ version: first + 6, namespace: "finance", from: true }]);
  });

  test("says that an undo was refused because the policy has moved on", async () => {
    const service = await openService();
    const rule = { agentId: "assistant", namespace: "health" };
    const { version } = await service.client.setAccess({ ...rule, allowed: false });
    const { page, expectError } = await browser.visit(service.url);
    // The page hears of nothing.
    await page.route("**/api/events", (route) => route.fulfill({ contentType: "text/event-stream", body: "" }));
    await page.goto(POLICY);
    await page.getByRole("button", { name: `Undo version ${version}`, exact: true }).click();
    await service.client.setAccess({ agentId: "planner", namespace: "work", allowed: false });
    expectError(/409 \(Conflict\)/);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Undo", exact: true }).click();
    await dialog
      .getByRole("alert")
      .getByText(`The policy has version ${version + 1} by now.`)
      .waitFor();
    expect((await service.client.getPolicy()).policy.assistant?.health).toBe(false);
    // It was read again, so the next one is about the policy of now.
    await page.getByText(`Version ${version + 1}`, { exact: true }).waitFor();
    await dialog.getByRole("button", { name: "Undo", exact: true }).click();
    await eventually(async () => (await service.client.getPolicy()).policy.assistant?.health).toBe(true);
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
