// Signing in and out: the key, the session, and what is left of a former caller.
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { askAndAnchor } from "./support/ask-and-anchor.ts";
import { browserForFile, eventually } from "./support/browser.ts";
import { openService, openWithKeys } from "./support/open-service.ts";
import { expectSoundEverywhere, expectStateSound } from "./support/page-assertions.ts";
import { enterKey, navigationOf, signIn, signInAt } from "./support/sign-in.ts";
import { expectVerdict } from "./support/verify-page.ts";

const browser = browserForFile();

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const focusIsOn = (page: Page, selector: string) =>
  page.waitForFunction((wanted) => document.activeElement?.matches(wanted) === true, selector);

test("a wrong key is refused with a sentence that takes the focus, and the right one opens the page asked for", async () => {
  const service = await openWithKeys();
  const { page, errors } = await browser.visit(service.url);
  errors.expect(/401/);
  await page.goto(pagePath("policy"));
  await heading(page, "Sign in").waitFor();
  expect(await navigationOf(page)).toEqual(["Verify"]);
  await expectSoundEverywhere(page, "sign-in");
  await enterKey(page, `${service.adminKey.slice(0, -1)}!`);
  await page.getByRole("alert").getByText("This key is not valid.").waitFor();
  await focusIsOn(page, "[role=alert]");
  await expectStateSound(page, "sign-in-refused");
  await enterKey(page, `  ${service.adminKey}\n`);
  await heading(page, "Policy").waitFor();
  await focusIsOn(page, "h1");
  expect(new URL(page.url()).pathname).toBe(pagePath("policy"));
  await page.getByText("Signed in as first admin, admin").waitFor();
});

test("an empty field is not sent, and the key is shown on demand only", async () => {
  const service = await openWithKeys();
  const { page } = await browser.visit(service.url);
  await page.goto(pagePath("console"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("Enter your key.").waitFor();
  const field = page.getByLabel("Key", { exact: true });
  expect(await field.getAttribute("type")).toBe("password");
  expect(await field.getAttribute("autocomplete")).toBe("current-password");
  await page.getByRole("button", { name: "Show the key" }).click();
  expect(await field.getAttribute("type")).toBe("text");
});

test("after too many tries the page says to wait", async () => {
  const service = await openWithKeys({ LIMIT_SIGN_INS_PER_MINUTE: "1" });
  const { page, errors } = await browser.visit(service.url);
  errors.expect(/401/);
  errors.expect(/429/);
  await page.goto(pagePath("console"));
  await enterKey(page, "portcullis_nonsense");
  await page.getByRole("alert").getByText("This key is not valid.").waitFor();
  await enterKey(page, service.adminKey);
  await page.getByRole("alert").getByText("Too many attempts.").waitFor();
});

test("the key is in no storage, address, log, cache or element after signing in", async () => {
  const service = await openWithKeys();
  const { page } = await browser.visit(service.url);
  const said: string[] = [];
  const asked: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  page.on("request", (request) => asked.push(request.url()));
  await signIn(page, service.adminKey);
  await page.getByRole("switch").first().waitFor();
  const kept = await page.evaluate(async () => {
    const databases = await indexedDB.databases();
    const caches = await globalThis.caches.keys();
    const values = [...document.querySelectorAll("input,textarea")].map((field) => (field as HTMLInputElement).value);
    return JSON.stringify([
      { ...localStorage },
      { ...sessionStorage },
      databases,
      caches,
      document.cookie,
      history.state,
      location.href,
      document.documentElement.outerHTML,
      values,
    ]);
  });
  const cookies = JSON.stringify(await page.context().cookies());
  const secret = service.adminKey.slice("portcullis_".length);
  expect([kept, cookies, ...said, ...asked].join("\n")).not.toContain(secret);
  expect(service.logLines.join("\n")).not.toContain(secret);
  // The search would find it where it is.
  expect(kept).toContain("first admin");
});

test("signing out ends the session and leaves nothing of the caller, also in another tab", async () => {
  const service = await openWithKeys();
  const { page } = await browser.visit(service.url);
  await signIn(page, service.adminKey);
  await page.getByRole("switch", { name: "finance for assistant" }).waitFor();
  await page.getByRole("link", { name: "Memories" }).click();
  const memories = (tab: Page) => tab.getByRole("list", { name: "Memories, newest first" }).getByRole("listitem");
  await memories(page).first().waitFor();
  const other = await page.context().newPage();
  await other.goto(pagePath("memories"));
  await memories(other).first().waitFor();

  await page.getByRole("button", { name: "Sign out" }).click();
  await heading(page, "Sign in").waitFor();
  await focusIsOn(page, "h1");
  expect(new URL(page.url()).pathname).toBe(pagePath("console"));
  expect(await page.getByText("first admin").count()).toBe(0);
  await heading(other, "Sign in").waitFor();
  expect(await memories(other).count()).toBe(0);

  // The next caller gets only its own, also while the service has not answered yet.
  const { key } = await service.keyFor("agent:stranger");
  const held = Promise.withResolvers<void>();
  for (const path of ["**/api/memories*", "**/api/policy"]) {
    await page.route(path, async (route) => {
      await held.promise;
      await route.continue();
    });
  }
  await enterKey(page, key);
  await heading(page, "Memory for AI agents, with a gate and a receipt").waitFor();
  expect(await page.locator("main").innerText()).not.toMatch(/finance|health/);
  await page.getByRole("link", { name: "Memories" }).click();
  await heading(page, "Memories").waitFor();
  expect(await memories(page).count()).toBe(0);
  held.resolve();
  await page.getByText("No memories yet.").waitFor();
  // A sign-in in one tab is one in all.
  await other.getByText("agent stranger").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await heading(page, "Sign in").waitFor();
  await page.reload();
  await heading(page, "Sign in").waitFor();
});

test("an answer is not shown to the next caller", async () => {
  const service = await openWithKeys();
  const { page } = await browser.visit(service.url);
  await signIn(page, service.adminKey);
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByText("Answered to assistant").first().waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  const { key } = await service.keyFor("agent:stranger");
  await enterKey(page, key);
  await page.getByText(/The model gets nothing else\.$/).waitFor();
  expect(await page.getByText("Answered to").count()).toBe(0);
});

test("a request that the end of its session overtakes is not refused before the reader's eyes", async () => {
  const service = await openWithKeys();
  const { page } = await browser.visit(service.url);
  await signInAt(page, pagePath("memories"), service.adminKey);
  const asked = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  await page.route("**/api/decisions*", async (route) => {
    asked.resolve();
    await ended.promise;
    // The browser may have cancelled it.
    await route.fulfill({ response: await route.fetch() }).catch(() => undefined);
    answered.resolve();
  });
  await page.route("**/api/session", async (route) => {
    const response = await route.fetch();
    ended.resolve();
    await answered.promise;
    await route.fulfill({ response });
  });
  await page.getByRole("link", { name: "Activity" }).click();
  await asked.promise;
  await page.getByRole("button", { name: "Sign out" }).click();
  await heading(page, "Sign in").waitFor();
});

test("a key that is revoked in the middle leads to the sign-in page, and back; the change is not repeated", async () => {
  const service = await openWithKeys();
  const { key, keyId } = await service.keyFor("admin:health");
  const { page, errors } = await browser.visit(service.url);
  errors.expect(/401/);
  // The feed would tell of the revoke before the change does.
  await page.route("**/api/events", () => undefined);
  await signInAt(page, pagePath("policy"), key);
  const gate = page.getByRole("switch", { name: "health for assistant" });
  await gate.waitFor();
  const before = (await service.admin.getPolicy()).version;
  await service.admin.revokeKey({ keyId });
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") sent.push(new URL(request.url()).pathname);
  });
  await gate.click();
  await heading(page, "Sign in").waitFor();
  await page.getByText("You were signed out.").waitFor();
  await focusIsOn(page, "h1");
  await expectStateSound(page, "sign-in-again");
  expect(await gate.count()).toBe(0);
  await enterKey(page, service.adminKey);
  await heading(page, "Policy").waitFor();
  await gate.waitFor();
  expect(new URL(page.url()).pathname).toBe(pagePath("policy"));
  await eventually(() => sent).toEqual(["/api/policy", "/api/session"]);
  expect((await service.admin.getPolicy()).version).toBe(before);
});

test("a receipt is verified without signing in, and the page offers to", async () => {
  const service = await openWithKeys();
  const { receiptId } = await askAndAnchor({ ...service, client: service.admin });
  const { page } = await browser.visit(service.url);
  await page.goto(pagePath("verify", { receiptId }));
  await expectVerdict(page, "verified");
  expect(await heading(page, "Sign in").count()).toBe(0);
  await expectStateSound(page, "verify-signed-out");
  await page.getByRole("link", { name: "Sign in" }).click();
  await heading(page, "Sign in").waitFor();
});

test("without identities there is no sign-in, no account and no page of keys", async () => {
  const service = await openService();
  const { page } = await browser.visit(service.url);
  await page.goto(pagePath("keys"));
  await page.getByText("This service has no sign-in").waitFor();
  expect(await page.getByRole("button", { name: "Sign out" }).count()).toBe(0);
  expect(await navigationOf(page)).not.toContain("Keys");
});
