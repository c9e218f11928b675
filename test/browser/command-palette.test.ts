// The search over everything: Ctrl-K.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { askAndAnchor } from "./support/ask-and-anchor.ts";
import { browserForFile, eventually } from "./support/browser.ts";
import { focusedName } from "./support/keyboard.ts";
import { openService, openWithKeys } from "./support/open-service.ts";
import { expectSoundEverywhere } from "./support/page-assertions.ts";
import { signIn } from "./support/sign-in.ts";
import { expectVerdict } from "./support/verify-page.ts";

const browser = browserForFile();
const field = (page: Page) => page.getByRole("combobox", { name: "Search pages, agents, namespaces" });
const options = (page: Page) => page.getByRole("dialog").getByRole("option").allInnerTexts();
const labels = async (page: Page) => (await options(page)).map((text) => text.split("\n")[0]);
const group = (page: Page, name: string) => page.getByRole("group", { name }).getByRole("option");

test("finds pages, agents, namespaces, memories, receipts and ids with the keyboard alone", async () => {
  const service = await openService();
  const { receipt, receiptId } = await askAndAnchor(service, { agentId: "planner" });
  const { page } = await browser.visit(service.url);
  const failed: string[] = [];
  page.on("requestfailed", (request) => failed.push(request.url()));
  await page.goto(pagePath("overview"));
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.getByRole("link", { name: "Memories", exact: true }).focus();
  await page.keyboard.press("Control+k");
  await field(page).waitFor();
  expect(await labels(page)).toContain("Ledger");
  await page.keyboard.type("di", { delay: 1 });
  await group(page, "Namespaces").filter({ hasText: "diet" }).waitFor();
  await group(page, "Memories").filter({ hasText: "Dinner on Friday" }).waitFor();
  expect(await page.getByRole("dialog").getByRole("option", { selected: true }).innerText()).toBe("diet");
  await page.keyboard.press("ArrowDown");
  expect(await page.getByRole("dialog").getByRole("option", { selected: true }).innerText()).toContain(
    "Dinner on Friday",
  );
  expect(await field(page).getAttribute("aria-activedescendant")).toBe(
    await page.getByRole("dialog").getByRole("option", { selected: true }).getAttribute("id"),
  );
  await expectSoundEverywhere(page, "palette");
  // Escape closes it, and the focus is where it was.
  await page.keyboard.press("Escape");
  await eventually(() => field(page).count()).toBe(0);
  expect(await focusedName(page)).toBe("Memories");

  await page.keyboard.press("Meta+k");
  await field(page).fill("plan");
  await group(page, "Receipts").filter({ hasText: receipt.answerId }).waitFor();
  await group(page, "Agents").filter({ hasText: "planner" }).waitFor();
  await field(page).fill("polic");
  await eventually(() => labels(page)).toEqual(["Policy"]);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Policy" }).waitFor();
  await page.waitForFunction(() => document.activeElement?.tagName === "H1");

  const open = async (text: string, option: string) => {
    await page.getByRole("button", { name: "Search" }).click();
    await field(page).fill(text);
    await page.getByRole("option", { name: option }).click();
  };
  await open(receipt.answerId, "Show this receipt");
  await page.waitForURL((url) => url.pathname === pagePath("receipt", { answerId: receipt.answerId }));
  const { memoryId } = receipt.usedMemories[0] ?? { memoryId: "" };
  await open(memoryId, "Show this memory");
  await page.waitForURL((url) => url.href.includes(memoryId));
  await open(receiptId, "Verify this id");
  await page.waitForURL((url) => url.href.includes(receiptId));
  await expectVerdict(page, "verified");
  await page.getByRole("button", { name: "Search" }).click();
  await field(page).fill("nothing of the kind");
  await page.getByText("No results.").waitFor();
  expect(failed).toEqual([]);
});

test("opens again when it is asked for just after it was closed", async () => {
  const service = await openService();
  const { page } = await browser.visit(service.url);
  await page.goto(pagePath("overview"));
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("Control+k");
  await field(page).fill("diet");
  // The event "close" of a dialog comes later than its closing: here the keys come first.
  await page.evaluate(async () => {
    const dialog = document.querySelector("dialog[open]") as HTMLDialogElement;
    const closed = new Promise((resolve) => dialog.addEventListener("close", resolve));
    dialog.close();
    dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true }));
    await closed;
  });
  await eventually(() => field(page).inputValue()).toBe("");
});

test("shows an agent only what it may open", async () => {
  const service = await openWithKeys();
  const { key } = await service.keyFor("agent:planner");
  const { page } = await browser.visit(service.url);
  await signIn(page, key);
  const refused: string[] = [];
  page.on("response", (response) => {
    if (response.status() >= 400) refused.push(response.url());
  });
  await page.keyboard.press("Control+k");
  await eventually(() => labels(page)).not.toEqual([]);
  for (const hidden of ["Overview", "Keys", "Companion", "Ledger"]) expect(await labels(page)).not.toContain(hidden);
  await field(page).fill("peanut");
  await page.getByText("No results.").waitFor();
  await field(page).fill("quarterly");
  await group(page, "Memories").filter({ hasText: "quarterly roadmap" }).waitFor();
  await field(page).fill("assistant");
  await page.getByText("No results.").waitFor();
  expect(refused).toEqual([]);
});
