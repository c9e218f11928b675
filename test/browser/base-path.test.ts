// The app below a path of a host that it shares, behind proxies of both kinds.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { askAndAnchor } from "./support/ask-and-anchor.ts";
import { browserForFile, eventually } from "./support/browser.ts";
import { openService, openWithKeys } from "./support/open-service.ts";
import { prefixProxyForTest } from "./support/prefix-proxy.ts";
import { signInAt } from "./support/sign-in.ts";
import { expectVerdict } from "./support/verify-page.ts";

const browser = browserForFile();
const PREFIX = "/team/memory";

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const pathOf = (page: Page) => new URL(page.url()).pathname;

describe.for([
  ["passes the path on", { BASE_PATH: PREFIX }, { strips: false, says: false }],
  ["takes the path away", { BASE_PATH: PREFIX }, { strips: true, says: false }],
  ["takes the path away and says so", { TRUST_PROXY: "127.0.0.1" }, { strips: true, says: true }],
] as const)("Behind a proxy that %s,", ([, environment, kind]) => {
  test("the app loads, asks, navigates, reloads and verifies, and never leaves its path", async () => {
    const service = await openService(environment);
    const { origin, strays } = await prefixProxyForTest(service.url, PREFIX, kind);
    const { page } = await browser.visit(origin);
    await page.goto(`${PREFIX}/`);
    await page.getByRole("button", { name: /^Ask/ }).click();
    await page
      .getByText(/under policy version/)
      .first()
      .waitFor();

    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Activity" }).click();
    await heading(page, "Activity").waitFor();
    expect(pathOf(page)).toBe(`${PREFIX}/activity`);
    await page.getByLabel("Agent").selectOption("assistant");
    await eventually(() => page.url()).toBe(`${origin}${PREFIX}/activity?agentId=assistant`);
    await page.reload();
    await heading(page, "Activity").waitFor();

    const { receiptId } = await askAndAnchor(service);
    await page.goto(`${PREFIX}/verify/${receiptId}`);
    await expectVerdict(page, "verified");
    await page.locator('a[href*="/ledger/tx/"]').first().click();
    await eventually(() => pathOf(page)).toMatch(/^\/team\/memory\/ledger\/tx\//);
    await page.goto(PREFIX);
    await page.getByRole("button", { name: /^Ask/ }).waitFor();
    expect(strays).toEqual([]);
  });
});

test("A session below a path has a cookie for that path, and its requests are our own", async () => {
  const service = await openWithKeys({ BASE_PATH: PREFIX });
  const { origin, strays } = await prefixProxyForTest(service.url, PREFIX, { strips: true, says: false });
  const { page } = await browser.visit(origin);
  await signInAt(page, `${PREFIX}/policy`, service.adminKey);
  await heading(page, "Policy").waitFor();
  expect(await page.context().cookies()).toMatchObject([{ name: "portcullis", path: PREFIX }]);
  // A tab of another service on this host concerns nobody here.
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  const tell = (basePath: string) =>
    page.evaluate((name) => new BroadcastChannel(name).postMessage("changed"), `portcullis-session ${basePath}`);
  await tell("/team/other");
  await tell("");
  await tell(PREFIX);
  await heading(page, "Policy").waitFor();
  await eventually(() => asked.includes(`${PREFIX}/api/policy`)).toBe(true);
  expect(asked.filter((path) => path.endsWith("/api/session"))).toHaveLength(1);
  await page.getByRole("button", { name: "Sign out" }).click();
  await heading(page, "Sign in").waitFor();
  expect(strays).toEqual([]);
});
