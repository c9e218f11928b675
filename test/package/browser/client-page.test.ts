// The installed client in a page of a real browser, as the package has it: modules without a bundler.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { browserForFile, eventually } from "#test/browser/support/browser.ts";
import { installedServiceForTest, packageFolder } from "#test/package/support/installed.ts";
import { directoryForTest } from "#test/support/service.ts";

const browser = browserForFile();
const PAGE = fileURLToPath(new URL("./page.html", import.meta.url));

/** An origin that has the page, and the files of the installed package. */
async function integratorsOrigin(): Promise<string> {
  const server = createServer(async (request, response) => {
    const path = normalize(request.url ?? "/");
    const isModule = path.startsWith("/portcullis/dist/") && path.endsWith(".js");
    const file = isModule ? join(packageFolder(), path.slice("/portcullis/".length)) : PAGE;
    response.writeHead(200, { "content-type": isModule ? "text/javascript" : "text/html" });
    response.end(await readFile(file));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Nobody listens there any more. */
async function closedOrigin(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

test("The client captures, asks, streams, lists and refuses as in Node, from a page of another origin", async () => {
  const origin = await integratorsOrigin();
  const environment = { AUTH: "keys", CORS_ORIGINS: origin };
  const service = installedServiceForTest(await directoryForTest(), environment);
  const url = await service.ready();
  await expect.poll(service.out).toMatch(/\n {4}\S+\n/);
  const adminKey = /\n {4}(\S+)\n/.exec(service.out())?.[1] ?? "";
  const { page, expectError } = await browser.visit(origin);
  expectError(/401/);
  expectError(/ERR_CONNECTION_REFUSED/);
  await page.goto(`/#${encodeURIComponent(`${url} ${adminKey} ${await closedOrigin()}`)}`);
  await eventually(() => page.title()).toMatch(/^\{/);
  expect(JSON.parse(await page.title())).toEqual({
    imported: [1, 2],
    isStreamed: true,
    answer: expect.stringContaining("six"),
    listed: ["The tomatoes are watered at six.", "The hydrangea needs acid soil."],
    refusal: true,
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    aborted: "AbortError",
    unreachable: "unreachable",
    isOpen: true,
  });
});
