// What stands around every page.
import { describe, expect, test } from "vitest";
import { browserForFile } from "./support/browser.ts";
import { openOnSui, openService } from "./support/open-service.ts";
import { expectSound } from "./support/page-assertions.ts";

const browser = browserForFile();
const LONG = 120_000;

describe("Around the pages", () => {
  test("the colours that were chosen are remembered", { timeout: LONG }, async () => {
    const service = await openService();
    const { page } = await browser.visit(service.url);
    await page.goto("/overview");
    const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const light = await paper();
    await page.getByRole("button", { name: "Colours: system" }).click();
    await page.getByRole("button", { name: "Colours: light" }).click();
    expect(await paper()).not.toBe(light);
    await page.reload();
    await page.getByRole("button", { name: "Colours: dark" }).waitFor();
    expect(await paper()).not.toBe(light);
  });

  test("the menu of a phone leads to every page, and each has one h1 that takes the focus", {
    timeout: LONG,
  }, async () => {
    const service = await openService();
    const { page } = await browser.visit(service.url, { width: "phone" });
    await page.goto("/");
    const menu = page.getByRole("button", { name: "Menu" });
    for (const name of ["Companion", "Memories", "Policy", "Receipts", "Ledger", "Overview", "Console"]) {
      await menu.click();
      const link = page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name });
      await link.click();
      await link.waitFor({ state: "hidden" });
      const heading = page.getByRole("heading", { level: 1 });
      await heading.waitFor();
      expect(await heading.count(), name).toBe(1);
      await page.waitForFunction(() => document.activeElement?.tagName === "H1");
    }
  });

  test("the console's largest paint comes within a second", { timeout: LONG }, async () => {
    const service = await openService();
    const paints: number[] = [];
    // The best of three, each with an empty cache: what the page takes, not what the machine was busy with.
    for (let visits = 0; visits < 3; visits += 1) {
      const { page } = await browser.visit(service.url);
      await page.goto("/");
      await page.getByRole("switch", { name: "health for assistant" }).waitFor();
      paints.push(await page.evaluate(largestPaint));
    }
    expect(Math.min(...paints)).toBeLessThan(1_000);
  });

  test("a page that could not be loaded is there when it is asked for again", { timeout: LONG }, async () => {
    const service = await openService();
    const { page, troubles } = await browser.visit(service.url);
    troubles.expect(/policy-page/);
    troubles.expect(/ERR_FAILED|dynamically imported/);
    await page.goto("/overview");
    await page.route("**/assets/policy-page*.js", (route) => route.abort());
    await page.getByRole("link", { name: "Policy" }).click();
    await page.getByText("This page could not be shown.").waitFor();
    await page.unroute("**/assets/policy-page*.js");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { level: 1, name: "Policy" }).waitFor();
  });

  test("a name with a percent sign is found by that name", { timeout: LONG }, async () => {
    const service = await openService();
    const fact = { content: "by halves", sourceAgent: "s" };
    await service.client.capture({ ...fact, namespace: "50%25" });
    await service.client.capture({ ...fact, namespace: "50%", content: "another" });
    const { page } = await browser.visit(service.url);
    await page.goto("/memories");
    await page.getByLabel("Namespace").last().selectOption("50%25");
    await page.getByText("1 memory").waitFor();
    await page.getByText("by halves").waitFor();
    expect(new URL(page.url()).searchParams.get("namespace")).toBe("50%25");
    await page.reload();
    await page.getByText("by halves").waitFor();
    expect(await page.getByText("another").count()).toBe(0);
  });

  test("the banner says what is a stand-in here, and only that", { timeout: LONG }, async () => {
    const service = await openOnSui();
    const { page } = await browser.visit(service.url);
    await page.goto("/overview");
    const banner = page.getByRole("complementary", { name: "About this service" });
    await banner.getByText("Mock blob store: blobs live in this process", { exact: true }).click();
    await banner.getByText("set BLOBSTORE_PUBLISHER and BLOBSTORE_AGGREGATOR").waitFor();
    expect(await banner.getByText("Local ledger").count()).toBe(0);
  });

  test("a path that leads nowhere says so", { timeout: LONG }, async () => {
    const service = await openService();
    const { page } = await browser.visit(service.url);
    await page.goto("/receipts");
    await page.evaluate(() => {
      history.pushState(null, "", "/nowhere");
    });
    await page.getByRole("heading", { level: 1, name: "No such page" }).waitFor();
    await expectSound(page, "nowhere");
  });
});

/** Runs in the page. */
const largestPaint = () =>
  new Promise<number>((resolve) => {
    const observer = new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Infinity));
    observer.observe({ type: "largest-contentful-paint", buffered: true });
  });
