// What the app shows to each role, and what it leaves out.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { browserForFile, eventually } from "./support/browser.ts";
import { openMemory } from "./support/memories-page.ts";
import { openWithKeys } from "./support/open-service.ts";
import { expectSound, expectSoundEverywhere, expectStateSound } from "./support/page-assertions.ts";
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
  expect(await navigationOf(page)).toEqual(["Console", "Memories", "Policy", "Activity", "Verify"]);
  await page.getByText("Signed in as key of agent:assistant, agent assistant").waitFor();
  await page.getByText("An admin opens and closes these gates.").waitFor();
  expect(await page.getByRole("combobox", { name: "Agent" }).count()).toBe(0);
  expect(await page.getByRole("switch").count()).toBe(0);
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByText("Answered to assistant").first().waitFor();
  await page.getByRole("button", { name: "Save the receipt" }).click();
  await page.getByText("Saved.", { exact: true }).waitFor();
  await expectStateSound(page, "console-agent");

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
  await form.getByRole("button", { name: "Save memory" }).click();
  await form.getByText("saved", { exact: true }).waitFor();
  const { memories } = await service.admin.listMemories({ q: "The market opens at seven." });
  expect(memories).toMatchObject([{ namespace: "diet", sourceAgent: "assistant" }]);
  await expectSound(page, "memories-agent");

  await page.getByRole("link", { name: "Policy" }).click();
  await page.getByRole("cell").first().waitFor();
  expect(await page.getByRole("switch").count()).toBe(0);
  for (const title of ["Add a gate", "Change log"])
    expect(await page.getByRole("heading", { name: title }).count(), title).toBe(0);
  expect(await page.getByRole("button", { name: /Reset/ }).count()).toBe(0);
  expect(await page.getByRole("rowheader").allInnerTexts()).toEqual(["assistant"]);
  await expectSound(page, "policy-agent");

  await page.getByRole("link", { name: "Activity" }).click();
  await page.getByLabel("What").selectOption({ label: "Answers and receipts" });
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
  expect(await navigationOf(page)).toEqual(["Policy", "Activity", "Overview", "Verify"]);
  await page.getByRole("cell").first().waitFor();
  expect(await page.getByRole("switch").count()).toBe(0);
  await page.getByRole("heading", { name: "Change log" }).waitFor();
  await expectStateSound(page, "policy-auditor");
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByText("Memories by namespace").first().waitFor();
  await page.getByText("1 answer. 0 calls").waitFor();
  await page.getByRole("link", { name: "Activity" }).click();
  await page.getByText("Closed:").first().waitFor();
  await page.getByLabel("What").selectOption({ label: "Answers and receipts" });
  await page.getByRole("list", { name: "Receipts, newest first" }).getByRole("link").first().click();
  await page.getByText("You may not read its text.").first().waitFor();
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
  await page.getByText(/^health is .* since policy version/).waitFor();
  expect(
    await page.locator("form").getByRole("combobox", { name: "Namespace" }).locator("option").allInnerTexts(),
  ).toEqual(["health"]);
  expect(await page.getByRole("button", { name: /Reset/ }).count()).toBe(0);
  await expectStateSound(page, "policy-namespace-admin");

  await page.getByRole("link", { name: "Memories" }).click();
  const { memory } = await service.admin.capture({
    namespace: "health",
    content: "Vitamin D daily.",
    sourceAgent: "s",
  });
  await page.reload();
  await openMemory(page, memory.content);
  await page.getByRole("button", { name: "Pin", exact: true }).click();
  await page.getByRole("button", { name: "Unpin" }).waitFor();
  const { memories } = await service.admin.listMemories({ namespace: "health" });
  expect(memories.find(({ memoryId }) => memoryId === memory.memoryId)).toMatchObject({ pinned: true });
  await page.goBack();
  await eventually(() => page.getByRole("article").count()).toBe(memories.length);
  expect(refused).toEqual([]);
});

test("a page that is not for one's role says so in a sentence", async () => {
  const service = await openWithKeys();
  const { key } = await service.keyFor("agent:planner");
  const { page } = await browser.visit(service.url);
  await signInAt(page, pagePath("keys"), key);
  for (const [path, audience] of [
    [pagePath("keys"), "Admins only."],
    [pagePath("companion"), "Admins only."],
    [pagePath("overview"), "Admins and auditors only."],
    [pagePath("ledger"), "Admins and auditors only."],
  ] as const) {
    await page.goto(path);
    await heading(page, audience).waitFor();
    await page.getByText("You are signed in as agent planner.").waitFor();
  }
  await expectSoundEverywhere(page, "not-allowed");
});

test("an admin sees every page, and a memory that only it may read passes the check of its blob", async () => {
  const service = await openWithKeys();
  const { page } = await browser.visit(service.url);
  await signInAt(page, pagePath("memories"), service.adminKey);
  expect(await navigationOf(page)).toEqual([
    "Console",
    "Memories",
    "Policy",
    "Activity",
    "Overview",
    "Verify",
    "Keys",
    "Companion",
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
  await openMemory(page, "Severe peanut allergy");
  await page.getByRole("button", { name: "Check now" }).click();
  await page.getByText("intact", { exact: true }).waitFor();
  await expectStateSound(page, "memories-admin");
});

test("an auditor's page of a memory asks for nothing but its answers, and a receipt links no blob that it may not fetch", async () => {
  const service = await openWithKeys();
  const { receipt } = await service.admin.chat({ agentId: "assistant", query: "What may I eat on Friday?" });
  const { key } = await service.keyFor("auditor");
  const { page } = await browser.visit(service.url);
  await signInAt(page, pagePath("receipt", { answerId: receipt.answerId }), key);
  const refused = watchRefusals(page);
  const memory = page.getByRole("listitem").filter({ hasText: "You may not read its text." }).first();
  await memory.waitFor();
  expect(await memory.locator("a[href*='/v1/blobs/']").count()).toBe(0);
  await memory.locator("a[href*='/memories/']").click();
  await heading(page, "Memory").waitFor();
  await page.getByRole("list", { name: "Answers that used it" }).getByRole("link").first().waitFor();
  await expectSound(page, "memory-auditor");
  expect(refused).toEqual([]);
});

test("after a revoke an agent's receipt leads to no memory that the agent may not read", async () => {
  const service = await openWithKeys();
  const { key, client } = await service.keyFor("agent:assistant");
  const { receipt } = await client.chat({ agentId: "assistant", query: "What may I eat on Friday?" });
  const of = (namespace: string) => receipt.usedMemories.filter((memory) => memory.namespace === namespace);
  expect([of("health").length > 0, of("diet").length > 0]).toEqual([true, true]);
  await service.admin.setAccess({ agentId: "assistant", namespace: "health", allowed: false });
  const { page } = await browser.visit(service.url);
  await signInAt(page, pagePath("receipt", { answerId: receipt.answerId }), key);
  const refused = watchRefusals(page);
  await page.reload();
  const linkTo = ({ memoryId }: { readonly memoryId: string }) =>
    page.locator(`a[href="${pagePath("memory", { memoryId })}"]`);
  for (const memory of of("diet")) await linkTo(memory).first().waitFor();
  await page.getByText("You may not read its text.").first().waitFor();
  for (const memory of of("health")) expect(await linkTo(memory).count()).toBe(0);
  expect(refused).toEqual([]);
});

test("the local ledger's pages link only what their reader may open", async () => {
  const service = await openWithKeys();
  const { receipt } = await service.admin.chat({ agentId: "assistant", query: "What may I eat on Friday?" });
  const { txDigest, receiptId } = await service.admin.anchorOnChain({ receipt });
  const { page } = await browser.visit(service.url);
  const refused = watchRefusals(page);
  const { gate } = (await service.as().ledgerObject({ objectId: receiptId })).fields as { gate: string };
  const links = async () => {
    const found = page.getByRole("main").locator("a[href*='/ledger']");
    return new Set(await found.evaluateAll((all) => all.map((link) => (link as HTMLAnchorElement).pathname)));
  };
  const objects = [receiptId, gate].map((objectId) => pagePath("ledgerObject", { objectId }));
  await page.goto(pagePath("ledgerTransaction", { digest: txDigest }));
  await page.getByRole("heading", { name: "Objects" }).waitFor();
  expect(await links()).toEqual(new Set(objects));
  for (const path of objects) {
    await page.goto(path);
    await page.getByRole("heading", { name: "Fields" }).waitFor();
  }
  // The transaction that changed the gate last may tell the policy.
  expect(await links()).toEqual(new Set());
  expect(refused).toEqual([]);
});

test("the search offers whoever is not signed in nothing that needs a key, and an agent no closed namespace", async () => {
  const service = await openWithKeys();
  const { key } = await service.keyFor("agent:assistant");
  const { page } = await browser.visit(service.url);
  const refused = watchRefusals(page);
  await page.goto(pagePath("verifyStart"));
  await heading(page, "Verify a receipt").waitFor();
  const search = page.getByRole("combobox", { name: /^Search/ });
  const found = page.getByRole("listbox", { name: "Results" }).getByRole("option");
  await page.keyboard.press("Control+k");
  await search.fill("e");
  await found.filter({ hasText: "Verify" }).waitFor();
  expect(await found.allInnerTexts()).toEqual(["Verify", "API reference"]);
  await page.keyboard.press("Escape");
  await signIn(page, key);
  await page.keyboard.press("Control+k");
  await search.fill("health");
  await found.filter({ hasText: /^health$/ }).waitFor();
  await search.fill("finance");
  await page.getByText("No results.").waitFor();
  expect(refused).toEqual([]);
});

test("the form for a memory does not promise an agent a public blob in a namespace that it may not see", async () => {
  const service = await openWithKeys({ ENCRYPTION_KEY: "5ea1".repeat(16) });
  await service.admin.putNamespace({ name: "safe" }, { encrypted: true });
  const { key } = await service.keyFor("agent:assistant", { captures: ["safe", "diet"] });
  const { page } = await browser.visit(service.url);
  await signInAt(page, pagePath("memories"), key);
  const form = page.locator("form");
  await form.getByLabel("Memory").fill("The code of the door is 4711.");
  await form.getByRole("button", { name: "Save memory" }).waitFor();
  await form.getByRole("combobox", { name: "Namespace" }).selectOption("diet");
  await form.getByRole("button", { name: "Save memory" }).waitFor();
  await form.getByRole("combobox", { name: "Namespace" }).selectOption("safe");
  await form.getByRole("button", { name: "Save memory" }).click();
  await form.getByText("saved", { exact: true }).waitFor();
});
