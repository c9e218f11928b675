// Whoever goes back finds the page as it was left.
import { expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { browserForFile, eventually } from "./support/browser.ts";
import { rows } from "./support/memories-page.ts";
import { openService } from "./support/open-service.ts";

const browser = browserForFile();

test("a long list is where it was, with the rows that it had", async () => {
  const { client, url } = await openService();
  const lines = Array.from(
    { length: 400 },
    (_, i) => `{"namespace":"notes","content":"Note ${i}","sourceAgent":"me"}\n`,
  );
  for await (const { problem } of client.importMemories(new Blob(lines))) expect(problem).toBeUndefined();
  const { page } = await browser.visit(url);
  await page.goto(pagePath("memories"));
  await page.getByText("414 memories").waitFor();
  // Rows are measured as they come into sight, so the list is scrolled as people do, and not in one go.
  while ((await page.evaluate(() => scrollY)) < 12_000) await page.mouse.wheel(0, 1_500);
  const top = () => page.evaluate(() => scrollY);
  const shown = async () => (await rows(page).allInnerTexts()).join();
  await eventually(async () => (await shown()).includes("Note ")).toBe(true);
  const tops = [-1];
  const untilStill = () => eventually(async () => tops.at(-1) === tops[tops.push(await top()) - 2]).toBe(true);
  await untilStill();
  const text = /Note \d+/.exec(await rows(page).nth(4).innerText())?.[0] ?? "";
  const link = rows(page)
    .filter({ has: page.getByText(text, { exact: true }) })
    .getByRole("link")
    .first();
  // A click would scroll to a row that is rendered and not in sight.
  await link.scrollIntoViewIfNeeded();
  await untilStill();
  const before = tops.at(-1) ?? 0;
  await link.click();
  await page.waitForURL(/namespaces|memories\/mem_|agents/);
  await eventually(top).toBe(0);
  await page.goBack();
  await eventually(async () => Math.abs((await top()) - before)).toBeLessThan(100);
  await page.getByText(text, { exact: true }).waitFor();
});

test("what was written and not sent is still there: a question, its agent, and a memory", async () => {
  const { url } = await openService();
  const { page } = await browser.visit(url);
  await page.goto(pagePath("console"));
  await page.getByLabel("Agent").selectOption("planner");
  await page.getByLabel("Question").fill("Half a question");
  await page.getByRole("link", { name: "Memories", exact: true }).click();
  await page.getByLabel("Memory", { exact: true }).fill("Half a memory");
  await page.goBack();
  expect(await page.getByLabel("Question").inputValue()).toBe("Half a question");
  expect(await page.getByLabel("Agent").inputValue()).toBe("planner");
  await page.goForward();
  expect(await page.getByLabel("Memory", { exact: true }).inputValue()).toBe("Half a memory");
});

test("an empty service suggests no question of the demo's", async () => {
  const { url } = await openService({ SEED: "none" });
  const { page } = await browser.visit(url);
  await page.goto(pagePath("console"));
  await page.getByText("No namespaces yet.").waitFor();
  expect(await page.getByLabel("Question").inputValue()).toBe("");
  expect(await page.getByText("Examples").count()).toBe(0);
});
