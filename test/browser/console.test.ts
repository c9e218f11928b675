import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { browserForFile, FLOW_WIDTHS } from "./support/browser.ts";
import { tabTo } from "./support/keyboard.ts";
import { openService } from "./support/open-service.ts";
import { expectSoundEverywhere, expectStateSound } from "./support/page-assertions.ts";

const browser = browserForFile();
const CONSOLE = pagePath("console");
const ALLERGY = "Severe peanut allergy, carries an adrenaline pen: no peanuts and no satay at any dinner.";
const DINNER = "Dinner on Friday is booked at Lotus, the Thai place known for its satay.";

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const gate = (page: Page, name: string) => page.getByRole("switch", { name });
const agentSelect = (page: Page) => page.getByLabel("Agent", { exact: true });

async function ask(page: Page): Promise<void> {
  const answers = await page.getByText(/under policy version/).count();
  await page.getByRole("button", { name: /^Ask/ }).click();
  await page
    .getByText(/under policy version/)
    .nth(answers === 0 ? 0 : 1)
    .waitFor();
}

describe("the console", () => {
  test.for(FLOW_WIDTHS)(
    "answers with a receipt, and compares the answer after a gate was closed, on a %s",
    async (width) => {
      const service = await openService();
      const { page } = await browser.visit(service.url, { width });
      await page.goto(CONSOLE);
      await gate(page, "finance for assistant").waitFor();
      await page.getByText("Demo mode: everything stays on this machine.", { exact: true }).waitFor();
      await page.getByRole("heading", { name: "Memory for AI agents, with a gate and a receipt" }).waitFor();
      await expectSoundEverywhere(page, "console");

      await ask(page);
      await region(page, "Answer").getByText(ALLERGY).waitFor();
      const receipt = region(page, "Receipt");
      await receipt.getByText(/^Memories given to the model: \d+/).waitFor();
      expect(await receipt.getByText("finance").count()).toBe(1);
      expect(await receipt.getByText("intact", { exact: true }).count()).toBe(5);
      expect(await receipt.getByText("intact", { exact: true }).count()).toBe(5);
      await receipt.getByText("Evidence: policy, prompt, answer and signature").click();
      await receipt.getByText("portcullis-extractive-2").waitFor();
      await expectSoundEverywhere(page, "console-answered");

      await gate(page, "health for assistant").click();
      await page.getByText(/^closed since version \d+$/).waitFor();
      await page.getByText(/since policy version 2\. No further answer uses it/).waitFor();
      await page.getByRole("button", { name: "Ask again" }).click();
      await page.getByText("Closing health removed 1 memory.").waitFor();
      await page.getByText("4 memories are in both answers.").waitFor();
      const [before, now] = [region(page, "Before"), region(page, "Now")];
      expect(await before.locator("mark").allInnerTexts()).toEqual([
        expect.stringContaining(ALLERGY),
        expect.stringContaining("mentions satay"),
      ]);
      expect(await now.getByText(DINNER).count()).toBe(1);
      expect(await now.innerText()).not.toContain("peanut");
      expect(await region(page, "Receipt before").getByText("gone: gate closed").count()).toBe(1);
      await region(page, "Receipt now").getByText("now closed").waitFor();
      await expectStateSound(page, "console-compared");
    },
  );

  test("shows four of the memories that an answer was given, and the rest on request", async () => {
    const service = await openService();
    const { page } = await browser.visit(service.url);
    await page.goto(CONSOLE);
    await page.getByLabel("Question", { exact: true }).fill("What do you know about me?");
    await ask(page);
    const receipt = region(page, "Receipt");
    await receipt.getByRole("button", { name: "Show 8 more" }).click();
    expect(await receipt.getByText("intact", { exact: true }).count()).toBe(12);
  });

  test("compares the answer after a gate was opened, and with the answer to another agent", async () => {
    const service = await openService();
    const { page } = await browser.visit(service.url);
    await page.goto(`${CONSOLE}?agent=planner`);
    await ask(page);
    expect(await region(page, "Answer").innerText()).not.toContain("peanut");
    await gate(page, "health for planner").click();
    await page.getByText(/^open since version \d+$/).waitFor();
    await ask(page);
    await page.getByText("Opening health added 1 memory.").waitFor();
    expect((await region(page, "Now").locator("mark").allInnerTexts()).join()).toContain(ALLERGY);
    await agentSelect(page).selectOption("advisor");
    await page.getByRole("button", { name: "Ask" }).click();
    await page.getByText("Asked as advisor instead of planner.").waitFor();
    await page.getByText("health is closed to advisor, which removed 1 memory.").waitFor();
    await expectStateSound(page, "console-other-agent");
  });

  test("anchors a receipt, and shows that a claim of a blocked namespace is not authorized", async () => {
    const service = await openService();
    const { page } = await browser.visit(service.url);
    await page.goto(CONSOLE);
    await ask(page);
    const place = () =>
      region(page, "Receipt").evaluate((section) => Math.round(section.getBoundingClientRect().top + scrollY));
    const before = await place();
    await page.getByRole("checkbox", { name: "Sealed" }).check();
    await page.getByText("Hides the texts. Agent and namespaces stay readable on this ledger.").waitFor();
    await page.getByRole("checkbox", { name: "Sealed" }).uncheck();
    await page.getByRole("button", { name: "Save the receipt" }).click();
    await page.getByText("Saved.", { exact: true }).waitFor();
    expect(await place()).toBe(before);
    await page.getByRole("button", { name: "Anchor on the ledger" }).click();
    await page.getByRole("button", { name: "Anchor with 3 claims" }).click();
    await page.getByText("Anchored: the ledger authorized every claim.").waitFor();
    await page.getByRole("checkbox", { name: "finance" }).check();
    await page.getByRole("button", { name: "Anchor with 4 claims" }).click();
    await page.getByText("Anchored, but not authorized").waitFor();
    await expectStateSound(page, "console-anchored");
    await page.getByRole("link", { name: "Verify it" }).last().click();
    await page.waitForURL(/\/verify\/0x[0-9a-f]{64}$/);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.goBack();
    await region(page, "Answer").getByText(ALLERGY).waitFor();
  });

  test("ends with its footer, also with hundreds of namespaces, and what is clicked is logged as of the app", async () => {
    const service = await openService();
    const rules = Array.from({ length: 306 }, (_, i) => ({ agentId: "assistant", namespace: `n${i}`, allowed: false }));
    await service.client.setAccessBatch({ rules });
    const lines = rules.map(
      ({ namespace }) => `${JSON.stringify({ namespace, content: namespace, sourceAgent: "me" })}\n`,
    );
    for await (const { problem } of service.client.importMemories(new Blob(lines))) expect(problem).toBeUndefined();
    const { page } = await browser.visit(service.url);
    await page.goto(CONSOLE);
    await gate(page, "health for assistant").click();
    await page.getByText(/^closed since version \d+$/).waitFor();
    await ask(page);
    const [height, end] = await page.evaluate(() => {
      const { bottom } = document.querySelector("footer")?.getBoundingClientRect() ?? { bottom: 0 };
      return [document.documentElement.scrollHeight, bottom + scrollY];
    });
    expect(height - end).toBeLessThan(2);
    const { changes } = await service.client.listPolicyChanges({ limit: 1 });
    expect(changes[0]?.by).toBe("app");
  });

  test("can be used with the keyboard alone", async () => {
    const service = await openService();
    const { page } = await browser.visit(service.url);
    await page.goto(CONSOLE);
    await gate(page, "health for assistant").waitFor();
    await tabTo(page, "Skip to content");
    await page.keyboard.press("Enter");
    await tabTo(page, "Agent");
    await page.keyboard.type("comp");
    await tabTo(page, "health for companion");
    await page.keyboard.press("Space");
    await page.getByText(/^closed since version \d+$/).waitFor();
    await tabTo(page, "Question", "Shift+Tab");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("How are the runs?");
    await page.keyboard.press("Enter");
    await region(page, "Answer").getByText("Answered to companion").waitFor();
    await page
      .getByRole("status")
      .filter({ hasText: /Answered to companion\. Memories given to the model: \d+/ })
      .waitFor();
    await tabTo(page, "Save the receipt");
    await page.keyboard.press("Enter");
    await page.getByText("Saved.", { exact: true }).waitFor();
  });

  test("answers an agent that no policy names, to which everything is closed", async () => {
    const service = await openService();
    const { page } = await browser.visit(service.url);
    await page.goto(CONSOLE);
    await agentSelect(page).selectOption("other agent …");
    await page.getByLabel("Agent name").fill(" spaced");
    await page.getByText("must not begin or end with white space").waitFor();
    await page.getByLabel("Agent name").fill("__proto__");
    await gate(page, "health for __proto__").waitFor();
    expect(await page.getByRole("switch", { checked: true }).count()).toBe(0);
    await ask(page);
    await region(page, "Receipt").getByText("No memory was used.").waitFor();
    await region(page, "Receipt").getByText("Closed: 6 namespaces").waitFor();
  });

  test("shows hostile names and texts as text", async () => {
    const service = await openService();
    const namespace = "<img src=x onerror=alert(1)>\u05d0\u05d1\u05d2";
    const agentId = `\u05d0\u05d1\u05d2${"W".repeat(61)}`;
    const content = `<script>alert(2)</script> dinner ${"long ".repeat(1_500)}`.trim();
    await service.client.capture({ namespace, content, sourceAgent: agentId });
    await service.client.setAccess({ agentId, namespace, allowed: true });
    const { page } = await browser.visit(service.url);
    await page.goto(`${CONSOLE}?agent=${encodeURIComponent(agentId)}`);
    await gate(page, namespace).waitFor();
    await ask(page);
    await region(page, "Answer").getByText("<script>alert(2)</script>").waitFor();
    await region(page, "Receipt").getByText(namespace).first().waitFor();
    expect(await page.getByRole("main").locator("img, script").count()).toBe(0);
    await expectStateSound(page, "console-hostile");
  });
});

describe("when something fails, the console", () => {
  test("shows the problem of a failed answer, and asks again on a retry", async () => {
    const service = await openService();
    const { page, expectError } = await browser.visit(service.url);
    expectError(/409/);
    await page.route("**/api/chat", (route) =>
      route.fulfill({
        status: 409,
        contentType: "application/problem+json",
        json: {
          type: "urn:portcullis:problem:policy-changed",
          title: "The policy changed",
          status: 409,
          code: "policy-changed",
          detail: "The policy kept changing while this was answered. Ask again.",
          requestId: "req-1",
        },
      }),
    );
    await page.goto(CONSOLE);
    await page.getByRole("button", { name: "Ask" }).click();
    const alert = page.getByRole("alert");
    await alert.getByText("The policy kept changing while this was answered.").waitFor();
    await alert.getByText("req-1").waitFor();
    await expectStateSound(page, "console-failed");
    await page.unroute("**/api/chat");
    await alert.getByRole("button", { name: "Try again" }).click();
    await region(page, "Answer").getByText(ALLERGY).waitFor();
  });

  test("moves a gate back when the service did not change it", async () => {
    const service = await openService();
    const { page, expectError } = await browser.visit(service.url);
    expectError(/api\/policy/);
    await page.goto(CONSOLE);
    await gate(page, "health for assistant").waitFor();
    await page.route("**/api/policy", (route) =>
      route.request().method() === "POST" ? route.abort("connectionrefused") : route.continue(),
    );
    await gate(page, "health for assistant").click();
    await page.getByText("still open", { exact: true }).waitFor();
    expect(await gate(page, "health for assistant").getAttribute("aria-checked")).toBe("true");
    await page.getByRole("alert").getByText("The service did not answer").waitFor();
  });
});
