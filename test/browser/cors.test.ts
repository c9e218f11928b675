// A page of another origin calls the API from a real browser.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { browserForFile } from "./support/browser.ts";
import { openWithKeys } from "./support/open-service.ts";

const browser = browserForFile();

/** An empty page on an origin of its own. */
async function otherOrigin(): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end('<!doctype html><link rel="icon" href="data:,">');
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What a script of the page gets for a question with this key: the status and what it may read, or that it failed. */
async function ask(page: Awaited<ReturnType<typeof browser.visit>>["page"], url: string, key: string) {
  return page.evaluate(
    async ([at, bearer]) => {
      const headers = { "content-type": "application/json", ...(bearer && { authorization: `Bearer ${bearer}` }) };
      const body = JSON.stringify({ agentId: "assistant", query: "What is for dinner?" });
      const streamed = { ...headers, accept: "text/event-stream", "idempotency-key": crypto.randomUUID() };
      try {
        const reply = await fetch(`${at}/api/chat`, { method: "POST", headers: streamed, body });
        const text = await reply.text();
        return {
          status: reply.status,
          text,
          limit: reply.headers.get("ratelimit"),
          id: reply.headers.get("x-request-id"),
        };
      } catch {
        return "refused by the browser";
      }
    },
    [url, key] as const,
  );
}

test("A page of a configured origin asks with a key, reads a streamed answer and its limits, and refusals", async () => {
  const app = await otherOrigin();
  const { url, adminKey } = await openWithKeys({ CORS_ORIGINS: app });
  const { page, expectError } = await browser.visit(app);
  await page.goto("/");
  expectError(/401/);
  const expected = { status: 200, limit: expect.stringContaining("answer"), id: expect.stringMatching(/^[\w-]{16}$/) };
  expect(await ask(page, url, adminKey)).toMatchObject({ ...expected, text: expect.stringContaining("event: answer") });
  expect(await ask(page, url, "wrong")).toMatchObject({ status: 401 });
});

test("A page of any other origin gets nothing, with a key or without", async () => {
  const { url, adminKey } = await openWithKeys({ CORS_ORIGINS: "https://app.example" });
  const { page, expectError } = await browser.visit(await otherOrigin());
  await page.goto("/");
  expectError(/CORS|net::ERR_FAILED/);
  expect(await ask(page, url, adminKey)).toBe("refused by the browser");
});
