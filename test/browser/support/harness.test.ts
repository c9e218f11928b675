// Tests of the test support: it must notice the errors of a page.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { expectAccessible } from "./accessibility.ts";
import { browserForFile, eventually } from "./browser.ts";
import { expectSoundInBothSchemes } from "./page-assertions.ts";
import { expectLargeTargets } from "./small-targets.ts";

const browser = browserForFile();

async function serve(body: string): Promise<string> {
  const page = `<!doctype html><html lang="en"><title>Page</title><link rel="icon" href="/icon"><main><h1>Page</h1>${body}</main>`;
  const server = createServer(({ url }, response) => {
    const policy = "default-src 'self'";
    if (url !== "/") return void response.writeHead(url === "/icon" ? 204 : 404).end();
    response.writeHead(200, { "content-type": "text/html", "content-security-policy": policy }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.for([
  ["an image that does not exist", "<img src='/none.png' alt='none'>", /404 \(Not Found\)/],
  ["an inline script", "<script>alert(1)</script>", /policy: script-src-elem refused inline/],
  ["an inline style", "<p style='color: red'>Red</p>", /policy: style-src-attr refused inline/],
  ["a request to another origin", "<img src='http://127.0.0.1:1/x.png' alt='none'>", /policy: img-src refused http:/],
] as const)("notices %s", async ([, body, error]) => {
  const { page, errors } = await browser.visit(await serve(body));
  await page.goto("/");
  await eventually(() => errors.unexpected().some((text) => error.test(text))).toBe(true);
  // Further errors of the same cause may follow.
  errors.expect(/./);
});

test("notices that an expected error did not occur", async () => {
  const { page, errors } = await browser.visit(await serve(""));
  await page.goto("/");
  const before = errors.unexpected();
  errors.expect(/some error/);
  expect([before, errors.unexpected()]).toEqual([[], ["expected, and did not occur: /some error/"]]);
  await page.evaluate(() => reportError(new Error("some error")));
  await eventually(() => errors.unexpected()).toEqual([]);
});

test("notices an element that is not accessible", async () => {
  const { page } = await browser.visit(await serve("<input>"));
  await page.goto("/");
  await expect(expectAccessible(page)).rejects.toThrow();
});

async function addStyle(page: Page, style: string): Promise<void> {
  await page.evaluate((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    document.adoptedStyleSheets = [sheet];
  }, style);
}

test.for([
  [2, 2],
  [20, 0],
] as const)("notices targets that are too small and too close: %i pixels apart", async ([space, found]) => {
  const buttons = "<button aria-label='A'></button><button aria-label='B'></button>";
  const { page } = await browser.visit(await serve(`${buttons}<p>A text with <a href="#a">a link</a>.</p>`));
  await page.goto("/");
  await addStyle(
    page,
    `button { width: 16px; height: 16px; padding: 0; border: 0; margin-right: ${space}px; float: left }`,
  );
  const targets = Array(found).fill(expect.stringContaining("16×16"));
  if (found === 0) await expectAccessible(page);
  else await expect(expectLargeTargets(page)).rejects.toMatchObject({ actual: targets });
});

test.for([
  ["a contrast that is too low", "<p>Text</p>", "light) { p { color: #eee; background: #fff }", "color-contrast"],
  ["an element without a name", "<input>", "dark) { input { display: none }", "label"],
] as const)("notices %s in one colour scheme alone", async ([, body, rule, violation]) => {
  const { page } = await browser.visit(await serve(body));
  await page.goto("/");
  await addStyle(page, `@media (prefers-color-scheme: ${rule} }`);
  await expect(expectSoundInBothSchemes(page, "harness")).rejects.toMatchObject({
    actual: [{ rule: expect.stringContaining(`${violation}:`) }],
  });
});
