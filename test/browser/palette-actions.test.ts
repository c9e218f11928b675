// What the palette does itself, with the keyboard alone.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { browserForFile, eventually } from "./support/browser.ts";
import { openService, openWithKeys } from "./support/open-service.ts";
import { expectStateSound } from "./support/page-assertions.ts";
import { signIn } from "./support/sign-in.ts";

const browser = browserForFile();
const field = (page: Page) => page.getByRole("combobox", { name: "or say what to do" });
const status = (page: Page) => page.getByRole("dialog", { name: "Search" }).getByRole("status");

async function openPalette(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.keyboard.press("Control+k");
  await field(page).waitFor();
}

/** Chooses the first of what the words offer. */
async function say(page: Page, words: string, option: string): Promise<void> {
  await field(page).fill(words);
  await page.getByRole("option", { name: option, selected: true }).waitFor();
  await page.keyboard.press("Enter");
}

test("closes and opens a gate as one change of the policy each, and says since which version", async () => {
  const service = await openService();
  const before = await service.client.getPolicy();
  const { page } = await browser.visit(service.url);
  await openPalette(page, pagePath("overview"));
  await page.getByText("Or: “close ").waitFor();
  await say(page, "close health to assistant", "Close health to assistant");
  await status(page)
    .getByText(`health is closed to assistant since policy version ${before.version + 1}.`)
    .waitFor();
  await expectStateSound(page, "palette-gate-closed");
  const closed = await service.client.getPolicy();
  expect(closed.policy).toEqual({ ...before.policy, assistant: { ...before.policy.assistant, health: false } });
  expect(closed.version).toBe(before.version + 1);

  // What is closed is not offered again, and a name may be cut.
  await field(page).fill("close health to assistant");
  await status(page).getByText("No results.").waitFor();
  await say(page, "open hea to ass", "Open health to assistant");
  await status(page).getByText("health is open to assistant").waitFor();
  expect((await service.client.getPolicy()).version).toBe(before.version + 2);
  await page.keyboard.press("Escape");
  await eventually(() => field(page).count()).toBe(0);
});

test("says that a gate is as it was when the service cannot be reached", async () => {
  const service = await openService();
  const { page, expectError } = await browser.visit(service.url);
  await openPalette(page, pagePath("overview"));
  await field(page).fill("close health to assistant");
  await page.getByRole("option", { name: "Close health to assistant" }).waitFor();
  expectError(/ERR_FAILED/);
  await page.route("**/api/policy", (route) =>
    route.request().method() === "GET" ? route.continue() : route.abort("failed"),
  );
  await page.keyboard.press("Enter");
  await status(page).getByText("Not changed:").waitFor();
  await page.getByRole("alert").getByText("The service did not answer").waitFor();
});

test("changes the colours, and saves exports", async () => {
  const service = await openService();
  const { page } = await browser.visit(service.url);
  await openPalette(page, pagePath("overview"));
  await say(page, "dark", "Colours: dark");
  await status(page).getByText("Colours: dark.").waitFor();
  expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
  await say(page, "light", "Colours: light");
  await eventually(() => page.locator("html").getAttribute("data-theme")).toBe("light");
  for (const [words, option, file] of [
    ["export", "Export everything that you may read", "portcullis.ndjson"],
    ["export health", "Export health", "health.ndjson"],
    ["export assistant", "Export what assistant captured", "assistant.ndjson"],
  ] as const) {
    const saved = page.waitForEvent("download");
    await say(page, words, option);
    expect((await saved).suggestedFilename()).toBe(file);
    await status(page).getByText(`Saved ${file}.`).waitFor();
  }
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Colours: light" }).waitFor();
});

test("forgets a memory after a confirmation, and shows its tombstone", async () => {
  const service = await openService();
  const { memory } = await service.client.capture({
    ...{ namespace: "garden", content: "The rose was planted in March.", sourceAgent: "planner" },
  });
  const { page } = await browser.visit(service.url);
  await openPalette(page, pagePath("overview"));
  await say(page, "forget rose was planted", "Forget: The rose was planted in March.");
  const dialog = page.getByRole("dialog", { name: "Forget this memory?" });
  await dialog.getByText("cannot be undone").waitFor();
  await page.keyboard.press("Escape");
  await eventually(() => page.getByRole("dialog").count()).toBe(0);
  expect((await service.client.getMemory({ memoryId: memory.memoryId })).memory.content).toContain("rose");

  await page.keyboard.press("Control+k");
  await say(page, "forget rose was planted", "Forget: The rose was planted in March.");
  await dialog.getByRole("button", { name: "Forget", exact: true }).press("Enter");
  await page.getByRole("heading", { level: 1, name: "Forgotten memory" }).waitFor();
  await page.getByText("A signed tombstone stays.").waitFor();
  await eventually(() => page.getByRole("dialog").count()).toBe(0);
});

test("leads to a new key, to one's own data, and to an agent of one's own", async () => {
  const service = await openWithKeys();
  const { page } = await browser.visit(service.url);
  await signIn(page, service.adminKey);
  for (const [words, option, heading] of [
    ["new key", "New key", "Keys"],
    ["begin", "Begin with your own", "Begin with your own"],
    ["connect", "Connect an agent", "Connect an agent"],
  ] as const) {
    await page.keyboard.press("Control+k");
    await say(page, words, option);
    await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  }
});

test("offers an agent no gate and no key", async () => {
  const service = await openWithKeys();
  const { key } = await service.keyFor("agent:planner");
  const { page } = await browser.visit(service.url);
  await signIn(page, key);
  await page.keyboard.press("Control+k");
  for (const words of ["close work to planner", "new key", "forget quarterly"]) {
    await field(page).fill(words);
    await eventually(() => page.getByRole("group", { name: "Actions" }).count()).toBe(0);
  }
});
