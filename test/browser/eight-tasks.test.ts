// Eight things that people come for, each from the first page on, with the clicks counted. Typing counts for nothing. The
// numbers are those of an earlier edition, and for what it could not do, those of the first that could.
import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { browserForFile } from "./support/browser.ts";
import { memoryWith } from "./support/memories-page.ts";
import { openService, openWithKeys } from "./support/open-service.ts";
import { signIn } from "./support/sign-in.ts";
import { expectVerdict } from "./support/verify-page.ts";

const browser = browserForFile();
const counted: (readonly [task: string, clicks: number, allowed: number])[] = [];

afterAll(() => {
  const rows = counted.map(([task, clicks, allowed]) => `${task.padEnd(64)}${clicks}  of ${allowed}`);
  process.stdout.write(`${rows.join("\n")}\n`);
});

/** Begins on the first page. */
function task(title: string, allowed: number, work: (at: Desk) => Promise<void>, { withKeys = false } = {}): void {
  test(`${title}: at most ${allowed} clicks`, async () => {
    const service = withKeys ? await openWithKeys() : await openService();
    const { page } = await browser.visit(service.url, { permissions: ["clipboard-read", "clipboard-write"] });
    if ("adminKey" in service) await signIn(page, service.adminKey as string);
    else await page.goto(pagePath("console"));
    let clicks = 0;
    const click = async (target: Locator) => {
      await target.click();
      clicks += 1;
    };
    const go = (label: string) => click(page.getByRole("navigation").getByRole("link", { name: label, exact: true }));
    await work({ service, page, click, go });
    counted.push([title, clicks, allowed]);
    expect(clicks).toBeLessThanOrEqual(allowed);
  });
}

interface Desk {
  readonly service: Awaited<ReturnType<typeof openService>>;
  readonly page: Page;
  readonly click: (target: Locator) => Promise<void>;
  /** By the navigation. */
  readonly go: (label: string) => Promise<void>;
}

const ALLERGY = "Severe peanut allergy";

task("a new agent with one namespace, and that it sees no other", 5, async ({ page, click }) => {
  await click(page.getByRole("link", { name: "Connect an agent" }).first());
  await page.getByLabel("Name of the agent").fill("gardener");
  await click(page.getByRole("checkbox", { name: "work" }));
  await click(page.getByRole("button", { name: "Open the gates" }));
  await click(page.getByRole("status").getByRole("link", { name: "gardener" }));
  await click(page.getByText("Memories that it may use"));
  const seen = page.getByRole("region", { name: "What it may use" }).getByRole("article");
  await seen.first().waitFor();
  expect(await seen.count()).toBeGreaterThan(0);
  expect(await seen.filter({ hasNotText: "work" }).count()).toBe(0);
  expect(await page.getByRole("switch", { checked: true }).count()).toBe(1);
});

task("who used a memory, and forget it", 4, async ({ service, page, click, go }) => {
  const { receipt } = await service.client.chat({ agentId: "assistant", query: "Is there a peanut allergy?" });
  await go("Memories");
  await click(memoryWith(page, ALLERGY).getByRole("link", { name: ALLERGY }));
  const use = page.getByRole("list", { name: "Answers that used it" }).getByRole("link");
  expect(await use.getAttribute("href")).toContain(receipt.answerId);
  await click(page.getByRole("button", { name: "Forget …" }));
  await click(page.getByRole("dialog").getByRole("button", { name: "Forget", exact: true }));
  await page.getByText("A signed tombstone stays.").first().waitFor();
});

task("correct a fact", 4, async ({ service, page, click, go }) => {
  await go("Memories");
  await click(memoryWith(page, ALLERGY).getByRole("link", { name: ALLERGY }));
  await click(page.getByRole("button", { name: "Correct …" }));
  await page.getByLabel("Corrected text").fill("Mild peanut allergy.");
  await click(page.getByRole("button", { name: "Save correction" }));
  await page.getByRole("article").getByText("Mild peanut allergy.").waitFor();
  expect((await service.client.listMemories({ q: ALLERGY })).memories).toEqual([]);
});

task("a proof without the question, checked by an auditor", 9, async ({ service, page, click, go }) => {
  const question = "What should I know before dinner on Friday?";
  await click(page.getByRole("button", { name: "See the demo" }));
  await click(page.getByRole("button", { name: "Anchor on the ledger …" }));
  await click(page.getByRole("button", { name: /^Anchor with \d/ }));
  await page.getByText("Anchored: the ledger authorized every claim.").waitFor();
  await go("Activity");
  await click(page.getByRole("link", { name: "Receipt", exact: true }).first());
  await click(page.getByText("Share the proof"));
  await page.getByRole("link", { name: /^Link to \d+ of \d+ fields$/ }).waitFor();
  await click(page.getByRole("button", { name: "Copy the link" }));
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const { page: auditor } = await browser.visit(service.url);
  await auditor.goto(link);
  await expectVerdict(auditor, "verified");
  expect(await auditor.getByText(question).count()).toBe(0);
  expect(await auditor.getByRole("textbox", { name: "Question" }).inputValue()).toBe("");
});

task(
  "a key, and Claude Code connected",
  4,
  async ({ service, page, click }) => {
    await click(page.getByRole("link", { name: "Connect an agent" }).first());
    await click(page.getByRole("checkbox", { name: "diet" }));
    await click(page.getByRole("button", { name: "Make the key" }));
    await click(page.getByRole("button", { name: "Copy the lines for Claude Code" }));
    const lines = await page.evaluate(() => navigator.clipboard.readText());
    const [, url = "", authorization = ""] = /'(http\S+\/mcp)'.* 'Authorization: (Bearer \w+)'/.exec(lines) ?? [];
    expect(url).toBe(`${service.url}/mcp`);
    const headers = {
      authorization,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    };
    const call = { name: "recall", arguments: { query: "dinner" } };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call });
    expect((await fetch(url, { method: "POST", headers, body })).status).toBe(200);
    await page.getByText("Connected").waitFor();
  },
  { withKeys: true },
);

task("why an agent did not get a memory", 2, async ({ page, click, go }) => {
  await go("Policy");
  const section = page.getByRole("region", { name: "What would it get, and why?" });
  await section.getByLabel("Agent").selectOption("planner");
  await section.getByLabel("Question").fill("Is there a peanut allergy?");
  await click(section.getByRole("button", { name: "Explain" }));
  await section.getByText("held back: the gate was closed").first().waitFor();
  await section.getByText("given, rank 1").waitFor();
});

task("import 500 memories from CSV", 3, async ({ service, page, click, go }) => {
  const rows = Array.from({ length: 500 }, (_, i) => `notes,"Note ${i}, of many",planner`);
  const buffer = Buffer.from(["namespace,content,sourceAgent", ...rows].join("\r\n"));
  await go("Memories");
  const chooser = page.waitForEvent("filechooser");
  await click(page.getByRole("button", { name: "Choose a file" }));
  await (await chooser).setFiles({ name: "notes.csv", mimeType: "text/csv", buffer });
  await click(page.getByRole("button", { name: "Import", exact: true }));
  await page.getByText("All lines were imported.").waitFor();
  const { memories } = await service.client.listMemories({ namespace: "notes", limit: 1_000 });
  expect(memories).toHaveLength(500);
});

task("export everything", 2, async ({ service, page, click, go }) => {
  await go("Memories");
  const saved = page.waitForEvent("download");
  await click(page.getByRole("button", { name: "Export" }));
  const exported = await readFile(await (await saved).path(), "utf8");
  const { memories } = await service.client.listMemories({ limit: 1_000 });
  for (const { memoryId } of memories) expect(exported).toContain(memoryId);
});
