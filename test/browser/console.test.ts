// The console in a real browser: the story that a newcomer sees in the first minute.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { browserForFile } from "./support/browser.ts";
import { openService } from "./support/open-service.ts";
import { expectSound, expectSoundEverywhere } from "./support/page-assertions.ts";

const browser = browserForFile();
const LONG = 120_000;
const ALLERGY = "Severe peanut allergy, carries an adrenaline pen: no peanuts and no satay at any dinner.";
const DINNER = "Dinner on Friday is booked at Lotus, the Thai place known for its satay.";

const part = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const gate = (page: Page, name: string) => page.getByRole("switch", { name });

async function ask(page: Page): Promise<void> {
  const answers = await page.getByText(/under policy version/).count();
  await page.getByRole("button", { name: /^Ask/ }).click();
  await page
    .getByText(/under policy version/)
    .nth(answers === 0 ? 0 : 1)
    .waitFor();
}

describe("The console", () => {
  test.for(["desktop", "phone"] as const)("tells the story, on a %s", { timeout: LONG }, async (width) => {
    const service = await openService();
    const { page } = await browser.visit(service.url, { width });
    await page.goto("/");
    await gate(page, "finance for assistant").waitFor();
    await page.getByText("Mock blob store: blobs live in this process", { exact: true }).waitFor();
    await page.getByRole("heading", { name: "What happens when you ask" }).waitFor();
    await expectSound(page, "console");

    await ask(page);
    await part(page, "Answer").getByText(ALLERGY).waitFor();
    const receipt = part(page, "Receipt");
    await receipt.getByText("Used: 12 memories").waitFor();
    expect(await receipt.getByText("finance").count()).toBe(1);
    expect(await receipt.getByText("verified", { exact: true }).count()).toBe(6);
    await receipt.getByRole("button", { name: "Show 6 more" }).click();
    expect(await receipt.getByText("intact", { exact: true }).count()).toBe(12);
    await receipt.getByText("Evidence: digests of policy, prompt and answer").click();
    await receipt.getByText("portcullis-extractive-1").waitFor();
    await expectSound(page, "console-answered");

    await gate(page, "health for assistant").click();
    await page.getByText("closed · final").waitFor();
    await page.getByText(/final since policy version 2\. No answer built on it/).waitFor();
    await page.getByRole("button", { name: "Ask again" }).click();
    await page.getByText("health closed and took 3 memories with it.").waitFor();
    await page.getByText("9 memories are in both.").waitFor();
    const [before, now] = [part(page, "Before"), part(page, "Now")];
    expect(await before.locator("mark").innerText()).toContain(ALLERGY);
    expect(await now.getByText(DINNER).count()).toBe(1);
    expect(await now.innerText()).not.toContain("peanut");
    expect(await part(page, "Receipt before").getByText("gone: gate closed").count()).toBe(3);
    await part(page, "Receipt now").getByText("now blocked").waitFor();
    await expectSound(page, "console-compared");
  });

  test("opens a gate, and says what came with it", { timeout: LONG }, async () => {
    const service = await openService();
    const { page } = await browser.visit(service.url);
    await page.goto("/?agent=planner");
    await ask(page);
    expect(await part(page, "Answer").innerText()).not.toContain("peanut");
    await gate(page, "health for planner").click();
    await page.getByText("open · final").waitFor();
    await ask(page);
    await page.getByText("health opened and brought 3 memories.").waitFor();
    expect(await part(page, "Now").locator("mark").innerText()).toContain(ALLERGY);
    await page.getByLabel("Who asks").selectOption("advisor");
    await page.getByRole("button", { name: "Ask" }).click();
    await page.getByText("Asked as advisor instead of planner.").waitFor();
    await page.getByText("health is closed to advisor and took 3 memories with it.").waitFor();
    await expectSoundEverywhere(page, "console-other-agent");
  });

  test("anchors a receipt, and a claim of a blocked namespace is not authorized", { timeout: LONG }, async () => {
    const service = await openService();
    const { page } = await browser.visit(service.url);
    await page.goto("/");
    await ask(page);
    await page.getByRole("button", { name: "Anchor as a blob" }).click();
    await page.getByText("stored, and it resolves").waitFor();
    await page.getByRole("button", { name: "Anchor on the ledger" }).click();
    await page.getByRole("button", { name: "Anchor with 5 claims" }).click();
    await page.getByText("Anchored: the ledger authorized every claim.").waitFor();
    await page.getByRole("checkbox", { name: "finance" }).check();
    await page.getByRole("button", { name: "Anchor with 6 claims" }).click();
    await page.getByText("Anchored, but not authorized").waitFor();
    await expectSoundEverywhere(page, "console-anchored");
    await page.getByRole("link", { name: "Check it in the verifier" }).click();
    await page.waitForURL(/\/verify\/0x[0-9a-f]{64}$/);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.goBack();
    await part(page, "Answer").getByText(ALLERGY).waitFor();
  });

  test("works with the keyboard alone", { timeout: LONG }, async () => {
    const service = await openService();
    const { page } = await browser.visit(service.url);
    await page.goto("/");
    await gate(page, "health for assistant").waitFor();
    await tabTo(page, "Skip to the page");
    await page.keyboard.press("Enter");
    await tabTo(page, "Who asks");
    await page.keyboard.type("comp");
    await tabTo(page, "health for companion");
    await page.keyboard.press("Space");
    await page.getByText("closed · final").waitFor();
    await tabTo(page, "What it asks");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("How are the runs?");
    await page.keyboard.press("Control+Enter");
    await part(page, "Answer").getByText("Answered to companion").waitFor();
    await page.getByRole("status").filter({ hasText: "Answered to companion with 5 memories" }).waitFor();
    await tabTo(page, "Anchor as a blob");
    await page.keyboard.press("Enter");
    await page.getByText("stored, and it resolves").waitFor();
  });

  test("lets an agent ask that nobody has heard of: everything is closed to it", { timeout: LONG }, async () => {
    const service = await openService();
    const { page } = await browser.visit(service.url);
    await page.goto("/");
    await page.getByLabel("Who asks").selectOption("another agent …");
    await page.getByLabel("Its name").fill(" spaced");
    await page.getByText("must not begin or end with white space").waitFor();
    await page.getByLabel("Its name").fill("__proto__");
    await gate(page, "health for __proto__").waitFor();
    expect(await page.getByRole("switch", { checked: true }).count()).toBe(0);
    await ask(page);
    await part(page, "Receipt").getByText("No memory was used.").waitFor();
    await part(page, "Receipt").getByText("Blocked: 6 namespaces").waitFor();
  });

  test("shows hostile names and texts as text", { timeout: LONG }, async () => {
    const service = await openService();
    const namespace = "<img src=x onerror=alert(1)>\u202Elive";
    const agentId = `\u202E${"W".repeat(63)}`;
    const content = `<script>alert(2)</script> dinner ${"long ".repeat(1_500)}`.trim();
    await service.client.capture({ namespace, content, sourceAgent: agentId });
    await service.client.setAccess({ agentId, namespace, allowed: true });
    const { page } = await browser.visit(service.url);
    await page.goto(`/?agent=${encodeURIComponent(agentId)}`);
    await gate(page, namespace).waitFor();
    await ask(page);
    await part(page, "Answer").getByText("<script>alert(2)</script>").waitFor();
    await part(page, "Receipt").getByText(namespace).first().waitFor();
    await part(page, "Answer")
      .getByRole("button", { name: /^Show all 7,\d{3} characters$/ })
      .waitFor();
    expect(await page.getByRole("main").locator("img, script").count()).toBe(0);
    await expectSoundEverywhere(page, "console-hostile");
  });
});

describe("When it does not go well, the console", () => {
  test("says that the policy changed, and asks again when told to", { timeout: LONG }, async () => {
    const service = await openService();
    const { page, expectTrouble } = await browser.visit(service.url);
    expectTrouble(/409/);
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
    await page.goto("/");
    await page.getByRole("button", { name: "Ask" }).click();
    const alert = page.getByRole("alert");
    await alert.getByText("The policy kept changing while this was answered.").waitFor();
    await alert.getByText("req-1").waitFor();
    await expectSoundEverywhere(page, "console-failed");
    await page.unroute("**/api/chat");
    await alert.getByRole("button", { name: "Try again" }).click();
    await part(page, "Answer").getByText(ALLERGY).waitFor();
  });

  test("forgets what it showed when the policy changes in between", { timeout: LONG }, async () => {
    const service = await openService();
    const answer = await service.client.chat({ agentId: "planner", query: "What about dinner?" });
    const { page } = await browser.visit(service.url);
    const events: readonly (readonly [string, object])[] = [
      ["token", { text: ALLERGY }],
      ["restart", {}],
      ["token", { text: answer.answer }],
      ["answer", answer],
    ];
    await page.route("**/api/chat", (route) =>
      route.fulfill({
        contentType: "text/event-stream",
        body: events.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join(""),
      }),
    );
    await page.goto("/");
    await ask(page);
    await part(page, "Answer").getByText("so it was answered anew").waitFor();
    expect(await part(page, "Answer").innerText()).not.toContain("peanut");
    await expectSound(page, "console-restarted");
  });

  test("takes a flip back that the service did not make", { timeout: LONG }, async () => {
    const service = await openService();
    const { page, expectTrouble } = await browser.visit(service.url);
    expectTrouble(/api\/policy/);
    await page.goto("/");
    await gate(page, "health for assistant").waitFor();
    await page.route("**/api/policy", (route) =>
      route.request().method() === "POST" ? route.abort("connectionrefused") : route.continue(),
    );
    await gate(page, "health for assistant").click();
    await page.getByText("still open").waitFor();
    expect(await gate(page, "health for assistant").getAttribute("aria-checked")).toBe("true");
    await page.getByRole("alert").getByText("The service did not answer").waitFor();
  });
});

/** Presses Tab until the focus is on what has this name. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let steps = 0; steps < 60; steps += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement | null;
      const labels = (element as HTMLInputElement | null)?.labels;
      return element?.getAttribute("aria-label") ?? labels?.[0]?.innerText ?? element?.innerText ?? "";
    });
    if (focused.trim() === name) return;
  }
  throw new Error(`Tab does not lead to ${name}.`);
}
