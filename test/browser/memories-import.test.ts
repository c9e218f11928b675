import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { browserForFile, FLOW_WIDTHS } from "./support/browser.ts";
import { openPanel } from "./support/memories-page.ts";
import { openService } from "./support/open-service.ts";
import { expectStateSound, screenshot } from "./support/page-assertions.ts";

const browser = browserForFile();
const MEMORIES = pagePath("memories");

describe("the import of a file", () => {
  const factLine = (content: string) => JSON.stringify({ namespace: "notes", content, sourceAgent: "planner" });
  const fileOf = (lines: readonly string[]) => ({
    name: "notes.ndjson",
    mimeType: "application/x-ndjson",
    buffer: Buffer.from(lines.join("\n")),
  });

  test.for(FLOW_WIDTHS)("imports the good lines and lists the bad ones, on a %s", async (width) => {
    const service = await openService();
    const { page } = await browser.visit(service.url, { width });
    await page.goto(MEMORIES);
    await page.getByText("14 memories").waitFor();
    await openPanel(page, "Import a file", width);
    const lines = Array.from({ length: 450 }, (_, i) => factLine(`Note ${i + 1}`));
    lines[2] = '{"namespace": "notes"}';
    lines[430] = "no JSON at all";
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Choose a file" }).click();
    await (await chooser).setFiles(fileOf(lines));
    await page.getByText("450 lines").waitFor();
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
    await screenshot(page, "memories-import-ready");
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByText("448 imported; 2 failed.").waitFor();
    await page.waitForFunction(() => document.activeElement !== document.body);
    await page.getByText("450 of 450 lines done: 448 imported, 2 failed").waitFor();
    const failures = page.getByRole("region", { name: "Lines that failed" });
    expect(await failures.getByRole("listitem").allInnerTexts()).toEqual([
      expect.stringMatching(/^Line 3: content is required/),
      "Line 431 is not valid JSON.",
    ]);
    await page.getByText("462 memories").waitFor();
    await page.getByRole("searchbox").fill("Note 44");
    await page.getByText("11 memories match.").waitFor();
    await expectStateSound(page, "memories-imported");
    expect((await service.client.listMemories({ namespace: "notes", limit: 1_000 })).memories).toHaveLength(448);
  });

  test("is stopped and continued without sending a line twice, for a dropped file", async () => {
    const service = await openService();
    const { page } = await browser.visit(service.url);
    const held = Promise.withResolvers<void>();
    let chunks = 0;
    await page.route("**/api/memories/import", async (route) => {
      chunks += 1;
      if (chunks === 3) await held.promise;
      await route.continue().catch(() => undefined);
    });
    await page.goto(MEMORIES);
    await page.getByText("14 memories").waitFor();
    await drop(page, Array.from({ length: 700 }, (_, i) => factLine(`Note ${i + 1}`)).join("\n"));
    await page.getByText("700 lines").waitFor();
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByText("400 of 700 lines done: 400 imported, 0 failed").waitFor();
    expect(await page.getByRole("progressbar", { name: "Lines done" }).getAttribute("value")).toBe("400");
    await expectStateSound(page, "memories-importing");
    await page.getByRole("button", { name: "Stop the import" }).click();
    await page.getByText("Stopped.").waitFor();
    held.resolve();
    await page.getByText("414 memories").waitFor();

    await page.getByRole("button", { name: "Continue from line 401" }).click();
    await page.getByText("All lines were imported.").waitFor();
    const { memories } = await service.client.listMemories({ namespace: "notes", limit: 1_000 });
    expect(new Set(memories.map(({ content }) => content)).size).toBe(700);
    expect(memories).toHaveLength(700);
  });

  test("takes CSV, and refuses a file that has no memories before anything is sent", async () => {
    const service = await openService();
    const { page } = await browser.visit(service.url);
    await page.goto(MEMORIES);
    const choose = (name: string, text: string) =>
      page.getByLabel("File of memories").setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
    await choose("people.csv", "name,age\nAda,36\n");
    await page.getByRole("alert").getByText("No column is called “namespace”.").waitFor();
    await choose(
      "notes.csv",
      `content,namespace\n${Array.from({ length: 500 }, (_, i) => `"Note ${i}, kept",notes`).join("\n")}`,
    );
    await page.getByText("501 lines").waitFor();
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByText("All lines were imported.").waitFor();
    const { memories } = await service.client.listMemories({ q: "Note 499, kept" });
    expect(memories).toMatchObject([{ namespace: "notes", sourceAgent: "import" }]);
    await choose("more.csv", 'content,namespace\n"Two\nlines",notes\nNo namespace,\n');
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByText("1 imported; 1 failed.").waitFor();
    const failures = page.getByRole("region", { name: "Lines that failed" });
    expect(await failures.getByRole("listitem").allInnerTexts()).toEqual([
      expect.stringMatching(/^Line 4: namespace is required/),
    ]);
  });

  test("continues while another page is open", async () => {
    const service = await openService();
    const { page } = await browser.visit(service.url);
    await page.goto(MEMORIES);
    await page
      .getByLabel("File of memories")
      .setInputFiles(fileOf(Array.from({ length: 900 }, (_, i) => factLine(`${i}`))));
    await page.getByRole("button", { name: "Import", exact: true }).click();
    await page.getByRole("link", { name: "Activity" }).click();
    await page.getByRole("heading", { level: 1, name: "Activity" }).waitFor();
    await page.getByRole("link", { name: "Memories" }).click();
    await page.getByText("All lines were imported.").waitFor();
    await page.getByText("914 memories").waitFor();
  });
});

async function drop(page: Page, text: string): Promise<void> {
  const dataTransfer = await page.evaluateHandle((content) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([content], "dropped.ndjson"));
    return transfer;
  }, text);
  await page.dispatchEvent("body", "dragover", { dataTransfer });
  await page.dispatchEvent("body", "drop", { dataTransfer });
}
