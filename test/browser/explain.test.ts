import { expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { browserForFile, FLOW_WIDTHS } from "./support/browser.ts";
import { openService } from "./support/open-service.ts";
import { expectSoundEverywhere } from "./support/page-assertions.ts";

const browser = browserForFile();
const ALLERGY = "Severe peanut allergy";

test.for(FLOW_WIDTHS)(
  "the app says what an agent would get, and which gate holds a memory back, on a %s",
  async (width) => {
    const service = await openService();
    const { memories } = await service.client.listMemories({ namespace: "health", q: ALLERGY });
    const { page } = await browser.visit(service.url, { width });
    await page.goto(pagePath("policy"));
    const section = page.getByRole("region", { name: "What would it get, and why?" });
    await section.getByLabel("Agent").selectOption("planner");
    await section.getByLabel("Question").fill("Is there a peanut allergy?");
    await section.getByRole("button", { name: "Explain" }).click();
    const row = section.getByRole("listitem").filter({ hasText: ALLERGY });
    await row.getByText("held back: the gate was closed").waitFor();
    await row.getByText("“peanut”").waitFor();
    expect(await section.getByText("given, rank 1").count()).toBe(1);
    await expectSoundEverywhere(page, "policy-explain");

    await row.getByRole("link", { name: ALLERGY }).click();
    await page.waitForURL(`**${pagePath("memory", { memoryId: memories[0]?.memoryId ?? "" })}`);
    const why = page.getByRole("region", { name: "Why did an agent not get this?" });
    await why.getByLabel("Agent").selectOption("planner");
    await why.getByLabel("Question").fill("Is there a peanut allergy?");
    await why.getByLabel("Question").press("Enter");
    await why.getByText("held back: the gate was closed").waitFor();
    await expectSoundEverywhere(page, "memory-explain");
    await page.getByRole("switch", { name: "health for planner" }).click();
    await page.getByRole("switch", { name: "health for planner", checked: true }).waitFor();
    await why.getByRole("button", { name: "Explain" }).click();
    await why.getByText("given, rank 1").waitFor();
  },
);

test("Enter at once after the last key asks what is written, not what was written before", async () => {
  const service = await openService();
  const { page } = await browser.visit(service.url);
  await page.goto(pagePath("policy"));
  const section = page.getByRole("region", { name: "What would it get, and why?" });
  await section.getByRole("option", { name: "planner" }).waitFor({ state: "attached" });
  const request = page.waitForRequest("**/api/explain");
  await section.getByLabel("Question").evaluate(async (field) => {
    const input = field as HTMLInputElement;
    input.value = "Is there a peanut allergy?";
    input.dispatchEvent(new Event("input", { bubbles: true }));
    // Until the page has drawn it, and before its next frame.
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    input.form?.requestSubmit();
  });
  expect((await request).postDataJSON()).toMatchObject({ query: "Is there a peanut allergy?" });
});
