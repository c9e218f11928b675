// What all pages share: navigation, colours, banner, errors of a page.
import type { Page, Route } from "playwright-core";
import { expect, test } from "vitest";
import { PAGES, pagePath } from "#contract/page-paths.ts";
import { casesOf } from "#test/support/runs.ts";
import { askAndAnchor } from "./support/ask-and-anchor.ts";
import { browserForFile, eventually } from "./support/browser.ts";
import { pathsOfPages } from "./support/every-page.ts";
import { openOnSui, openService, openWithKeys } from "./support/open-service.ts";
import { expectSound } from "./support/page-assertions.ts";
import { turnTo } from "./support/turn-to.ts";

const browser = browserForFile();

test("the chosen colours are kept after a reload", async () => {
  const service = await openService();
  const { page } = await browser.visit(service.url);
  await page.goto(pagePath("overview"));
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await background();
  await page.getByRole("button", { name: "Colours: system" }).click();
  await page.getByRole("button", { name: "Colours: light" }).click();
  expect(await background()).not.toBe(light);
  await page.reload();
  await page.getByRole("button", { name: "Colours: dark" }).waitFor();
  expect(await background()).not.toBe(light);
});

test("where people sign in, a page asks for nothing but who they are", async () => {
  const service = await openWithKeys();
  const { page } = await browser.visit(service.url);
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/")) sent.push(new URL(request.url()).pathname);
  });
  await page.goto(pagePath("memories"));
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  expect(sent.filter((path) => path !== "/api/service")).toEqual(["/api/session"]);
});

test("the menu of a phone leads to every page, and each page has one h1 that takes the focus", async () => {
  const service = await openService();
  const { page } = await browser.visit(service.url, { width: "phone" });
  const cancelled = cancelledRequests(page);
  await page.goto(pagePath("console"));
  const menu = page.getByRole("button", { name: "Menu" });
  const [first, ...others] = Object.values(PAGES).flatMap((row) =>
    "label" in row && !("forIdentities" in row) && !("forOperators" in row) ? [row] : [],
  );
  expect(first?.path).toBe(pagePath("console"));
  for (const { path, label } of [...others, PAGES.console]) {
    await menu.click();
    const link = page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: label });
    await link.click();
    await link.waitFor({ state: "hidden" });
    const heading = page.getByRole("heading", { level: 1 });
    await heading.waitFor();
    expect(await heading.count(), label).toBe(1);
    expect(new URL(page.url()).pathname).toBe(path);
    await page.waitForFunction(() => document.activeElement?.tagName === "H1");
  }
  // Whoever leaves a page before it has loaded leaves no failures in the network panel.
  expect(cancelled).toEqual([]);
  await page.goto(pagePath("memories"));
  // The browser itself ended the feed of the page before, and what that page was still loading.
  expect(cancelled.splice(0)).toContain(`${service.url}/api/events`);
  await page.getByLabel("Search the text").pressSequentially("dinner", { delay: 0 });
  for (const { path } of [...others, PAGES.console]) {
    await page.evaluate((to) => history.pushState(null, "", to), path);
    await page.waitForFunction((to) => location.pathname === to, path);
  }
  await page.getByRole("switch").first().waitFor();
  expect(cancelled).toEqual([]);
});

test("a receipt, a verification, the service's own, and the search for a receipt cancel none of their requests when they are left while they wait", async () => {
  const service = await openService();
  const { receipt, receiptId } = await askAndAnchor(service);
  const { page } = await browser.visit(service.url);
  const cancelled = cancelledRequests(page);
  for (const [url, path] of [
    [/\/api\/memories\/mem_/, pagePath("receipt", receipt)],
    [/\/v1\/blobs\//, pagePath("verify", { receiptId })],
    [/\/api\/verify\//, pagePath("verify", { receiptId })],
    [/\/api\/anchors/, `${pagePath("verifyStart")}?q=${receipt.answerId}`],
  ] as const) {
    const held: Route[] = [];
    await page.route(url, (route) => void held.push(route));
    await page.goto(path);
    // The browser itself ended the feed of the page before.
    cancelled.length = 0;
    await eventually(() => held.length).toBeGreaterThan(0);
    await page.evaluate((to) => history.pushState(null, "", to), pagePath("policy"));
    await page.getByRole("heading", { level: 1, name: "Policy" }).waitFor();
    const answered = Promise.all(held.map(async (route) => (await route.request().response())?.status()));
    await Promise.all(held.map((route) => route.continue()));
    expect(await answered, String(url)).toEqual(held.map(() => 200));
    expect(cancelled, String(url)).toEqual([]);
    await page.unroute(url);
  }
});

test("the console paints before the service answers, and needs no more CPU time than to sort a million numbers", async () => {
  const service = await openService();
  const { page } = await browser.visit(service.url);
  const cpuTime = await measureCpuTime(page);
  const held = Promise.withResolvers<void>();
  await page.route("**/api/**", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto(pagePath("console"));
  await page.getByRole("heading", { level: 1 }).waitFor();
  held.resolve();
  await page.getByRole("switch", { name: "health for assistant" }).waitFor();
  const loading = await cpuTime();
  await page.evaluate(() => {
    Array.from({ length: 1_000_000 }, (_, i) => (i * 7_919) % 1_000_003).sort((a, b) => a - b);
  });
  const sorting = (await cpuTime()) - loading;
  expect(loading).toBeLessThan(sorting);
});

test("a page that failed to load is loaded on a retry", async () => {
  const service = await openService();
  const { page, errors } = await browser.visit(service.url);
  errors.expect(/policy-page/);
  errors.expect(/ERR_FAILED|dynamically imported/);
  await page.goto(pagePath("overview"));
  await page.route("**/assets/policy-page*.js", (route) => route.abort());
  await page.getByRole("link", { name: "Policy" }).click();
  await page.getByText("This page could not be shown.").waitFor();
  await page.unroute("**/assets/policy-page*.js");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { level: 1, name: "Policy" }).waitFor();
});

test("code that is lost on its way is fetched again, with all that it imports, and no page is loaded again for it", async () => {
  const service = await openService();
  const paths = await pathsOfPages(service);
  const { page, expectError } = await browser.visit(service.url);
  expectError(/ERR_FAILED/);
  await page.goto(pagePath("overview"));
  await page.getByRole("heading", { level: 1 }).waitFor();
  let loads = 0;
  page.on("load", () => {
    loads += 1;
  });
  const lost = new Set<string>();
  await page.route("**/assets/*.js", (route) => {
    const url = route.request().url();
    if (lost.has(url)) return route.continue();
    lost.add(url);
    return route.abort();
  });
  await page.getByRole("button", { name: "Search" }).click();
  await page.getByRole("combobox", { name: "Search pages, agents, namespaces" }).press("Escape");
  for (const path of paths.filter((path) => path !== pagePath("overview"))) {
    const before = lost.size;
    await page.evaluate((to) => history.pushState(null, "", to), path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(lost.size, path).toBeGreaterThan(before);
  }
  await page.evaluate((to) => history.pushState(null, "", to), pagePath("agent", { agentId: "assistant" }));
  await page.getByText("As code").first().click();
  await page.getByText("curl").first().waitFor();
  expect(loads).toBe(0);
});

/** A window of 1,360 pixels has 680 at 200 %. */
const WIDER_THAN_PHONE = [680, 768, 1360, 1920];
/** In `npm test`, each page on a phone, where less fits, and at one of the others. */
const widthsOf = (i: number) =>
  casesOf([390, ...WIDER_THAN_PHONE], [390, ...WIDER_THAN_PHONE.slice(i % WIDER_THAN_PHONE.length).slice(0, 1)]);

test("no page is wider than the window, at four widths and at 200 % zoom", async () => {
  const service = await openService();
  const paths = await pathsOfPages(service);
  const { page } = await browser.visit(service.url);
  await page.goto(paths.at(-1) ?? "");
  await page.getByRole("heading", { level: 1 }).waitFor();
  const tooWide: unknown[] = [];
  for (const [i, path] of paths.entries()) {
    await turnTo(page, path);
    await page.waitForFunction(() => !document.body.textContent.includes("Loading "));
    for (const width of widthsOf(i)) {
      await page.setViewportSize({ width, height: 900 });
      const over = await page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.documentElement;
        return scrollWidth - clientWidth;
      });
      if (over > 0) tooWide.push({ path, width, over });
    }
  }
  expect(tooWide).toEqual([]);
});

test("a filter for a name with a percent sign finds that name", async () => {
  const service = await openService();
  const fact = { content: "by halves", sourceAgent: "s" };
  await service.client.capture({ ...fact, namespace: "50%25" });
  await service.client.capture({ ...fact, namespace: "50%", content: "nothing like it" });
  const { page } = await browser.visit(service.url);
  await page.goto(pagePath("memories"));
  await page.getByText("Filter", { exact: true }).click();
  await page.getByLabel("Namespace").last().selectOption("50%25");
  await page.getByText("1 memory").waitFor();
  await page.getByText("by halves").waitFor();
  expect(new URL(page.url()).searchParams.get("namespace")).toBe("50%25");
  await page.reload();
  await page.getByText("by halves").waitFor();
  expect(await page.getByText("nothing like it").count()).toBe(0);
});

test("the banner names the stand-ins that this service uses, and no others", async () => {
  const service = await openOnSui();
  const { page } = await browser.visit(service.url);
  await page.goto(pagePath("overview"));
  const banner = page.getByRole("complementary", { name: "About this service" });
  await banner.getByText("Mock blob store: blobs are kept in this process", { exact: true }).click();
  await banner.getByText("set BLOBSTORE_PUBLISHER and BLOBSTORE_AGGREGATOR").waitFor();
  expect(await banner.getByText("Local ledger").count()).toBe(0);
});

test("a path without a page shows that there is none", async () => {
  const service = await openService();
  const { page } = await browser.visit(service.url);
  await page.goto(pagePath("activity"));
  await page.evaluate(() => {
    history.pushState(null, "", "/nowhere");
  });
  await page.getByRole("heading", { level: 1, name: "No such page" }).waitFor();
  await expectSound(page, "nowhere");
});

/** The CPU time of the page's main thread, in seconds. Unlike the time of a clock it does not grow on a busy machine. */
async function measureCpuTime(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.POSITIVE_INFINITY;
  };
}

function cancelledRequests(page: Page): string[] {
  const cancelled: string[] = [];
  page.on("requestfailed", (request) => cancelled.push(request.url()));
  return cancelled;
}
