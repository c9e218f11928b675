import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { type Policy, policyFrom } from "#core/gate/policy.ts";
import { browserForFile, eventually, FLOW_WIDTHS } from "./support/browser.ts";
import { focusedName, focusOutline, tabTo } from "./support/keyboard.ts";
import { openService } from "./support/open-service.ts";
import { expectSoundEverywhere, expectStateSound } from "./support/page-assertions.ts";
import { cell, gate, stateOf } from "./support/policy-page.ts";
import { styledDuring } from "./support/styled-elements.ts";

const browser = browserForFile();
const POLICY = pagePath("policy");

/** What scrolls. */
const gates = (page: Page) => page.getByRole("region", { name: "Gates by agent and namespace" });

describe("the table of gates", () => {
  test.for(FLOW_WIDTHS)("shows whether each is open, and opens and closes gates, on a %s", async (width) => {
    const service = await openService();
    const { page } = await browser.visit(service.url, { width });
    await page.goto(POLICY);
    await gate(page, "health", "assistant").waitFor();
    expect(await stateOf(page, "health", "assistant")).toBe("open");
    expect(await stateOf(page, "finance", "assistant")).toBe("closed");
    expect(await stateOf(page, "finance", "companion")).toBe("closed");
    const words = await Promise.all(
      ["health", "finance"].flatMap((namespace) =>
        ["assistant", "companion"].map((agentId) => cell(page, namespace, agentId).innerText()),
      ),
    );
    expect(new Set(words.map((text) => text.trim().split("\n").at(-1)))).toEqual(new Set(["open", "closed"]));
    await expectSoundEverywhere(page, "policy");

    const { version } = await service.client.getPolicy();
    await gate(page, "health", "assistant").click();
    await page
      .getByText(`closed since version ${version + 1}`)
      .last()
      .waitFor();
    await page.getByText(`health is closed to assistant since policy version ${version + 1}.`).waitFor();
    expect(await gate(page, "health", "assistant").getAttribute("aria-checked")).toBe("false");
    await gate(page, "finance", "companion").click();
    await page.getByText(`finance is open to companion since policy version ${version + 2}.`).waitFor();
    expect(await cell(page, "health", "assistant").innerText()).toContain(`version ${version + 1}`);
    const { policy } = await service.client.getPolicy();
    expect(policy.assistant?.health).toBe(false);
    expect(policy.companion?.finance).toBe(true);
    await expectStateSound(page, "policy-flipped");
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
    await expectStateSound(page, "policy-failed");
    await page.unroute("**/api/policy");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText(/^diet is closed to planner since policy version \d+\./).waitFor();
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
    await press("ArrowLeft", "advisor");
    await press("ArrowUp", "advisor");
    await press("ArrowRight", "diet for advisor");
    await press("ArrowUp", "diet");
    await press("ArrowUp", "diet");
    await press("PageUp", "diet");
    await press("ArrowRight", "health");
    await press("Home", "health");
    await press("ArrowDown", "health for advisor");
    await press("ArrowDown", "health for assistant");
    await press("End", "work for assistant");
    await press("Home", "assistant");
    await press("ArrowLeft", "assistant");
    await press("ArrowUp", "advisor");
    await press("ArrowDown", "assistant");
    await press("ArrowRight", "diet for assistant");
    await press("Control+End", "work for planner");
    await press("ArrowRight", "work for planner");
    await press("Control+Home", "advisor");
    await press("ArrowRight", "diet for advisor");
    await press("ArrowDown", "diet for assistant");
    await press("ArrowRight", "health for assistant");
    await press("ArrowRight", "finance for assistant");
    expect(await focusOutline(page)).toBe("solid");
    await page.keyboard.press("Space");
    await page.getByText(/^finance is open to assistant since policy version \d+\./).waitFor();
    await page.keyboard.press("Space");
    await page.getByText(/^finance is closed to assistant since policy version \d+\./).waitFor();
    expect(await focusedName(page)).toBe("finance for assistant");

    // Tab stops once in the grid: the next Tab leaves it, and Shift and Tab return to the same gate.
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    expect(await focusedName(page)).toBe("finance for assistant");
    const stops = page.getByRole("grid").locator(":is(a, button)");
    expect(await stops.and(page.locator('[tabindex="0"]')).count()).toBe(1);
    expect(await stops.and(page.locator(":not([tabindex])")).count()).toBe(0);

    // The names lead to their pages.
    await press("Control+Home", "advisor");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**${pagePath("agent", { agentId: "advisor" })}`);
    await page.goBack();
    await page.getByRole("columnheader", { name: "health" }).getByRole("link").click();
    await page.waitForURL(`**${pagePath("namespace", { name: "health" })}`);
  });

  test("has every gate of a large table within reach, few of them in the page, and moves none when one is flipped; however many gates a version changed, it asks for few changes, and computes the styles of what is new alone when it scrolls", async () => {
    const service = await openService();
    await service.tenant.records.reset([], largePolicy(), { by: "test", at: "2026-01-02T03:04:05.678Z" });
    const { page } = await browser.visit(service.url);
    const changes: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/api/policy/changes?limit=200")) changes.push(request.url());
    });
    await page.goto(POLICY);
    const log = page.getByRole("list", { name: "Changes, newest first" });
    await log.getByText("200 gates or more changed at once").waitFor();
    const grid = page.getByRole("grid");
    const heads = () => grid.getByRole("columnheader").allInnerTexts();
    const firstHeads = async () => (await heads()).slice(1, 5).map((text) => text.split("\n")[0]);
    const focused = () =>
      page.evaluate(() => {
        const box = document.activeElement?.getBoundingClientRect() ?? new DOMRect();
        const scroller = document.activeElement?.closest("section")?.getBoundingClientRect() ?? new DOMRect();
        const isInSight = box.left >= scroller.left && box.right <= scroller.right && box.bottom <= scroller.bottom;
        return { isInSight, column: document.activeElement?.closest("[aria-colindex]")?.ariaColIndex };
      });
    await grid.getByRole("switch").first().waitFor();
    expect(await page.locator("main *").count()).toBeLessThan(4_000);
    expect(await grid.getAttribute("aria-rowcount")).toBe("201");
    expect(await grid.getAttribute("aria-colcount")).toBe("501");
    // Open gates first. The others have no memories, so they follow by name.
    expect(await firstHeads()).toEqual(["space-249", "space-498", "constructor", "space-000"]);
    expect(await grid.getByRole("switch").count()).toBeLessThan(400);

    await tabTo(page, "space-249 for agent-000");
    await page.keyboard.press("Control+End");
    expect(await focusedName(page)).toBe("space-497 for __proto__");
    await eventually(focused).toEqual({ isInSight: true, column: "501" });
    await page.keyboard.press("ArrowLeft");
    expect(await focusedName(page)).toBe("space-496 for __proto__");
    // Scrolling takes the focus from no gate, however far it is.
    await gates(page).evaluate((region) => region.scrollTo(0, 0));
    await gate(page, "space-249", "agent-000").waitFor();
    expect(await focusedName(page)).toBe("space-496 for __proto__");
    expect(await grid.getByRole("switch").count()).toBeLessThan(400);

    const steps = 20;
    const drawn = await grid.locator("*").count();
    const styled = await styledDuring(page, () => scrollBySteps(page, steps));
    expect(styled).toBeGreaterThan(0);
    expect(styled / steps).toBeLessThan(drawn / 2);
    await gates(page).evaluate((region) => region.scrollTo(0, 0));

    await gate(page, "space-001", "agent-000").click();
    await page.getByText(/^space-001 is open to agent-000 since policy version \d+\./).waitFor();
    await log.getByText("space-001 for agent-000: closed → open").waitFor();
    expect(new Set(changes).size).toBe(1);
    await log.getByText("199 gates or more changed at once").click();
    const listed = () => log.locator("details li").count();
    await eventually(listed).toBe(100);
    await log.getByRole("button", { name: "Show all 199" }).click();
    await eventually(listed).toBe(199);

    expect(await firstHeads()).toEqual(["space-249", "space-498", "constructor", "space-000"]);
    await page.getByRole("button", { name: "Sort again" }).click();
    await eventually(firstHeads).toEqual(["space-001", "space-249", "space-498", "constructor"]);
    expect(await page.getByRole("button", { name: "Sort again" }).count()).toBe(0);
    await page.getByLabel("Find agents").fill("proto");
    await page.getByLabel("Find namespaces").fill("constr");
    await eventually(() => stateOf(page, "constructor", "__proto__")).toBe("closed");

    // Beside the question the gates of one agent are a list, in the same order, and with a search.
    await page.goto(`${pagePath("console")}?agent=agent-000`);
    await gate(page, "space-249", "agent-000").waitFor();
    const names = await page.getByRole("switch").evaluateAll((all) => all.map((each) => each.ariaLabel));
    expect(names.slice(0, 3)).toEqual([
      "space-001 for agent-000",
      "space-249 for agent-000",
      "space-498 for agent-000",
    ]);
    expect(names.length).toBeLessThan(100);
    await page.getByLabel("Find a namespace").fill("321");
    await gate(page, "space-321", "agent-000").click();
    await page.getByText(/^space-321 is open to agent-000 since policy version \d+\./).waitFor();
  });

  test("shows hostile and long names as text, and scrolls sideways below its heads on a phone", async () => {
    const service = await openService();
    const hostile = `<img src=x onerror=alert(1)>\u05d0\u05d1\u05d2${"W".repeat(30)}`;
    await service.client.setAccess({ agentId: hostile, namespace: hostile, allowed: true });
    for (let i = 0; i < 12; i++) {
      await service.client.setAccess({ agentId: `agent-${i}`, namespace: `space-${i}`, allowed: true });
    }
    const { page } = await browser.visit(service.url, { width: "phone" });
    await page.goto(POLICY);
    await page.getByText("Scroll sideways for more namespaces.").waitFor();
    await gate(page, "diet", "agent-0").waitFor();
    const head = page.getByRole("rowheader").first();
    const before = await head.boundingBox();
    await gates(page).evaluate((region) => region.scrollTo(700, 0));
    await gate(page, "health", "agent-0").waitFor({ state: "detached" });
    expect(await head.boundingBox()).toEqual(before);
    await page.getByLabel("Find agents").fill("img");
    await eventually(() => page.getByRole("row").count()).toBe(2);
    await gate(page, hostile, hostile).waitFor();
    expect(await page.locator("main img").count()).toBe(0);
    await expectStateSound(page, "policy-hostile");
    await page.getByLabel("Find agents").fill("nobody at all");
    await page.getByText("No gate matches.").waitFor();
  });

  test("says at once that a change was not made without a network, sends it on request only, and keeps the focus", async () => {
    const service = await openService();
    const { page, expectError } = await browser.visit(service.url);
    expectError(/ERR_INTERNET_DISCONNECTED/);
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") sent.push(request.postData() ?? "");
    });
    await page.goto(POLICY);
    await gate(page, "health", "assistant").waitFor();
    await page.context().setOffline(true);
    await gate(page, "health", "assistant").click();
    await page.getByText("Not changed: health is still open to assistant.").waitFor();
    await page.getByRole("alert").getByText("The service did not answer").waitFor();
    expect(await stateOf(page, "health", "assistant")).toBe("failed");
    expect(await gate(page, "health", "assistant").getAttribute("aria-checked")).toBe("true");
    // The way to another page was loaded before, and nothing is sent there when the network is back.
    await page.context().setOffline(false);
    await page.getByRole("link", { name: "Console" }).click();
    await gate(page, "health", "assistant").waitFor();
    await page.getByRole("link", { name: "Policy" }).click();
    await gate(page, "health", "assistant").waitFor();
    expect(sent).toHaveLength(1);
    expect((await service.client.getPolicy()).policy.assistant?.health).toBe(true);

    await page.context().setOffline(true);
    await gate(page, "diet", "planner").click();
    await page.getByText("Not changed: diet is still open to planner.").waitFor();
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Try again" }).click();
    expect(await focusedName(page)).toBe("diet for planner");
    await page.getByText(/^diet is closed to planner since policy version \d+\./).waitFor();
    expect(await focusedName(page)).toBe("diet for planner");
    expect(sent.slice(1)).toEqual([sent[2], sent[2]]);
  });

  test.for(FLOW_WIDTHS)("gets a gate for a new agent from the form, on a %s", async (width) => {
    const service = await openService();
    const { page } = await browser.visit(service.url, { width });
    await page.goto(POLICY);
    await gate(page, "health", "assistant").waitFor();
    const form = page.locator("form").filter({ has: page.getByRole("button", { name: "Open" }) });
    await form.getByRole("button", { name: "Open" }).click();
    expect(await form.getByText("must not be empty").count()).toBe(2);
    await form.getByLabel("Agent").fill(" nurse");
    await form.getByLabel("Namespace").fill("health");
    await form.getByText("must not begin or end with white space").waitFor();
    await expectStateSound(page, "policy-new-fault");
    await form.getByLabel("Agent").fill("nurse");
    await form.getByRole("button", { name: "Open" }).click();
    await page.getByText(/^health is open to nurse since policy version \d+\./).waitFor();
    await eventually(() => stateOf(page, "health", "nurse")).toBe("final");
    expect(await stateOf(page, "diet", "nurse")).toBe("closed");
    await form.getByLabel("Namespace").fill("garden");
    await form.getByRole("button", { name: "Open" }).click();
    await page.getByText(/^garden is open to nurse since policy version \d+\./).waitFor();
    await gate(page, "garden", "nurse").click();
    await page.getByText(/^garden is closed to nurse since policy version \d+\./).waitFor();
    expect((await service.client.getPolicy()).policy.nurse).toEqual({ health: true, garden: false });
  });
});

const scrollBySteps = (page: Page, steps: number) =>
  gates(page).evaluate(async (region, count) => {
    for (let step = 0; step < count; step++) {
      region.scrollBy(120, 120);
      await new Promise(requestAnimationFrame);
    }
  }, steps);

/** 200 agents and 500 namespaces, of which two have open gates; and two names of inherited properties. */
function largePolicy(): Policy {
  const name = (prefix: string, i: number) => `${prefix}-${String(i).padStart(3, "0")}`;
  const rules = Array.from({ length: 199 * 499 }, (_, i) => ({
    agentId: name("agent", Math.floor(i / 499)),
    namespace: name("space", i % 499),
    allowed: i % 499 === 249 || i % 499 === 498,
  }));
  return policyFrom([...rules, { agentId: "__proto__", namespace: "constructor", allowed: false }]);
}
