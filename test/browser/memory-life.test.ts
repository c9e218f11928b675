// The life of a memory in the app: forgotten, corrected, and said so wherever it is shown.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { askAndAnchor } from "./support/ask-and-anchor.ts";
import { browserForFile, eventually } from "./support/browser.ts";
import { memoryWith, openMemory } from "./support/memories-page.ts";
import { openOnWalrus, openService } from "./support/open-service.ts";
import {
  expectSound,
  expectSoundEverywhere,
  expectSoundInBothSchemes,
  expectStateSound,
} from "./support/page-assertions.ts";
import { turnTo } from "./support/turn-to.ts";
import { unfold } from "./support/verify-page.ts";

const browser = browserForFile();
const MEMORIES = pagePath("memories");
const ROSE = "The rose by the gate was planted in March.";

const isFocused = (page: Page, text: string) =>
  page.evaluate((wanted) => document.activeElement?.textContent?.includes(wanted) === true, text);

test("a forgotten memory is gone from list and search, and the list, its receipt and the verifier say that it was forgotten", async () => {
  const service = await openService();
  await service.client.setAccess({ agentId: "gardener", namespace: "garden", allowed: true });
  const { memory } = await service.client.capture({ namespace: "garden", content: ROSE, sourceAgent: "planner" });
  const asked = await askAndAnchor(service, { agentId: "gardener", query: "When was the rose planted?" });
  const { page, expectError } = await browser.visit(service.url);
  await page.goto(MEMORIES);
  await openMemory(page, ROSE);
  const card = memoryWith(page, ROSE);
  const use = page.getByRole("list", { name: "Answers that used it" }).getByRole("link");
  expect(await use.getAttribute("href")).toBe(pagePath("receipt", { answerId: asked.receipt.answerId }));

  await card.getByRole("button", { name: "Forget …" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("It takes effect at once and cannot be undone.").waitFor();
  await dialog.getByText("Somebody who guesses the text can check the guess with it.").waitFor();
  await expectSoundEverywhere(page, "memory-forget");
  await page.keyboard.press("Escape");
  await eventually(() => isFocused(page, "Forget …")).toBe(true);

  // While the browser is offline it fails, and nothing is sent later.
  expectError(/ERR_INTERNET_DISCONNECTED/);
  await card.getByRole("button", { name: "Forget …" }).click();
  await page.context().setOffline(true);
  await dialog.getByRole("button", { name: "Forget", exact: true }).click();
  await dialog.getByText("The service did not answer").waitFor();
  await page.context().setOffline(false);
  expect((await service.client.getMemory({ memoryId: memory.memoryId })).memory.content).toBe(ROSE);

  await dialog.getByLabel("Reason (optional)").fill("asked for by its owner");
  await dialog.getByRole("button", { name: "Forget", exact: true }).click();
  const row = memoryWith(page, "A signed tombstone stays.");
  await row.getByText("asked for by its owner").waitFor();
  await row.getByText("1 public receipt quotes it, and stays public.").waitFor();
  await eventually(() => isFocused(page, "Forgotten")).toBe(true);
  expect(await page.getByText(ROSE).count()).toBe(0);
  await expectSoundInBothSchemes(page, "memory-forgotten");

  await page.goBack();
  await page.getByText("14 memories").waitFor();
  await memoryWith(page, "A signed tombstone stays.").waitFor();
  await page.reload();
  await page.getByText("14 memories").waitFor();
  await page.getByLabel("Search the text").fill("rose by the gate");
  await page.getByText("No memory matches.").waitFor();
  expectError(/404 \(Not Found\)/);
  await turnTo(page, pagePath("memory", { memoryId: memory.memoryId }));
  await page.getByText("asked for by its owner").waitFor();

  await turnTo(page, pagePath("receipt", { answerId: asked.receipt.answerId }));
  await page.getByText("Its text is gone. A signed tombstone stays.").waitFor();
  await expectSound(page, "receipt-forgotten");
  await turnTo(page, pagePath("verify", { receiptId: asked.receiptId }));
  const check = page.locator("[data-check=memory]", { hasText: ROSE });
  await check.waitFor({ state: "attached" });
  await unfold(page);
  await check.getByText("Forgotten, by the service’s word").first().waitFor();
  expect(await check.getByText("Pass", { exact: true }).count()).toBe(0);
  await expectSound(page, "verify-forgotten");
});

test("a fact that says nearly the same corrects the earlier one, and both link to each other", async () => {
  const service = await openService();
  const earlier = await service.client.capture({ namespace: "garden", content: ROSE, sourceAgent: "planner" });
  const { page } = await browser.visit(service.url);
  await page.goto(MEMORIES);
  const form = page.locator("form");
  await form.getByLabel("Namespace").fill("garden");
  await form.getByLabel("Source agent").fill("planner");
  const later = ROSE.replace("March", "April");
  await form.getByLabel("Memory").fill(later);
  await form.getByText("Key and expiry").click();
  await form.getByLabel("Fact key").fill("rose");
  await form.getByLabel("Expires").selectOption({ label: "In some days" });
  await form.getByLabel("Days").fill("0");
  await form.getByText("Key and expiry").click();
  await form.getByRole("button", { name: "Save memory" }).click();
  await form.getByText("must be a number").waitFor();
  expect(await form.getByLabel("Days").evaluate((input) => input === document.activeElement)).toBe(true);
  await form.getByLabel("Days").fill("30");
  await form.getByRole("button", { name: "Save memory" }).click();
  const similar = page.getByRole("region", { name: "Similar memories" });
  await similar.getByText(ROSE).waitFor();
  await expectSoundInBothSchemes(page, "memory-similar");
  await similar.getByRole("button", { name: "Correct this one instead" }).first().click();
  await page.getByText("The earlier memory is superseded").waitFor();
  await eventually(() => isFocused(page, "corrected")).toBe(true);

  await memoryWith(page, ROSE).waitFor({ state: "detached" });
  const card = memoryWith(page, later);
  await card.getByText("rose", { exact: true }).waitFor();
  await card.getByText("expires").waitFor();
  await card.getByRole("link", { name: "Show the earlier one" }).click();
  await page.waitForURL(`**${pagePath("memory", { memoryId: earlier.memory.memoryId })}`);
  await memoryWith(page, ROSE).getByText("Superseded").waitFor();
  await memoryWith(page, ROSE).getByRole("link", { name: "Show the newer one" }).click();
  await card.waitFor();
  await memoryWith(page, ROSE).waitFor({ state: "detached" });
  await page.goto(MEMORIES);
  await page.getByText("Filter", { exact: true }).click();
  await page.getByLabel("Show superseded memories").check();
  await memoryWith(page, ROSE).waitFor();
  await page.getByText("1 memory").waitFor();
  await expectStateSound(page, "memory-history");
});

test("a list that is shown says at once what somebody else forgot or superseded", async () => {
  const service = await openService();
  const fact = { namespace: "garden", content: ROSE, sourceAgent: "planner" };
  const { memory } = await service.client.capture(fact);
  const { page } = await browser.visit(service.url);
  const feed = page.waitForResponse((response) => response.url().endsWith("/api/events"));
  await page.goto(MEMORIES);
  await memoryWith(page, ROSE).waitFor();
  await feed;
  const later = { ...fact, content: "The rose is dead.", supersedes: memory.memoryId };
  await service.client.capture(later);
  await memoryWith(page, ROSE).getByText("Superseded").waitFor();
  await service.client.forgetMemory({ memoryId: memory.memoryId });
  await page.getByText("No answer, list or search shows it any more.").waitFor();
  expect(await page.getByText(ROSE).count()).toBe(0);
});

test("on Walrus the dialog says that the public blob stays, and its page until when", async () => {
  const service = await openOnWalrus();
  await service.client.capture({ namespace: "garden", content: ROSE, sourceAgent: "planner" });
  const { page } = await browser.visit(service.url);
  await page.goto(MEMORIES);
  await openMemory(page, ROSE);
  await memoryWith(page, ROSE).getByRole("button", { name: "Forget …" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Walrus keeps its public blob until its epochs end.").waitFor();
  await dialog.getByRole("button", { name: "Forget", exact: true }).click();
  const row = memoryWith(page, "A signed tombstone stays.");
  await row.getByText("Its public blob stays in the blob store until").locator("time").waitFor();
  await row.getByText("No public receipt quotes it.").waitFor();
});
