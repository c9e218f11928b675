import { describe, expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { browserForFile, eventually } from "./support/browser.ts";
import { focusedName, focusOutline, tabTo } from "./support/keyboard.ts";
import { openService } from "./support/open-service.ts";
import { expectSoundEverywhere, expectSoundInBothSchemes } from "./support/page-assertions.ts";
import { cell, gate, stateOf } from "./support/policy-page.ts";

const browser = browserForFile();
const POLICY = pagePath("policy");

describe("the table of gates", () => {
  test.for(["desktop", "phone"] as const)("shows three states, and opens and closes gates, on a %s", async (width) => {
    const service = await openService();
    const { page } = await browser.visit(service.url, { width });
    await page.goto(POLICY);
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
    await expectSoundInBothSchemes(page, "policy");

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
    await expectSoundInBothSchemes(page, "policy-flipped");
  });

  test("moves a gate at once, shows that the change is pending, and moves it back when the change fails", async () => {
    const service = await openService();
    const { page, expectError } = await browser.visit(service.url);
    expectError(/503/);
    await page.goto(POLICY);
    const held = Promise.withResolvers<void>();
    await page.route("**/api/policy", async (route) => {
      if (route.request().method() !== "POST") return route.fallback();
      await held.promise;
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
    held.resolve();
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

  test("can be used with the keyboard alone", async () => {
    const service = await openService();
    const { page } = await browser.visit(service.url);
    await page.goto(POLICY);
    await gate(page, "diet", "advisor").waitFor();
    await tabTo(page, "diet for advisor");
    const press = async (key: string, label: string) => {
      await page.keyboard.press(key);
      expect(await focusedName(page)).toBe(label);
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
    expect(await focusOutline(page)).toBe("solid");
    await page.keyboard.press("Space");
    await page.getByText(/^finance is open to assistant: final, version \d+\./).waitFor();
    await page.keyboard.press("Space");
    await page.getByText(/^finance is closed to assistant: final, version \d+\./).waitFor();
    expect(await focusedName(page)).toBe("finance for assistant");

    // Tab stops once in the grid: the next Tab leaves it, and Shift and Tab return to the same gate.
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    expect(await focusedName(page)).toBe("finance for assistant");
    expect(await page.getByRole("grid").locator('button[tabindex="0"]').count()).toBe(1);
    expect(await page.getByRole("grid").locator("button:not([tabindex])").count()).toBe(0);
  });

  test("limits and searches a large table, and shows hostile names as text", async () => {
    const service = await openService();
    const hostile = `<img src=x onerror=alert(1)>\u05d0\u05d1\u05d2${"W".repeat(30)}`;
    await service.client.setAccess({ agentId: hostile, namespace: hostile, allowed: true });
    await service.client.setAccess({ agentId: "__proto__", namespace: "constructor", allowed: false });
    for (let i = 0; i < 60; i++) {
      await service.client.setAccess({ agentId: `agent-${i}`, namespace: `space-${i}`, allowed: true });
    }
    const { page } = await browser.visit(service.url);
    await page.goto(POLICY);
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
    await page.goto(`${POLICY}?viewAs=agent-7`);
    await page.getByRole("button", { name: /^Show all 6\d$/ }).click();
    await page.getByRole("button", { name: "Show fewer" }).waitFor();
    await page.getByLabel("Find agents").fill("nobody at all");
    await page.getByText("No gate matches.").waitFor();
  });

  test.for(["desktop", "phone"] as const)("gets a gate for a new agent from the form, on a %s", async (width) => {
    const service = await openService();
    const { page } = await browser.visit(service.url, { width });
    await page.goto(POLICY);
    await gate(page, "health", "assistant").waitFor();
    const form = page.locator("form");
    await form.getByRole("button", { name: "Open" }).click();
    expect(await form.getByText("must not be empty").count()).toBe(2);
    await form.getByLabel("Agent").fill(" nurse");
    await form.getByLabel("Namespace").fill("health");
    await form.getByText("must not begin or end with white space").waitFor();
    await expectSoundInBothSchemes(page, "policy-new-fault");
    await form.getByLabel("Agent").fill("nurse");
    await form.getByRole("button", { name: "Open" }).click();
    await page.getByText(/^health is open to nurse: final, version \d+\./).waitFor();
    await eventually(() => stateOf(page, "health", "nurse")).toBe("final");
    expect(await stateOf(page, "diet", "nurse")).toBe("never");
    await form.getByLabel("Namespace").fill("garden");
    await form.getByRole("button", { name: "Close" }).click();
    await page.getByText(/^garden is closed to nurse: final, version \d+\./).waitFor();
    expect((await service.client.getPolicy()).policy.nurse).toEqual({ health: true, garden: false });
  });
});
