// What others change is shown at once: on every page, in every window, whichever replica it was changed at.
import type { Page, Request } from "playwright-core";
import { expect, test } from "vitest";
import type { Client } from "#contract/client/client.ts";
import { pagePath } from "#contract/page-paths.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { browserForFile, eventually } from "./support/browser.ts";
import { openService, openWithKeys } from "./support/open-service.ts";
import { gate, stateOf } from "./support/policy-page.ts";
import { enterKey, signIn } from "./support/sign-in.ts";

const browser = browserForFile();
const isFeed = (request: { url(): string }) => request.url().endsWith("/api/events");
const health = (page: Page) => gate(page, "health", "assistant");
const isOpen = (page: Page) => health(page).getAttribute("aria-checked");
const setHealth = (client: Client, allowed: boolean) =>
  client.setAccess({ agentId: "assistant", namespace: "health", allowed });

/** Resolves when this window, or another one of its browser, listens. */
const feedOf = (page: Page) => page.context().waitForEvent("response", isFeed);

test("a gate that is closed at one replica falls in the windows of another, on every page that shows it", async () => {
  const { url: DATABASE_URL } = await databaseForTest();
  const [here, there] = [await openService({ DATABASE_URL }), await openService({ DATABASE_URL })];
  const { page: policy } = await browser.visit(here.url);
  const { page: console } = await browser.visit(there.url);
  const listening = [feedOf(policy), feedOf(console)];
  await Promise.all([policy.goto(pagePath("policy")), console.goto(pagePath("console"))]);
  await Promise.all(listening);
  await health(console).waitFor();
  await health(policy).click();
  await eventually(() => isOpen(console)).toBe("false");
  await health(console).click();
  await eventually(() => stateOf(policy, "health", "assistant")).toBe("open");
  const { version } = await here.client.getPolicy();
  await policy.getByText(`Version ${version}.`).waitFor();
  await policy.getByRole("list", { name: "Changes, newest first" }).getByText(`Version ${version}`).waitFor();
});

test("the gates beside an answer move while it is still coming, also for the agent itself", async () => {
  const service = await openWithKeys();
  const { key } = await service.keyFor("agent:assistant");
  const { page } = await browser.visit(service.url);
  const listening = feedOf(page);
  await signIn(page, key);
  await listening;
  const held = Promise.withResolvers<void>();
  await page.route("**/api/chat", async (route) => {
    await held.promise;
    await route.continue();
  });
  const gates = page.getByRole("region", { name: "What you may use" }).getByRole("listitem");
  const own = gates.filter({ hasText: "health" });
  await own.getByText("open", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByText("Asking.").waitFor({ state: "attached" });
  await setHealth(service.admin, false);
  await own.getByText("closed", { exact: true }).waitFor();
  expect(await page.getByText("Asking.").count()).toBe(1);
  held.resolve();
  await page.getByText("Answered to assistant").first().waitFor();
});

test("the windows of a browser share one connection, and one of the others goes on when its window closes", async () => {
  const service = await openService();
  const { page: first } = await browser.visit(service.url);
  const context = first.context();
  const feeds: Request[] = [];
  context.on("request", (request) => {
    if (isFeed(request)) feeds.push(request);
  });
  const listening = feedOf(first);
  await first.goto(`${service.url}${pagePath("policy")}`);
  await listening;
  const others = [await context.newPage(), await context.newPage()] as const;
  for (const page of others) {
    await page.goto(`${service.url}${pagePath("console")}`);
    await health(page).waitFor();
  }
  await setHealth(service.client, false);
  for (const page of [first, ...others]) await eventually(() => isOpen(page)).toBe("false");
  expect(feeds).toHaveLength(1);

  await first.close();
  await setHealth(service.client, true);
  for (const page of others) await eventually(() => isOpen(page)).toBe("true");
  expect(feeds).toHaveLength(2);
});

test("the windows of an agent hear nothing of the feed of the admin before it", async () => {
  const service = await openWithKeys();
  const { key } = await service.keyFor("agent:assistant");
  const { page: first } = await browser.visit(service.url);
  const context = first.context();
  await context.addInitScript(recordPassedOn);
  const listening = feedOf(first);
  await signIn(first, service.adminKey);
  await listening;
  const second = await context.newPage();
  await second.goto(`${service.url}${pagePath("policy")}`);
  await health(second).waitFor();
  const passedOn = async () => (await Promise.all([first, second].map((page) => page.evaluate(() => passed)))).flat();
  const refreshed = first.waitForResponse((response) => response.url().endsWith("/api/overview"));
  await service.admin.setAccess({ agentId: "planner", namespace: "diet", allowed: false });
  await eventually(passedOn).toContainEqual(expect.objectContaining({ agentId: "planner" }));
  // Else it may be on its way when the session ends.
  await refreshed;

  await second.getByRole("button", { name: "Sign out" }).click();
  await second.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  for (const page of [first, second]) await page.evaluate(() => void passed.splice(0));
  const again = feedOf(second);
  await enterKey(second, key);
  await again;
  await first.getByText("agent assistant").waitFor();
  await service.admin.setAccess({ agentId: "planner", namespace: "diet", allowed: true });
  await service.admin.capture({ namespace: "finance", content: "A secret.", sourceAgent: "planner" });
  await setHealth(service.admin, false);
  const own = [expect.objectContaining({ caller: "agent", agentId: "assistant", namespace: "health" })];
  await eventually(passedOn).toEqual(own);
});

interface PassedOn {
  readonly caller: string;
  readonly agentId?: string;
  readonly namespace?: string;
}

declare const passed: PassedOn[];

/** Runs in a page before its scripts: notes what its window passes on to the others. */
function recordPassedOn(): void {
  const notes: PassedOn[] = [];
  const { postMessage } = BroadcastChannel.prototype;
  BroadcastChannel.prototype.postMessage = function (message) {
    const caller = /"role":"([^"]*)"/.exec(this.name)?.[1] ?? "";
    if (message.event !== undefined) notes.push({ caller, ...message.event.data });
    postMessage.call(this, message);
  };
  Object.assign(globalThis, { passed: notes });
}

test("a window without a connection says since when, on pages with gates, until it is connected again", async () => {
  const { url } = await openService();
  const { page, expectError } = await browser.visit(url);
  // A font that is still on its way fails as well.
  expectError(/ERR_INTERNET_DISCONNECTED/);
  const listening = feedOf(page);
  await page.goto(pagePath("policy"));
  await listening;
  const note = page.getByText(/^Not connected since \d\d:\d\d\. What you see may be old\.$/);
  expect(await note.count()).toBe(0);
  await page.context().setOffline(true);
  await note.waitFor();
  await page.evaluate(() => fetch("/livez").catch(() => undefined));
  await page.context().setOffline(false);
  await note.waitFor({ state: "detached" });
});

test("a feed that is silent for long is told, too", async () => {
  const { url } = await openService();
  const { page } = await browser.visit(url);
  await page.clock.install();
  await page.route("**/api/events", () => undefined);
  await page.goto(pagePath("console"));
  await health(page).waitFor();
  await page.clock.runFor(30_000);
  await page.getByText("What you see may be old.").waitFor();
});

test("a feed that breaks off goes on after its last event, and after a reset everything is loaded again", async () => {
  const service = await openService();
  const position = Promise.withResolvers<string>();
  const ending = new AbortController();
  void service.client.listenToEvents({ signal: ending.signal, onId: position.resolve }).next();
  const id = await position.promise;
  ending.abort();
  const { page } = await browser.visit(service.url);
  const given: (string | undefined)[] = [];
  await page.route("**/api/events", async (route) => {
    given.push(
      await route
        .request()
        .headerValue("last-event-id")
        .then((value) => value ?? undefined),
    );
    if (given.length > 2) return route.continue();
    const body = given.length === 1 ? `id: ${id}\n\n` : `id: ${id}\nevent: reset\ndata: {}\n\n`;
    // The gate is closed after its state was read, and the feed that ends here says nothing of it.
    await health(page).waitFor();
    await setHealth(service.client, given.length === 2);
    return route.fulfill({ contentType: "text/event-stream", body });
  });
  await page.goto(pagePath("console"));
  await health(page).waitFor();
  await eventually(() => given.length).toBe(3);
  expect(given).toEqual([undefined, id, id]);
  await eventually(() => isOpen(page)).toBe("true");
  await setHealth(service.client, false);
  await eventually(() => isOpen(page)).toBe("false");
});

test("a window that nobody sees for long stops listening, and catches up when it is seen again", async () => {
  const service = await openService();
  const { page } = await browser.visit(service.url);
  await page.clock.install();
  const listening = feedOf(page);
  await page.goto(pagePath("console"));
  await listening;
  await health(page).waitFor();
  const show = (isHidden: boolean) =>
    page.evaluate((hidden) => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
      document.dispatchEvent(new Event("visibilitychange"));
    }, isHidden);
  await show(true);
  const stopped = page.waitForEvent("requestfailed", isFeed);
  await page.clock.fastForward("01:05");
  await stopped;
  await setHealth(service.client, false);
  const resumed = page.waitForRequest(isFeed);
  await show(false);
  expect(await (await resumed).headerValue("last-event-id")).not.toBeNull();
  await eventually(() => isOpen(page)).toBe("false");
});

test("a window takes over from one that is silent for long, which then follows", async () => {
  const service = await openService();
  const { page: silent } = await browser.visit(service.url);
  const context = silent.context();
  const listening = feedOf(silent);
  await silent.goto(pagePath("console"));
  await listening;
  await health(silent).waitFor();
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(`${service.url}${pagePath("console")}`);
  await health(page).waitFor();
  const feeds: Request[] = [];
  context.on("request", (request) => {
    if (isFeed(request)) feeds.push(request);
  });
  await setHealth(service.client, false);
  await eventually(() => isOpen(page)).toBe("false");
  expect(feeds).toHaveLength(0);

  // As a browser does to a window that it freezes: it keeps its lock, and nobody hears from it.
  await silent.evaluate(() => {
    BroadcastChannel.prototype.postMessage = () => undefined;
  });
  await setHealth(service.client, true);
  await eventually(() => isOpen(silent)).toBe("true");
  expect(await isOpen(page)).toBe("false");
  const lost = silent.waitForEvent("requestfailed", isFeed);
  await page.clock.fastForward("00:46");
  await eventually(() => isOpen(page)).toBe("true");
  // One connection again, which goes on after the last event that the window heard.
  await lost;
  expect(feeds.map((request) => request.frame().page())).toEqual([page]);
  expect(await feeds[0]?.headerValue("last-event-id")).not.toBeNull();
  await setHealth(service.client, false);
  for (const each of [page, silent]) await eventually(() => isOpen(each)).toBe("false");
  expect(feeds).toHaveLength(1);
});

test("without Web Locks each window has a connection of its own, and hears each event once", async () => {
  const service = await openService();
  const { page: first } = await browser.visit(service.url);
  const context = first.context();
  await context.addInitScript(() => Object.defineProperty(Navigator.prototype, "locks", { value: undefined }));
  const second = await context.newPage();
  const feeds: Request[] = [];
  const policies: Request[] = [];
  context.on("request", (request) => {
    if (isFeed(request)) feeds.push(request);
    if (request.url().endsWith("/api/policy")) policies.push(request);
  });
  for (const page of [first, second]) {
    const listening = feedOf(page);
    await page.goto(`${service.url}${pagePath("policy")}`);
    await listening;
    await health(page).waitFor();
  }
  expect(feeds.map((request) => request.frame().page())).toEqual([first, second]);
  // An event that came a second time, after a later one, would have the whole policy read again.
  for (let i = 0; i < 9; i++) await setHealth(service.client, i % 2 === 1);
  const { version } = await service.client.getPolicy();
  for (const page of [first, second]) {
    await page.getByText(`Version ${version}.`).waitFor();
    expect(await isOpen(page)).toBe("false");
    await page.getByRole("list", { name: "Changes, newest first" }).getByText(`Version ${version}`).waitFor();
  }
  expect(policies).toHaveLength(2);

  await first.close();
  await setHealth(service.client, true);
  await eventually(() => isOpen(second)).toBe("true");
  expect(feeds).toHaveLength(2);
});
