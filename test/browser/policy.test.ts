// /policy in a real browser: gates that open and close, with pointer and keyboard, and what that does to an agent.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { browserForFile } from "./support/browser.ts";
import { openService } from "./support/open-service.ts";
import { expectSoundEverywhere, expectSoundInBoth } from "./support/page-assertions.ts";
import { eventually } from "./support/verify-page.ts";

const browser = browserForFile();
const LONG = 120_000;

const gate = (page: Page, namespace: string, agentId: string) =>
  page.getByRole("switch", { name: `${namespace} for ${agentId}`, exact: true });
const cell = (page: Page, namespace: string, agentId: string) =>
  page.getByRole("gridcell").filter({ has: gate(page, namespace, agentId) });
const stateOf = (page: Page, namespace: string, agentId: string) =>
  cell(page, namespace, agentId).getAttribute("data-state");

describe("The matrix", () => {
  test.for(["desktop", "phone"] as const)(
    "tells three states apart and flips them, on a %s",
    {
      timeout: LONG,
    },
    async (width) => {
      const service = await openService();
      const { page } = await browser.visit(service.url, { width });
      await page.goto("/policy");
      await gate(page, "health", "assistant").waitFor();
      expect(await stateOf(page, "health", "assistant")).toBe("open");
      expect(await stateOf(page, "finance", "assistant")).toBe("revoked");
      expect(await stateOf(page, "finance", "companion")).toBe("never");
      const words = await Promise.all(
        ["health", "finance"].flatMap((namespace) =>
          ["assistant", "companion"].map((agentId) => cell(page, namespace, agentId).innerText()),
        ),
      );
      expect(new Set(words.map((text) => text.trim().split("\n").at(-1)))).toEqual(
        new Set(["open", "revoked", "never opened"]),
      );
      await expectSoundInBoth(page, "policy");

      const { version } = await service.client.getPolicy();
      await gate(page, "health", "assistant").click();
      await page
        .getByText(`closed · final, v${version + 1}`)
        .last()
        .waitFor();
      await page.getByText(`health is closed to assistant: final, version ${version + 1}.`).waitFor();
      expect(await gate(page, "health", "assistant").getAttribute("aria-checked")).toBe("false");
      await gate(page, "finance", "companion").click();
      await page.getByText(`finance is open to companion: final, version ${version + 2}.`).waitFor();
      expect(await cell(page, "health", "assistant").innerText()).toContain(`v${version + 1}`);
      const { policy } = await service.client.getPolicy();
      expect(policy.assistant?.health).toBe(false);
      expect(policy.companion?.finance).toBe(true);
      await expectSoundInBoth(page, "policy-flipped");
    },
  );

  test("moves at once, says that it is not final yet, and goes back when it fails", { timeout: LONG }, async () => {
    const service = await openService();
    const { page, expectTrouble } = await browser.visit(service.url);
    expectTrouble(/503/);
    await page.goto("/policy");
    let refuse = () => {};
    const held = new Promise<void>((resolve) => {
      refuse = resolve;
    });
    await page.route("**/api/policy", async (route) => {
      if (route.request().method() !== "POST") return route.fallback();
      await held;
      await route.fulfill({
        status: 503,
        contentType: "application/problem+json",
        json: {
          type: "about:blank",
          title: "Unavailable",
          status: 503,
          code: "records-unavailable",
          detail: "The records are busy.",
        },
      });
    });
    await gate(page, "diet", "planner").click();
    await eventually(() => stateOf(page, "diet", "planner")).toBe("pending");
    expect(await gate(page, "diet", "planner").getAttribute("aria-checked")).toBe("false");
    expect(await cell(page, "diet", "planner").innerText()).toContain("closing …");
    refuse();
    await eventually(() => stateOf(page, "diet", "planner")).toBe("failed");
    expect(await gate(page, "diet", "planner").getAttribute("aria-checked")).toBe("true");
    expect(await cell(page, "diet", "planner").innerText()).toContain("still open");
    await page.getByText("diet is still open to planner").waitFor();
    await page.getByRole("alert").getByText("The records are busy.").waitFor();
    await expectSoundEverywhere(page, "policy-failed");
    await page.unroute("**/api/policy");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText(/^diet is closed to planner: final, version \d+\./).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  test("is worked with the keyboard alone", { timeout: LONG }, async () => {
    const service = await openService();
    const { page } = await browser.visit(service.url);
    await page.goto("/policy");
    await gate(page, "diet", "advisor").waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
    for (let presses = 0; (await focused()) !== "diet for advisor"; presses++) {
      expect(presses).toBeLessThan(40);
      await page.keyboard.press("Tab");
    }
    const press = async (key: string, label: string) => {
      await page.keyboard.press(key);
      expect(await focused()).toBe(label);
    };
    await press("ArrowUp", "diet for advisor");
    await press("ArrowRight", "finance for advisor");
    await press("ArrowDown", "finance for assistant");
    await press("End", "work for assistant");
    await press("Home", "view as assistant");
    await press("ArrowRight", "diet for assistant");
    await press("Control+End", "work for planner");
    await press("ArrowRight", "work for planner");
    await press("Control+Home", "view as advisor");
    await press("ArrowRight", "diet for advisor");
    await press("ArrowDown", "diet for assistant");
    await press("ArrowRight", "finance for assistant");
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle);
    expect(outline).toBe("solid");
    await page.keyboard.press("Space");
    await page.getByText(/^finance is open to assistant: final, version \d+\./).waitFor();
    await page.keyboard.press("Space");
    await page.getByText(/^finance is closed to assistant: final, version \d+\./).waitFor();
    expect(await focused()).toBe("finance for assistant");

    // One stop for the whole grid: the next Tab leaves it, and the way back leads to the same gate.
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("finance for assistant");
    expect(await page.getByRole("grid").locator('button[tabindex="0"]').count()).toBe(1);
    expect(await page.getByRole("grid").locator("button:not([tabindex])").count()).toBe(0);
  });

  test("takes many agents and namespaces, and hostile names", { timeout: LONG }, async () => {
    const service = await openService();
    const hostile = `<img src=x onerror=alert(1)>\u202e${"W".repeat(30)}`;
    await service.client.setAccess({ agentId: hostile, namespace: hostile, allowed: true });
    await service.client.setAccess({ agentId: "__proto__", namespace: "constructor", allowed: false });
    for (let i = 0; i < 60; i++) {
      await service.client.setAccess({ agentId: `agent-${i}`, namespace: `space-${i}`, allowed: true });
    }
    const { page } = await browser.visit(service.url);
    await page.goto("/policy");
    await page.getByText(/40 of \d+ agents are shown/).waitFor();
    expect(await page.getByRole("switch").count()).toBeLessThanOrEqual(40 * 24);
    expect(await page.locator("main img").count()).toBe(0);
    await page.getByLabel("Find agents").fill("proto");
    await page.getByLabel("Find namespaces").fill("constr");
    expect(await stateOf(page, "constructor", "__proto__")).toBe("revoked");
    await page.getByLabel("Find agents").fill("img");
    await page.getByLabel("Find namespaces").fill("");
    expect(await page.getByRole("row").count()).toBe(2);
    await expectSoundEverywhere(page, "policy-hostile");
    await page.goto("/policy?viewAs=agent-7");
    await page.getByRole("button", { name: /^Show all 6\d$/ }).click();
    await page.getByRole("button", { name: "Show fewer" }).waitFor();
    await page.getByLabel("Find agents").fill("nobody at all");
    await page.getByText("No gate fits that.").waitFor();
  });
});

describe("Beside the matrix", () => {
  test.for(["desktop", "phone"] as const)(
    "a new agent gets a gate by name, on a %s",
    { timeout: LONG },
    async (width) => {
      const service = await openService();
      const { page } = await browser.visit(service.url, { width });
      await page.goto("/policy");
      await gate(page, "health", "assistant").waitFor();
      const form = page.locator("form");
      await form.getByRole("button", { name: "Open" }).click();
      expect(await form.getByText("must not be empty").count()).toBe(2);
      await form.getByLabel("Agent").fill(" nurse");
      await form.getByLabel("Namespace").fill("health");
      await form.getByText("must not begin or end with white space").waitFor();
      await expectSoundInBoth(page, "policy-new-fault");
      await form.getByLabel("Agent").fill("nurse");
      await form.getByRole("button", { name: "Open" }).click();
      await page.getByText(/^health is open to nurse: final, version \d+\./).waitFor();
      await eventually(() => stateOf(page, "health", "nurse")).toBe("final");
      expect(await stateOf(page, "diet", "nurse")).toBe("never");
      await form.getByLabel("Namespace").fill("garden");
      await form.getByRole("button", { name: "Close" }).click();
      await page.getByText(/^garden is closed to nurse: final, version \d+\./).waitFor();
      expect((await service.client.getPolicy()).policy.nurse).toEqual({ health: true, garden: false });
    },
  );

  test.for(["desktop", "phone"] as const)(
    "view as: what an agent may use, and no longer may, on a %s",
    {
      timeout: LONG,
    },
    async (width) => {
      const service = await openService();
      const { page } = await browser.visit(service.url, { width });
      await page.goto("/policy");
      await page.getByRole("button", { name: "view as planner" }).click();
      expect(new URL(page.url()).search).toBe("?viewAs=planner");
      const seen = page.getByRole("region", { name: "As an agent sees it" });
      await seen.getByText("Presents the quarterly roadmap").waitFor();
      expect(await seen.getByRole("article").count()).toBe(7);
      expect(await seen.getByText("Severe peanut allergy").count()).toBe(0);
      const gates = await seen
        .getByRole("listitem")
        .filter({ hasNot: page.getByRole("article") })
        .allInnerTexts();
      expect(gates.map((text) => text.replaceAll(/\s+/g, " ").trim())).toEqual([
        "diet 3 memories",
        "travel 2 memories",
        "work 2 memories",
        "finance never opened",
        "fitness never opened",
        "health revoked",
      ]);
      await expectSoundInBoth(page, "policy-view-as");

      await gate(page, "work", "planner").click();
      await page.getByText(/^work is closed to planner: final/).waitFor();
      await eventually(() => seen.getByRole("article").count()).toBe(5);
      expect(await seen.getByText("Presents the quarterly roadmap").count()).toBe(0);

      await page.goto("/policy?viewAs=stranger");
      await seen.getByText("It may use no memory.").waitFor();
      await expectSoundInBoth(page, "policy-view-as-stranger");
    },
  );

  test("view as goes page by page", { timeout: LONG }, async () => {
    const service = await openService();
    for (let i = 0; i < 25; i++) {
      await service.client.capture({ namespace: "diet", content: `Meal ${i}`, sourceAgent: "planner" });
    }
    const { page } = await browser.visit(service.url);
    await page.goto("/policy?viewAs=companion");
    const seen = page.getByRole("region", { name: "As an agent sees it" });
    await eventually(() => seen.getByRole("article").count()).toBe(10);
    for (const count of [20, 30, 33]) {
      await seen.getByRole("button", { name: "Show older ones" }).click();
      await eventually(() => seen.getByRole("article").count()).toBe(count);
    }
    expect(await seen.getByRole("button", { name: "Show older ones" }).count()).toBe(0);
  });

  test("the change log has every version, a reset as one, page by page", { timeout: LONG }, async () => {
    const service = await openService();
    for (let i = 0; i < 30; i++) {
      await service.client.setAccess({ agentId: "assistant", namespace: "finance", allowed: i % 2 === 0 });
      await service.client.setAccess({ agentId: "planner", namespace: `new-${i}`, allowed: true });
    }
    await service.client.resetDemo();
    await service.client.setAccess({ agentId: "assistant", namespace: "health", allowed: false });
    const { version } = await service.client.getPolicy();
    const { page } = await browser.visit(service.url);
    await page.goto("/policy");
    const log = page.getByRole("list", { name: "Changes, newest first" });
    const newest = log.getByRole("listitem").first();
    await newest.getByText("health for assistant: open → revoked").waitFor();
    expect(await newest.innerText()).toContain(`Version ${version}`);
    await log.getByText("30 gates at once").click();
    await log.getByText("new-7 for planner: open → no leaf any more").waitFor();
    await expectSoundEverywhere(page, "policy-log");
    const shown = () => log.locator(":scope > li").count();
    for (const count of [20, 40, 60, version]) {
      await eventually(shown).toBe(count);
      if (count < version) await page.getByRole("button", { name: "Show older changes" }).click();
    }
    await eventually(() => page.getByRole("button", { name: "Show older changes" }).count()).toBe(0);
    await log.getByText("Version 1", { exact: true }).waitFor();
    await log.getByText(/by first start/).waitFor();
  });

  test("the demo data is restored only by who confirms it", { timeout: LONG }, async () => {
    const service = await openService();
    await service.client.setAccess({ agentId: "assistant", namespace: "health", allowed: false });
    await service.client.capture({ namespace: "diet", content: "Likes radishes.", sourceAgent: "planner" });
    const { page } = await browser.visit(service.url);
    await page.goto("/policy?viewAs=assistant");
    await page.getByText("Likes radishes.").waitFor();
    await page.getByRole("button", { name: "Reset demo data …" }).click();
    const dialog = page.getByRole("dialog", { name: "Reset the demo data?" });
    await dialog.waitFor();
    await expectSoundEverywhere(page, "policy-reset");
    await page.keyboard.press("Escape");
    await eventually(() => dialog.count()).toBe(0);
    expect((await service.client.getPolicy()).policy.assistant?.health).toBe(false);

    await page.getByRole("button", { name: "Reset demo data …" }).click();
    await dialog.getByRole("button", { name: "Forget and restore" }).click();
    await page.getByText("The demo data is restored.").waitFor();
    await eventually(() => stateOf(page, "health", "assistant")).toBe("open");
    await eventually(() => page.getByText("Likes radishes.").count()).toBe(0);
  });

  test("a policy that cannot be read is said to be, and asked for again", { timeout: LONG }, async () => {
    const service = await openService();
    const { page, expectTrouble } = await browser.visit(service.url);
    expectTrouble(/api\/policy/);
    await page.route("**/api/policy", (route) => route.abort("connectionrefused"));
    await page.goto("/policy");
    await page.getByRole("alert").getByText("The service did not answer").first().waitFor();
    await expectSoundEverywhere(page, "policy-down");
    await page.unroute("**/api/policy");
    await page.getByRole("button", { name: "Try again" }).first().click();
    await gate(page, "health", "assistant").waitFor();
  });
});
