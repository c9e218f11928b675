// /memories in a real browser: finding, checking, capturing, importing, and a hundred thousand of them.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { digestHex } from "#core/encoding/digest.ts";
import { factBytes } from "#core/memory.ts";
import type { Service } from "#test/support/service.ts";
import { browserForFile, type Width } from "./support/browser.ts";
import { openOnWalrus, openService } from "./support/open-service.ts";
import { expectSoundEverywhere, expectSoundInBoth, screenshot } from "./support/page-assertions.ts";
import { eventually } from "./support/verify-page.ts";

const browser = browserForFile();
const LONG = 120_000;

const rows = (page: Page) => page.getByRole("list", { name: "Memories, newest first" }).getByRole("listitem");
const memoryWith = (page: Page, text: string) => page.getByRole("article").filter({ hasText: text });
const checkNow = (page: Page, text: string) =>
  memoryWith(page, text)
    .getByRole("button", { name: /^Check/ })
    .click();

describe("Finding and checking", () => {
  test.for(["desktop", "phone"] as const)("a memory, on a %s", { timeout: LONG }, async (width) => {
    const service = await openService();
    const { page } = await browser.visit(service.url, { width });
    await page.goto("/memories");
    await page.getByText("14 memories").waitFor();
    await expectSoundInBoth(page, "memories");

    await page.getByRole("searchbox", { name: "Search the text" }).fill("PEANUT");
    await page.getByText("1 memory matches. All 14 were searched.").waitFor();
    expect(new URL(page.url()).search).toBe("?q=PEANUT");
    await checkNow(page, "Severe peanut allergy");
    await memoryWith(page, "Severe peanut allergy").getByText("resolves, bytes intact").waitFor();
    await expectSoundInBoth(page, "memories-checked");

    await page.getByRole("button", { name: "Clear all filters" }).click();
    await page.getByText("14 memories").waitFor();
    expect(await page.getByRole("searchbox").inputValue()).toBe("");
    await page.getByLabel("Namespace").last().selectOption({ label: "finance (2)" });
    await page.getByText("2 memories").waitFor();
    await page.goBack();
    await page.getByText("14 memories").waitFor();
  });

  test("what is in the address is what is shown, also when nothing is", { timeout: LONG }, async () => {
    const service = await openService();
    const { page } = await browser.visit(service.url);
    await page.goto("/memories?namespace=health&sourceAgent=companion");
    await page.getByText("3 memories match. All were searched.").waitFor();
    expect(await rows(page).count()).toBe(3);
    await page.goto("/memories?q=no%20such%20text");
    await page.getByText("No memory matches.").waitFor();
    await expectSoundEverywhere(page, "memories-none");
    await page.getByRole("button", { name: "Show all memories" }).click();
    await page.getByText("14 memories").waitFor();
  });

  test("a service that does not answer is said to, and asked again", { timeout: LONG }, async () => {
    const service = await openService();
    const { page, expectTrouble } = await browser.visit(service.url);
    expectTrouble(/api\/memories/);
    await page.route("**/api/memories?*", (route) => route.abort("connectionrefused"));
    await page.goto("/memories");
    await page.getByRole("alert").getByText("The service did not answer").waitFor();
    await expectSoundEverywhere(page, "memories-down");
    await page.unroute("**/api/memories?*");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("14 memories").waitFor();
  });

  test("says of a blob what this browser saw of it", { timeout: LONG }, async () => {
    const service = await openOnWalrus();
    const { memories } = await service.client.listMemories({ q: "peanut", limit: 1 });
    const { page, expectTrouble } = await browser.visit(service.url);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.goto("/memories?q=peanut");
    const { knobs, aggregatorUrl } = service.walrus;
    const check = async (words: string) => {
      await checkNow(page, "Severe peanut allergy");
      await page.getByText(words, { exact: true }).waitFor();
    };
    await check("resolves, bytes intact");
    expect(asked).toContain(`${aggregatorUrl}/v1/blobs/${memories[0]?.storeRef}`);

    knobs.get.fault = "wrong-bytes";
    await check("resolves, but the bytes differ");
    const digests = await page.locator("article dd").allInnerTexts();
    expect(digests).toEqual([memories[0]?.contentDigest, expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(digests[1]).not.toBe(digests[0]);
    await expectSoundEverywhere(page, "memories-differs");

    expectTrouble(/\/v1\/blobs\//);
    knobs.get.fault = "unavailable";
    await check("unknown: the store does not answer");
    knobs.clear();
    knobs.epoch += 1_000;
    await check("does not resolve");
    await expectSoundEverywhere(page, "memories-missing");
  });
});

describe("Capturing", () => {
  test.for(["desktop", "phone"] as const)("a fact, on a %s", { timeout: LONG }, async (width) => {
    const service = await openService();
    const { page } = await browser.visit(service.url, { width });
    await page.goto("/memories");
    await page.getByText("14 memories").waitFor();
    await unfold(page, "Capture one", width);
    const form = page.locator("form");
    await form.getByText("public blob").waitFor();
    await form.getByRole("button", { name: "Capture it, publicly" }).click();
    expect(await form.getByText("must not be empty").count()).toBe(3);
    await eventually(() => form.getByLabel("Namespace").evaluate((input) => input === document.activeElement)).toBe(
      true,
    );
    await expectSoundInBoth(page, "memories-capture-faults");

    await form.getByLabel("Namespace").fill("garden");
    await form.getByLabel("Told by").fill("planner");
    await form.getByLabel("The fact").fill("x".repeat(8_001));
    await form.getByText("8,001 of 8,000 characters: 1 too many").waitFor();
    await form.getByLabel("The fact").fill("The apple tree was planted in March.");
    await form.getByText("36 of 8,000 characters").waitFor();
    await form.getByRole("button", { name: "Capture it, publicly" }).click();
    await form.getByText("captured, and on record").waitFor();
    await page.getByText("15 memories").waitFor();
    await eventually(() => rows(page).first().innerText()).toContain("The apple tree was planted in March.");
    expect(await form.getByLabel("The fact").inputValue()).toBe("");
    expect(await page.locator("datalist").first().locator('option[value="garden"]').count()).toBe(1);
    await checkNow(page, "apple tree");
    await page.getByText("resolves, bytes intact").waitFor();
    await expectSoundInBoth(page, "memories-captured");
  });

  test("shows what the service finds wrong at the field", { timeout: LONG }, async () => {
    const service = await openService();
    const { page, expectTrouble } = await browser.visit(service.url);
    expectTrouble(/400 \(Bad Request\)/);
    await page.goto("/memories");
    // The page would have refused it: as if the service had stricter rules than the page knows.
    await page.route("**/api/memories", (route) =>
      route.continue({ postData: '{"namespace":" x","content":"a","sourceAgent":"b"}' }),
    );
    const form = page.locator("form");
    for (const [label, text] of [
      ["Namespace", "x"],
      ["Told by", "b"],
      ["The fact", "a"],
    ] as const) {
      await form.getByLabel(label).fill(text);
    }
    await form.getByRole("button", { name: "Capture it, publicly" }).click();
    await form.getByText("must not begin or end with white space").waitFor();
    expect(await form.getByLabel("Namespace").getAttribute("aria-invalid")).toBe("true");
  });

  test("hostile text stays text", { timeout: LONG }, async () => {
    const service = await openService();
    const markup = "<img src=x onerror=alert(1)><script>alert(2)</script>";
    const name = `<b onclick=alert(3)>\u202e${"W".repeat(40)}`;
    for (const content of [markup, "pay \u202e000,1 to\u2066 nobody", "W".repeat(8_000), "a\n".repeat(3_999)]) {
      await service.client.capture({ namespace: name, content, sourceAgent: name });
    }
    const { page } = await browser.visit(service.url);
    await page.goto("/memories");
    await page.getByText("18 memories").waitFor();
    await page.getByText(markup, { exact: true }).waitFor();
    expect(await page.locator("main").locator("img, script, b[onclick]").count()).toBe(0);
    await page.getByRole("button", { name: "Show all 8,000 characters" }).waitFor();
    await expectSoundEverywhere(page, "memories-hostile");
    await page.getByRole("button", { name: "Show all 8,000 characters" }).click();
    await page.getByText("W".repeat(8_000), { exact: true }).waitFor();
  });
});

describe("Importing", () => {
  const factLine = (content: string) => JSON.stringify({ namespace: "notes", content, sourceAgent: "planner" });
  const fileOf = (lines: readonly string[]) => ({
    name: "notes.ndjson",
    mimeType: "application/x-ndjson",
    buffer: Buffer.from(lines.join("\n")),
  });

  test.for(["desktop", "phone"] as const)("a file with bad lines, on a %s", { timeout: LONG }, async (width) => {
    const service = await openService();
    const { page } = await browser.visit(service.url, { width });
    await page.goto("/memories");
    await page.getByText("14 memories").waitFor();
    await unfold(page, "Import a file", width);
    const lines = Array.from({ length: 450 }, (_, i) => factLine(`Note ${i + 1}`));
    lines[2] = '{"namespace": "notes"}';
    lines[430] = "no JSON at all";
    await page.getByLabel("File of memories").setInputFiles(fileOf(lines));
    await page.getByText("450 lines").waitFor();
    await screenshot(page, "memories-import-ready");
    await page.getByRole("button", { name: "Import it, publicly" }).click();
    await page.getByText("448 imported; 2 failed.").waitFor();
    await page.getByText("450 of 450 lines done: 448 imported, 2 failed").waitFor();
    const failures = page.getByRole("region", { name: "Lines that failed" });
    expect(await failures.getByRole("listitem").allInnerTexts()).toEqual([
      expect.stringMatching(/^line 3\s.*content.*sourceAgent/s),
      expect.stringMatching(/^line 431\s.*not well-formed JSON/s),
    ]);
    await page.getByText("462 memories").waitFor();
    await page.getByRole("searchbox").fill("Note 44");
    await page.getByText("11 memories match.").waitFor();
    await expectSoundInBoth(page, "memories-imported");
    expect((await service.client.listMemories({ namespace: "notes", limit: 1_000 })).memories).toHaveLength(448);
  });

  test("by dropping it, stopping, and going on without sending a line twice", { timeout: LONG }, async () => {
    const service = await openService();
    const { page } = await browser.visit(service.url);
    let letThrough = () => {};
    const held = new Promise<void>((resolve) => {
      letThrough = resolve;
    });
    let pieces = 0;
    await page.route("**/api/memories/import", async (route) => {
      pieces += 1;
      if (pieces === 3) await held;
      await route.continue().catch(() => undefined);
    });
    await page.goto("/memories");
    await page.getByText("14 memories").waitFor();
    await drop(page, Array.from({ length: 700 }, (_, i) => factLine(`Note ${i + 1}`)).join("\n"));
    await page.getByText("700 lines").waitFor();
    await page.getByRole("button", { name: "Import it, publicly" }).click();
    await page.getByText("400 of 700 lines done: 400 imported, 0 failed").waitFor();
    expect(await page.getByRole("progressbar", { name: "Lines done" }).getAttribute("value")).toBe("400");
    await expectSoundEverywhere(page, "memories-importing");
    await page.getByRole("button", { name: "Stop the import" }).click();
    await page.getByText("Stopped.").waitFor();
    letThrough();
    await page.getByText("414 memories").waitFor();

    await page.getByRole("button", { name: "Go on from line 401" }).click();
    await page.getByText("All imported, and on record.").waitFor();
    const { memories } = await service.client.listMemories({ namespace: "notes", limit: 1_000 });
    expect(new Set(memories.map(({ content }) => content)).size).toBe(700);
    expect(memories).toHaveLength(700);
  });

  test("goes on while one looks at another page", { timeout: LONG }, async () => {
    const service = await openService();
    const { page } = await browser.visit(service.url);
    await page.goto("/memories");
    await page
      .getByLabel("File of memories")
      .setInputFiles(fileOf(Array.from({ length: 900 }, (_, i) => factLine(`${i}`))));
    await page.getByRole("button", { name: "Import it, publicly" }).click();
    await page.getByRole("link", { name: "Receipts" }).click();
    await page.getByRole("heading", { level: 1, name: "Receipts" }).waitFor();
    await page.getByRole("link", { name: "Memories" }).click();
    await page.getByText("All imported, and on record.").waitFor();
    await page.getByText("914 memories").waitFor();
  });
});

describe("A hundred thousand memories", () => {
  test("are scrolled through and searched with few rows in the page", { timeout: LONG }, async () => {
    const service = await openService();
    await addMany(service, 100_000);
    const { page } = await browser.visit(service.url);
    await page.goto("/memories");
    await page.getByText("100,014 memories").waitFor();
    const most = async () => expect(await rows(page).count()).toBeLessThan(200);

    for (const goal of [300, 600, 900, 1_200]) {
      await eventually(async () => {
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        return Number(await rows(page).last().getAttribute("aria-posinset"));
      }).toBeGreaterThan(goal);
      await most();
    }
    const { top, height } = await rows(page)
      .last()
      .evaluate((row) => row.getBoundingClientRect().toJSON());
    expect(top + height).toBeGreaterThan(0);
    expect(top).toBeLessThan(3_000);

    await page.evaluate(() => scrollTo(0, 0));
    await page.getByRole("searchbox", { name: "Search the text" }).fill("number 7 of");
    await page.getByText("1 memory matches. All 100,014 were searched.").waitFor();
    await memoryWith(page, "Fact number 7 of many").waitFor();
    await page.getByRole("searchbox", { name: "Search the text" }).fill("9 of many");
    await eventually(() => rows(page).count()).toBeGreaterThan(3);
    await page.getByText(/^100 memories match so far\. At least [\d,]+ of 100,014 were searched/).waitFor();
    await most();
    await page.getByRole("searchbox", { name: "Search the text" }).fill("number 9999");
    await page.getByText("11 memories match. All 100,014 were searched.").waitFor();
    await expectSoundEverywhere(page, "memories-many");
  });
});

async function unfold(page: Page, panel: string, width: Width): Promise<void> {
  if (width === "phone") await page.getByRole("heading", { name: panel }).click();
}

async function drop(page: Page, text: string): Promise<void> {
  const transfer = await page.evaluateHandle((content) => {
    const made = new DataTransfer();
    made.items.add(new File([content], "dropped.ndjson"));
    return made;
  }, text);
  await page.dispatchEvent("body", "dragover", { dataTransfer: transfer });
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
}

/** Straight into the records: what is looked at here is the page. */
async function addMany({ deps: { records } }: Service, count: number): Promise<void> {
  const STEP = 5_000;
  for (let start = 0; start < count; start += STEP) {
    const adding = Array.from({ length: STEP }, (_, i) => {
      const fact = { namespace: `bulk-${i % 7}`, content: `Fact number ${start + i} of many`, sourceAgent: "importer" };
      const contentDigest = digestHex(factBytes(fact));
      const createdAt = new Date(Date.UTC(2026, 0, 1) + (start + i) * 1_000).toISOString();
      return records.addMemory({
        ...fact,
        memoryId: `mem_${start + i}`,
        storeRef: contentDigest,
        createdAt,
        contentDigest,
      });
    });
    await Promise.all(adding);
  }
}
