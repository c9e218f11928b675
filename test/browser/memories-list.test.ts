import { describe, expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { digestHex } from "#core/encoding/digest.ts";
import { factBytes } from "#core/memory.ts";
import type { Service } from "#test/support/service.ts";
import { browserForFile, eventually, FLOW_WIDTHS } from "./support/browser.ts";
import { checkNow, memoryWith, openMemory, rows } from "./support/memories-page.ts";
import { openOnWalrus, openService } from "./support/open-service.ts";
import { expectSound, expectSoundEverywhere, expectStateSound } from "./support/page-assertions.ts";

const browser = browserForFile();
const MEMORIES = pagePath("memories");

describe("the list of memories", () => {
  test.for(FLOW_WIDTHS)("is filtered by text and namespace, and checks a blob, on a %s", async (width) => {
    const service = await openService();
    const { page } = await browser.visit(service.url, { width });
    await page.goto(MEMORIES);
    await page.getByText("14 memories").waitFor();
    await expectSoundEverywhere(page, "memories");

    await page.getByRole("searchbox", { name: "Search the text" }).fill("PEANUT");
    await page.getByText("1 memory matches. All 14 were searched.").waitFor();
    expect(new URL(page.url()).search).toBe("?q=PEANUT");
    await openMemory(page, "Severe peanut allergy");
    await checkNow(page, "Severe peanut allergy");
    await memoryWith(page, "Severe peanut allergy").getByText("intact").waitFor();
    await expectStateSound(page, "memories-checked");

    await page.goBack();
    await page.getByRole("button", { name: "Clear all filters" }).click();
    await page.getByText("14 memories").waitFor();
    expect(await page.getByRole("searchbox").inputValue()).toBe("");
    await page.getByText("Filter", { exact: true }).click();
    await page.getByLabel("Namespace").last().selectOption({ label: "finance (2)" });
    await page.getByText("2 memories").waitFor();
    await page.goBack();
    await page.getByText("14 memories").waitFor();
  });

  test("applies the filters of the URL, also when nothing matches or the service did not answer at first", async () => {
    const service = await openService();
    const { page, expectError } = await browser.visit(service.url);
    expectError(/api\/memories/);
    await page.route("**/api/memories?*", (route) => route.abort("connectionrefused"));
    await page.goto(`${MEMORIES}?namespace=health&sourceAgent=companion`);
    await page.getByRole("alert").getByText("The service did not answer").waitFor();
    await expectStateSound(page, "memories-down");
    await page.unroute("**/api/memories?*");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("3 memories match. All were searched.").waitFor();
    // A filter that is on is in sight.
    expect(await page.getByLabel("Source agent").last().isVisible()).toBe(true);
    expect(await rows(page).count()).toBe(3);
    await page.goto(`${MEMORIES}?q=no%20such%20text`);
    await page.getByText("No memory matches.").waitFor();
    await expectStateSound(page, "memories-none");
    await page.getByRole("button", { name: "Show all memories" }).click();
    await page.getByText("14 memories").waitFor();
  });

  test("shows the result of a blob check in one word: intact, altered or not reachable", async () => {
    const service = await openOnWalrus();
    const { memories } = await service.client.listMemories({ q: "peanut", limit: 1 });
    const { page, expectError } = await browser.visit(service.url);
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    await page.goto(pagePath("memory", { memoryId: memories[0]?.memoryId ?? "" }));
    const { knobs, aggregatorUrl } = service.walrus;
    const check = async (words: string) => {
      await checkNow(page, "Severe peanut allergy");
      await page.getByText(words, { exact: true }).waitFor();
    };
    await check("intact");
    expect(requested).toContain(`${aggregatorUrl}/v1/blobs/${memories[0]?.storeRef}`);

    knobs.get.fault = "wrong-bytes";
    await check("altered");
    const digests = await page.locator("article [role=status] dd").allInnerTexts();
    expect(digests).toEqual([memories[0]?.contentDigest, expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(digests[1]).not.toBe(digests[0]);
    await expectStateSound(page, "memories-differs");

    expectError(/\/v1\/blobs\//);
    knobs.get.fault = "unavailable";
    await check("not reachable");
    await page.getByText("the store does not answer").waitFor();
    knobs.clear();
    knobs.epoch += 1_000;
    await checkNow(page, "Severe peanut allergy");
    await page.getByText("the store has no such blob").waitFor();
    expect(await page.getByText("not reachable", { exact: true }).count()).toBe(1);
    await expectSound(page, "memories-missing");
  });
});

test("a search waits for a pause and for the reply to the one before, and shows what was found before until then", async () => {
  const service = await openService();
  const { page } = await browser.visit(service.url);
  await page.clock.install();
  await page.goto(MEMORIES);
  await page.getByText("14 memories").waitFor();
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
  const sent: string[] = [];
  const held: (() => Promise<void>)[] = [];
  await page.route(/\/api\/memories\?.*q=/, (route) => {
    sent.push(new URL(route.request().url()).searchParams.get("q") ?? "");
    held.push(() => route.continue());
  });
  const field = page.getByRole("searchbox", { name: "Search the text" });
  const passing = (check: () => unknown) =>
    eventually(async () => {
      await page.clock.runFor(10);
      return check();
    });
  for (const key of "din") {
    await field.press(key);
    await page.clock.runFor(100);
  }
  expect(sent).toEqual([]);
  await passing(() => sent).toEqual(["din"]);

  // Two more pauses, and the service has not answered yet.
  await field.press("n");
  await page.clock.runFor(400);
  await field.press("e");
  await page.clock.runFor(400);
  expect(await rows(page).count()).toBe(14);
  expect(await page.getByText("Searching …").count()).toBe(1);
  await held.pop()?.();
  await passing(() => sent).toEqual(["din", "dinne"]);

  // It may never answer.
  await field.press("r");
  await page.clock.runFor(1_100);
  await passing(() => sent).toEqual(["din", "dinne", "dinner"]);
  await held.pop()?.();
  await passing(() => page.getByText(/^\d+ memor(?:y matches|ies match)\. All 14 were searched\.$/).count()).toBe(1);
  await memoryWith(page, "Dinner on Friday").waitFor();
  expect(await rows(page).count()).toBeLessThan(14);
  await held.pop()?.();
});

describe("a pin", () => {
  test.for(FLOW_WIDTHS)("is set and taken off in its place, on a %s", async (width) => {
    const service = await openService();
    const { page } = await browser.visit(service.url, { width });
    await page.goto(MEMORIES);
    const allergy = memoryWith(page, "Severe peanut allergy");
    const knee = memoryWith(page, "The left knee hurts");
    await allergy.getByText("pinned", { exact: true }).waitFor();
    expect(await page.getByText("pinned", { exact: true }).count()).toBe(1);

    await openMemory(page, "The left knee hurts");
    await knee.getByRole("button", { name: "Pin", exact: true }).click();
    await knee.getByText("pinned", { exact: true }).waitFor();
    await page.goBack();
    await knee.getByText("pinned", { exact: true }).waitFor();
    await expectStateSound(page, "memories-pinned");
    await openMemory(page, "Severe peanut allergy");
    await allergy.getByRole("button", { name: "Unpin" }).click();
    await allergy.getByRole("button", { name: "Pin", exact: true }).waitFor();
    const { memories } = await service.client.listMemories();
    const pinned = memories.filter((memory) => memory.pinned).map(({ content }) => content);
    expect(pinned).toEqual([expect.stringContaining("The left knee hurts")]);

    await page.goto(`${MEMORIES}?namespace=fitness`);
    await knee.getByText("pinned", { exact: true }).waitFor();
  });

  test("that the service refuses is explained on the memory, and the pin stays off", async () => {
    const service = await openService({ RECALL_LIMIT: "2" });
    const { page, expectError } = await browser.visit(service.url);
    expectError(/api\/memories/);
    await page.goto(`${MEMORIES}?namespace=health`);
    const pressure = memoryWith(page, "Blood pressure");
    await openMemory(page, "Blood pressure");
    await pressure.getByRole("button", { name: "Pin", exact: true }).click();
    await pressure.getByRole("alert").getByText("as many pinned memories as it can have: 1").waitFor();
    await expectStateSound(page, "memories-too-many-pinned");
    expect(await pressure.getByText("pinned", { exact: true }).count()).toBe(0);

    await page.goBack();
    await openMemory(page, "Severe peanut allergy");
    await memoryWith(page, "Severe peanut allergy").getByRole("button", { name: "Unpin" }).click();
    await memoryWith(page, "Severe peanut allergy").getByRole("button", { name: "Pin", exact: true }).waitFor();
    await page.goBack();
    await openMemory(page, "Blood pressure");
    await pressure.getByRole("button", { name: "Pin", exact: true }).click();
    await pressure.getByText("pinned", { exact: true }).waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });
});

describe("thousands of memories", () => {
  test("are scrolled and searched with fewer than 200 rows in the page", async () => {
    const service = await openService();
    await addMany(service, 3_000);
    const { page } = await browser.visit(service.url);
    await page.goto(MEMORIES);
    await page.getByText("3,014 memories").waitFor();
    const expectFewRows = async () => expect(await rows(page).count()).toBeLessThan(200);

    for (const goal of [300, 600, 900, 1_200]) {
      await eventually(async () => {
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        return Number(await rows(page).last().getAttribute("aria-posinset"));
      }).toBeGreaterThan(goal);
      await expectFewRows();
    }
    const { top, height } = await rows(page)
      .last()
      .evaluate((row) => row.getBoundingClientRect().toJSON());
    expect(top + height).toBeGreaterThan(0);
    expect(top).toBeLessThan(3_000);

    await page.evaluate(() => scrollTo(0, 0));
    await page.getByRole("searchbox", { name: "Search the text" }).fill("number 7 of");
    await page.getByText("1 memory matches. All 3,014 were searched.").waitFor();
    await memoryWith(page, "Fact number 7 of many").waitFor();
    await page.getByRole("searchbox", { name: "Search the text" }).fill("9 of many");
    await eventually(() => rows(page).count()).toBeGreaterThan(3);
    await page.getByText(/^100 memories match so far\. At least [\d,]+ of 3,014 were searched/).waitFor();
    await expectFewRows();
    await page.getByRole("searchbox", { name: "Search the text" }).fill("number 299");
    await page.getByText("11 memories match. All 3,014 were searched.").waitFor();
    await expectSound(page, "memories-many");
  });
});

/** Adds memories to the record store directly, since this is a test of the page. */
async function addMany({ tenant: { records } }: Service, count: number): Promise<void> {
  const STEP = 1_000;
  for (let start = 0; start < count; start += STEP) {
    const adding = Array.from({ length: STEP }, (_, i) => {
      const fact = { namespace: `bulk-${i % 7}`, content: `Fact number ${start + i} of many`, sourceAgent: "importer" };
      const contentDigest = digestHex(factBytes(fact));
      const createdAt = new Date(Date.UTC(2026, 0, 1) + (start + i) * 1_000).toISOString();
      return records.memories.add({
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
