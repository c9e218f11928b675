// The harness itself: a test that cannot fail shows nothing.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { browserForFile } from "./browser.ts";
import { expectAccessible } from "./page-assertions.ts";
import { eventually } from "./verify-page.ts";

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
  ["an image that is not there", "<img src='/none.png' alt='none'>", /404 \(Not Found\)/],
  ["an inline script", "<script>alert(1)</script>", /policy: script-src-elem refused inline/],
  ["an inline style", "<p style='color: red'>Red</p>", /policy: style-src-attr refused inline/],
  ["a request elsewhere", "<img src='http://127.0.0.1:1/x.png' alt='none'>", /policy: img-src refused http:/],
] as const)("notices %s", async ([, body, trouble]) => {
  const { page, troubles } = await browser.visit(await serve(body));
  await page.goto("/");
  await eventually(() => troubles.unsettled().some((seen) => trouble.test(seen))).toBe(true);
  // The rest of what it leads to may come later.
  troubles.expect(/./);
});

test("notices that an expected trouble did not come", async () => {
  const { page, troubles } = await browser.visit(await serve(""));
  await page.goto("/");
  const settled = troubles.unsettled();
  troubles.expect(/a trouble/);
  expect([settled, troubles.unsettled()]).toEqual([[], ["expected, and did not come: /a trouble/"]]);
  await page.evaluate(() => reportError(new Error("a trouble")));
  await eventually(() => troubles.unsettled()).toEqual([]);
});

test("notices what is not accessible", async () => {
  const { page } = await browser.visit(await serve("<input>"));
  await page.goto("/");
  await expect(expectAccessible(page)).rejects.toThrow();
});
