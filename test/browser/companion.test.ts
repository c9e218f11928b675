import { expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { browserForFile, FLOW_WIDTHS } from "./support/browser.ts";
import { openService } from "./support/open-service.ts";
import { expectSound, expectSoundEverywhere, expectStateSound } from "./support/page-assertions.ts";

const browser = browserForFile();

test.for(FLOW_WIDTHS)("the companion does without a namespace that is closed, on a %s", async (width) => {
  const service = await openService();
  const { page } = await browser.visit(service.url, { width });
  const failed: string[] = [];
  page.on("requestfailed", (request) => failed.push(request.url()));
  await page.goto(pagePath("companion"));
  const conversation = page.getByRole("region", { name: "Conversation" });
  const message = page.getByRole("textbox", { name: "Message" });
  await page.getByRole("switch", { name: "health for companion" }).waitFor();
  await expectSoundEverywhere(page, "companion");

  await message.fill("What should I keep in mind for a dinner out?");
  // A stream that has ended is no failed request in the network panel.
  const ended = page.waitForEvent("requestfinished", (request) => request.url().endsWith("/api/companion"));
  await message.press("Enter");
  await conversation.getByText("Severe peanut allergy").first().waitFor();
  await ended;
  await conversation.getByText(/^Receipt: given to the model: \d+(?:, cited: \d+)?; closed: 3 namespaces$/).waitFor();

  await page.getByRole("switch", { name: "health for companion" }).click();
  await page.getByText(/^closed since version \d+$/).waitFor();
  await message.fill("And now, what about that dinner?");
  await page.getByRole("button", { name: "Send" }).click();
  const last = conversation.getByRole("listitem").filter({ hasText: "And now, what about that dinner?" });
  await last.getByText("You have closed health to me").waitFor();
  await last.getByText(/^Receipt: given to the model: \d+(?:, cited: \d+)?; closed: 4 namespaces$/).click();
  expect(await last.innerText()).not.toContain("peanut");
  await last.getByRole("button", { name: "Save the receipt" }).waitFor();
  await expectStateSound(page, "companion-closed");
  expect(failed).toEqual([]);
});

test("the companion shows a failed answer with a retry, and a note when the policy changed meanwhile", async () => {
  const service = await openService();
  const reply = await service.client.companion({ query: "How are you?" });
  const { page, expectError } = await browser.visit(service.url);
  expectError(/503/);
  await page.goto(pagePath("companion"));
  await page.route("**/api/companion", (route) =>
    route.fulfill({
      status: 503,
      contentType: "application/problem+json",
      json: { type: "about:blank", title: "Unavailable", status: 503, code: "model-unavailable", detail: "Try later." },
    }),
  );
  await page.getByRole("textbox", { name: "Message" }).fill("How are you?");
  await page.getByRole("button", { name: "Send" }).click();
  const alert = page.getByRole("alert");
  await alert.getByText("Try later.").waitFor();
  await page.unroute("**/api/companion");
  const gate = { ...reply, answerId: "ans_1", policyVersion: 1, template: null, memories: [], blockedNamespaces: [] };
  const events = `event: gate\ndata: ${JSON.stringify(gate)}\n\nevent: token\ndata: {"text":"peanut"}\n\nevent: restart\ndata: {}\n\nevent: answer\ndata: ${JSON.stringify(reply)}\n\n`;
  await page.route("**/api/companion", (route) => route.fulfill({ contentType: "text/event-stream", body: events }));
  await alert.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Something changed. The service is answering again.").waitFor();
  await page.getByText(/^Receipt: given to the model: \d+/).waitFor();
  await expectSound(page, "companion-restarted");
});
