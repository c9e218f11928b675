// The timeline, the reports, and receipts that are told apart by what was asked.
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { browserForFile, eventually } from "./support/browser.ts";
import { openService } from "./support/open-service.ts";
import { expectSoundEverywhere, expectStateSound } from "./support/page-assertions.ts";
import { turnTo } from "./support/turn-to.ts";

const browser = browserForFile();
const ACTIVITY = pagePath("activity");
const RECEIPTS = `${ACTIVITY}?kind=answer`;
const QUERY = "What is planned for dinner on Friday?";

/** Of each entry, the sentence. */
const sentences = async (page: Page) =>
  (await page.locator("main ol > li p:first-child").allInnerTexts()).map((text) => text.replaceAll(/\s+/g, " ").trim());

async function saved(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button }).click(),
  ]);
  return readFile(await download.path(), "utf8");
}

test("the timeline tells who asked, what was held back and what changed, is filtered, and is saved", async () => {
  const { client, url } = await openService();
  const { receipt } = await client.chat({ agentId: "assistant", query: QUERY });
  await client.setAccess({ agentId: "assistant", namespace: "health", allowed: false });
  const { memory } = await client.capture({ namespace: "diet", content: "No nuts.", sourceAgent: "s" });
  await client.forgetMemory({ memoryId: memory.memoryId });
  await client.anchorOnChain({ answerId: receipt.answerId });
  await client.chat({ agentId: "=cmd()", query: QUERY });

  const { page } = await browser.visit(url);
  await page.goto(ACTIVITY);
  await eventually(() => sentences(page)).toEqual([
    "=cmd() asked. Receipt",
    "api anchored a receipt on the ledger. Receipt Verify",
    "api anchored a receipt as a blob. Receipt",
    "api forgot a memory of diet.",
    "api captured a memory in diet.",
    "api closed health to assistant.",
    "assistant asked. Receipt",
  ]);
  await page.getByRole("heading", { name: "Today" }).waitFor();
  const asked = page.getByRole("listitem").filter({ hasText: "assistant asked" });
  expect(await asked.innerText()).toContain("Closed: finance.");
  expect(await asked.getByRole("link", { name: "Receipt" }).getAttribute("href")).toBe(
    pagePath("receipt", { answerId: receipt.answerId }),
  );
  await expectSoundEverywhere(page, "activity");

  // A name that looks like a formula is text in a spreadsheet.
  const csv = await saved(page, "Save as CSV");
  expect(csv.split("\r\n")).toHaveLength(9);
  expect(csv).toContain(",'=cmd(),");
  await page.getByText("Saved 7 entries.").waitFor();
  await page.getByLabel("What").selectOption({ label: "Gates opened and closed" });
  await eventually(() => sentences(page)).toEqual(["api closed health to assistant."]);
  expect(new URL(page.url()).search).toBe("?kind=policy");
  const lines = (await saved(page, "Save as NDJSON")).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).details)).toEqual([{ allowed: false }]);
  await page.getByLabel("What").selectOption({ label: "Everything" });
  await page.getByLabel("Namespace").selectOption("diet");
  await eventually(() => sentences(page)).toEqual([
    "=cmd() asked. Receipt",
    "api forgot a memory of diet.",
    "api captured a memory in diet.",
  ]);
  await page.goto(`${ACTIVITY}?range=custom&to=2020-01-01T00:00:00.000Z`);
  await page.getByText("No entry matches.").waitFor();
  await page.getByRole("button", { name: "Show all activity" }).click();
  await eventually(async () => (await sentences(page)).length).toBe(7);
  // What happens elsewhere is there by itself.
  await client.setAccess({ agentId: "planner", namespace: "work", allowed: false });
  await eventually(async () => (await sentences(page))[0]).toBe("api closed work to planner.");
  await client.setAccess({ agentId: "planner", namespace: "work", allowed: null });
  await eventually(async () => (await sentences(page))[0]).toBe("api removed the rule of work for planner.");
  await client.putNamespace({ name: "diet" }, { description: "What one eats" });
  await page.reload();
  await eventually(async () => (await sentences(page))[0]).toBe("api changed the settings of diet.");
});

test("the reports show the figures of the service of a chosen time, and are saved", async () => {
  const { client, url } = await openService();
  await client.chat({ agentId: "assistant", query: QUERY });
  const { receipt } = await client.chat({ agentId: "stranger", query: QUERY });
  await client.anchorOnChain({ answerId: receipt.answerId });
  await client.setAccess({ agentId: "assistant", namespace: "health", allowed: false });
  await expect.poll(async () => (await client.getReports()).revokes.count).toBe(1);
  const { prevented, gates } = await client.getReports();
  expect(prevented).toMatchObject({ answers: 2, refused: 0 });

  const { page } = await browser.visit(url);
  await page.goto(pagePath("overview"));
  await page.getByText("2 answers. 0 calls were refused.").waitFor();
  await page.getByText("1 of 2 complete answers").waitFor();
  await page.getByText("1 gate closed.").waitFor();
  await page.getByText(`${gates.neverUsed} of ${gates.open} open gates.`).waitFor();
  expect(await page.getByText("is open to").count()).toBe(gates.gates.length);
  const table = page.getByRole("table", { name: "Answers and refused calls by week and agent" });
  expect(await table.getByRole("row").allInnerTexts()).toHaveLength(3);
  await expectSoundEverywhere(page, "reports");
  const csv = await saved(page, "Save as CSV");
  expect(csv).toContain(`open gates never used,,,,${gates.neverUsed}\r\n`);
  await page.getByLabel("Time").selectOption({ label: "Last year" });
  await eventually(() => new URL(page.url()).search).toBe("?days=365");
  await page.getByText("2 answers. 0 calls").waitFor();
});

test("receipts are told apart by question, namespaces and model, and found by model and time", async () => {
  const { client, url } = await openService({ KEEP_QUESTIONS: "true" });
  await client.recall({ agentId: "assistant", query: "dinner" });
  const { receipt } = await client.chat({ agentId: "assistant", query: QUERY });
  const { page } = await browser.visit(url);
  // The timeline and a memory's answers show the question, too.
  await page.goto(ACTIVITY);
  await page.getByRole("listitem").filter({ hasText: "assistant asked." }).getByText(QUERY).waitFor();
  await turnTo(page, pagePath("memory", { memoryId: receipt.usedMemories[0]?.memoryId ?? "" }));
  await page.getByRole("list", { name: "Answers that used it" }).getByText(QUERY).waitFor();
  await turnTo(page, RECEIPTS);
  const rows = page.getByRole("list", { name: "Receipts, newest first" }).locator(":scope > li");
  await eventually(() => rows.count()).toBe(2);
  const model = String(receipt.evidence.model);
  const newest = (await rows.first().innerText()).replaceAll(/\s+/g, " ");
  expect(newest).toContain(QUERY);
  expect(newest).toContain(model);
  expect(newest).toContain("from health, diet");
  expect(await rows.last().innerText()).toContain("no model");
  await expectStateSound(page, "receipts-with-questions");
  await page.getByLabel("Model").selectOption(model);
  await eventually(() => rows.count()).toBe(1);
  await page.getByLabel("Time").selectOption({ label: "Last hour" });
  await eventually(() => new URL(page.url()).search).toBe(`?kind=answer&model=${model}&range=hour`);
  await eventually(() => rows.count()).toBe(1);
  await page.getByLabel("Time").selectOption({ label: "Between …" });
  await page.getByLabel("Before").fill("2020-01-01T00:00");
  await page.getByText("No receipt matches.").waitFor();
  await turnTo(page, pagePath("receipt", { answerId: receipt.answerId }));
  await page.getByRole("heading", { name: "The question" }).waitFor();
  await page.getByText(QUERY).waitFor();
});
