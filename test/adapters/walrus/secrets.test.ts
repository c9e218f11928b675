// No error contains credentials, not even in its causes.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { PortcullisError } from "#core/errors.ts";
import { BYTES, standInsForTests, storeOn, TIMEOUTS, walrus } from "./fixture.ts";

standInsForTests();

const SECRET = "s3cr3t";
const ENCODED = Buffer.from(`user:${SECRET}`).toString("base64");

function expectNoSecret(error: unknown): void {
  expect(error).toBeInstanceOf(PortcullisError);
  const all = inspect(error, { depth: 20, showHidden: true });
  expect(all).not.toContain(SECRET);
  expect(all).not.toContain(ENCODED);
}

const errorOf = (work: Promise<unknown>) => work.catch((error) => error);

describe("the error does not contain the credentials", () => {
  test.each([
    "hang",
    "reset",
    "truncate",
    "endless",
    "too-many-requests",
    "unavailable",
    "error-in-200",
    "redirect",
  ] as const)("of a server with the fault %s", async (fault) => {
    const { blobId } = await storeOn().put(BYTES);
    const withSecrets = (url: string) => url.replace("http://", `http://user:${SECRET}@`);
    const timeouts = fault === "hang" ? { storeMs: 200, readMs: 200 } : TIMEOUTS;
    const blobs = storeOn({
      publisher: withSecrets(walrus.publisherUrl),
      aggregators: [withSecrets(walrus.aggregatorUrl)],
      timeouts,
    });
    walrus.knobs.put.fault = fault;
    walrus.knobs.get.fault = fault;
    expectNoSecret(await errorOf(blobs.put(BYTES)));
    // To a read, these two are no failures.
    if (fault !== "error-in-200" && fault !== "endless") expectNoSecret(await errorOf(blobs.get(blobId)));
    expectNoSecret(await errorOf(storeOn({ token: SECRET, timeouts }).put(BYTES)));
  });

  test("of a server that cannot be reached", async () => {
    const publisher = `http://user:${SECRET}@127.0.0.1:1`;
    expectNoSecret(await errorOf(storeOn({ publisher }).put(BYTES)));
  });

  test("when the server quotes them in its answer", async () => {
    const echo = { error: { status: SECRET, code: 400, message: SECRET, details: [{ reason: SECRET }] } };
    const server = createServer((_, response) => response.writeHead(400, SECRET).end(JSON.stringify(echo)));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close().closeAllConnections());
    const publisher = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expectNoSecret(await errorOf(storeOn({ publisher }).put(BYTES)));
  });

  test.each([
    ["a publisher that is no URL", { publisher: SECRET }],
    ["a URL with another protocol", { aggregators: [`ftp://user:${SECRET}@host`] }],
    ["a URL with a query", { aggregators: [`https://host/?key=${SECRET}`] }],
    ["credentials that are not percent-encoded", { publisher: `https://user:${SECRET}%zz@host` }],
    ["a token that is not a valid header", { token: `${SECRET}\n` }],
    ["a token and credentials in the URL", { token: SECRET, publisher: `https://user:${SECRET}@host` }],
    ["no aggregator", { aggregators: [] }],
  ])("of a configuration with %s", (_, options) => {
    try {
      storeOn(options);
      expect.unreachable();
    } catch (error) {
      expectNoSecret(error);
      expect((error as PortcullisError).code).toBe("configuration");
    }
  });
});
