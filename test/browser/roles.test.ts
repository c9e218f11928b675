// What the app shows to each role, and what it leaves out.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { browserForFile } from "./support/browser.ts";
import { openWithKeys } from "./support/open-service.ts";
import { expectSound, expectSoundEverywhere } from "./support/page-assertions.ts";
import { navigationOf, signIn, signInAt } from "./support/sign-in.ts";

const browser = browserForFile();

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });

/** Every request that the app sends is one that the caller may send. */
function watchRefusals(page: Page): string[] {
  const refused: string[] = [];
  page.on("response", (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
  return refused;
}

test("an agent asks as itself, captures where its key says, and changes no gate", async () => {
  const service = await openWithKeys();
  const { key } = await service.keyFor("agent:assistant", { captures: ["diet", "travel"] });
  const { page } = await browser.visit(service.url);
  await signIn(page, key);
  const refused = watchRefusals(page);
  expect(await navigationOf(page)).toEqual(["Console", "Memories", "Policy", "Receipts", "Activity", "Verify"]);
  await page.getByText("Signed in as key of agent:assistant, agent assistant").waitFor();
  await page.getByText("An admin opens and closes these gates.").waitFor();
  expect(await page.getByRole("combobox", { name: "Agent" }).count()).toBe(0);
  expect(await page.getByRole("switch").count()).toBe(0);
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByText("Answered to assistant").first().waitFor();
  await page.getByRole("button", { name: "Save as public blob" }).click();
  await page.getByText("Saved.", { exact: true }).waitFor();
  await expectSoundEverywhere(page, "console-agent");

  await page.getByRole("link", { name: "Memories" }).click();
  await page.getByRole("list", { name: "Memories, newest first" }).getByRole("listitem").first().waitFor();
  expect(await page.getByRole("button", { name: /^(Pin|Unpin)$/ }).count()).toBe(0);
  const form = page.locator("form");
  expect(await form.getByRole("combobox", { name: "Namespace" }).locator("option").allInnerTexts()).toEqual([
    "diet",
    "travel",
  ]);
  expect(await form.getByLabel("Source agent").count()).toBe(0);
  await form.getByLabel("Memory").fill("The market opens at seven.");
  await form.getByRole("button", { name: "Save as public blob" }).click();
  await form.getByText("saved", { exact: true }).waitFor();
  const { memories } = await service.admin.listMemories({ q: "The market opens at seven." });
  expect(memories).toMatchObject([{ namespace: "diet", sourceAgent: "assistant" }]);
  await expectSound(page, "memories-agent");

  await page.getByRole("link", { name: "Policy" }).click();
  await page.getByRole("cell").first().waitFor();
  expect(await page.getByRole("switch").count()).toBe(0);
  expect(await page.getByRole("button", { name: /^view as/ }).count()).toBe(0);
  for (const title of ["Add a gate", "View as an agent", "Change log"])
    expect(await page.getByRole("heading", { name: title }).count(), title).toBe(0);
  expect(await page.getByRole("button", { name: /Reset/ }).count()).toBe(0);
  expect(await page.getByRole("rowheader").allInnerTexts()).toEqual(["assistant"]);
  await expectSound(page, "policy-agent");

  await page.getByRole("link", { name: "Receipts" }).click();
  await page.getByRole("list", { name: "Receipts, newest first" }).getByRole("listitem").first().waitFor();
  expect(await page.getByLabel("Agent").count()).toBe(0);
  expect(refused).toEqual([]);
});

test("an agent that captures nowhere has no form for it", async () => {
  const service = await openWithKeys();
  const { key } = await service.keyFor("agent:assistant");
  const { page } = await browser.visit(service.url);
  await signInAt(page, pagePath("memories"), key);
  await page.getByRole("list", { name: "Memories, newest first" }).getByRole("listitem").first().waitFor();
  expect(await page.getByRole("heading", { name: "Capture a memory" }).count()).toBe(0);
  expect(await page.getByRole("heading", { name: "Import a file" }).count()).toBe(0);
});

test("the companion is for the companion's key", async () => {
  const service = await openWithKeys();
  const { key } = await service.keyFor("agent:companion");
  const { page } = await browser.visit(service.url);
  await signInAt(page, pagePath("companion"), key);
  await heading(page, "Companion").waitFor();
  expect(await navigationOf(page)).toContain("Companion");
});

test("an auditor reads receipts without the text of memories, and changes nothing", async () => {
  const service = await openWithKeys();
  const { receipt } = await service.admin.chat({ agentId: "assistant", query: "What may I eat on Friday?" });
  const { key } = await service.keyFor("auditor");
  const { page } = await browser.visit(service.url);
  await signIn(page, key);
  const refused = watchRefusals(page);
  // It has no console, so it begins with the first of its pages.
  await heading(page, "Policy").waitFor();
  expect(await navigationOf(page)).toEqual(["Policy", "Receipts", "Activity", "Overview", "Verify"]);
  await page.getByRole("cell").first().waitFor();
  expect(await page.getByRole("switch").count()).toBe(0);
  await page.getByRole("heading", { name: "Change log" }).waitFor();
  await expectSoundEverywhere(page, "policy-auditor");
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByText("Memories by namespace").first().waitFor();
  await page.getByRole("link", { name: "Reports" }).click();
  await page.getByText("In 1 of 1 answers").waitFor();
  await page.getByRole("link", { name: "Activity" }).click();
  await page.getByText("Held back:").first().waitFor();
  await page.getByRole("link", { name: "Receipts" }).click();
  await page.getByRole("list", { name: "Receipts, newest first" }).getByRole("link").first().click();
  await page.getByText("Its text is not for you to read.").first().waitFor();
  expect(await page.getByText("Anchor this receipt").count()).toBe(0);
  const shown = await page.locator("body").innerText();
  for (const { snippet } of receipt.usedMemories) expect(shown).not.toContain(snippet);
  await expectSound(page, "receipt-auditor");
  expect(refused).toEqual([]);
});

test("an admin of a namespace changes its gates and pins, and sees no other namespace", async () => {
  const service = await openWithKeys();
  const { key } = await service.keyFor("admin:health");
  const { page } = await browser.visit(service.url);
  await signInAt(page, pagePath("policy"), key);
  const refused = watchRefusals(page);
  expect(await navigationOf(page)).toEqual(["Memories", "Policy", "Verify"]);
  await page.getByText("admin of health").first().waitFor();
  const gate = page.getByRole("switch", { name: "health for assistant" });
  await gate.waitFor();
  expect(await page.getByRole("columnheader").allInnerTexts()).toEqual(["Agent", "health"]);
  await gate.click();
  await page.getByText(/^health is .*, in force since version/).waitFor();
  await page.getByRole("button", { name: "view as assistant" }).click();
  await page.getByRole("heading", { name: /^Memories that assistant may use/ }).waitFor();
  expect(
    await page.locator("form").getByRole("combobox", { name: "Namespace" }).locator("option").allInnerTexts(),
  ).toEqual(["health"]);
  expect(await page.getByRole("button", { name: /Reset/ }).count()).toBe(0);
  await expectSoundEverywhere(page, "policy-namespace-admin");

  await page.getByRole("link", { name: "Memories" }).click();
  const { memory } = await service.admin.capture({
    namespace: "health",
    content: "Vitamin D daily.",
    sourceAgent: "s",
  });
  await page.reload();
  const card = page.getByRole("article").filter({ hasText: memory.content });
  await card.getByRole("button", { name: "Pin", exact: true }).click();
  await card.getByRole("button", { name: "Unpin" }).waitFor();
  const { memories } = await service.admin.listMemories({ namespace: "health" });
  expect(memories.find(({ memoryId }) => memoryId === memory.memoryId)).toMatchObject({ pinned: true });
  expect(await page.getByRole("article").count()).toBe(memories.length);
  expect(refused).toEqual([]);
});

test("a page that is not for one's role says so in a sentence", async () => {
  const service = await openWithKeys();
  const { key } = await service.keyFor("agent:planner");
  const { page } = await browser.visit(service.url);
  await signInAt(page, pagePath("keys"), key);
  for (const path of [pagePath("keys"), pagePath("overview"), pagePath("companion"), pagePath("ledger")]) {
    await page.goto(path);
    await page.getByText("You are signed in as agent planner, and this page is for others.").waitFor();
  }
  await expectSoundEverywhere(page, "not-allowed");
});

test("an admin sees every page, and a memory that only it may read passes the check of its blob", async () => {
  const service = await openWithKeys();
  const { page } = await browser.visit(service.url);
  await signInAt(page, pagePath("memories"), service.adminKey);
  expect(await navigationOf(page)).toEqual([
    "Console",
    "Companion",
    "Memories",
    "Policy",
    "Receipts",
    "Activity",
    "Overview",
    "Verify",
    "Keys",
  ]);
  // With identities, nobody resets unless the operator allows it.
  await page.getByRole("link", { name: "Policy" }).click();
  await page.getByRole("switch").first().waitFor();
  expect(await page.getByRole("button", { name: /Reset/ }).count()).toBe(0);
  // Pages, search and identity fit on one line.
  await page.setViewportSize({ width: 1360, height: 700 });
  const [logo, signOut] = await Promise.all([
    page.getByRole("link", { name: "Portcullis" }).boundingBox(),
    page.getByRole("button", { name: "Sign out" }).boundingBox(),
  ]);
  expect(signOut?.y).toBeLessThan((logo?.y ?? 0) + (logo?.height ?? 0));
  await page.setViewportSize({ width: 1024, height: 700 });
  await expectSound(page, "policy-admin");
  await page.getByRole("link", { name: "Memories" }).click();
  await page.getByRole("button", { name: "Check now" }).first().click();
  await page.getByText("intact", { exact: true }).waitFor();
  await expectSoundEverywhere(page, "memories-admin");
});
