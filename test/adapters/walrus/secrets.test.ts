// Credentials are in no error, however deep one looks.
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { PortcullisError } from "#core/errors.ts";
import { BYTES, standInsForTests, storeOn, walrus } from "./fixture.ts";

standInsForTests();

describe("secrets", () => {
  const SECRET = "s3cr3t";
  const ENCODED = Buffer.from(`user:${SECRET}`).toString("base64");

  function expectDiscreet(error: unknown): void {
    expect(error).toBeInstanceOf(PortcullisError);
    const all = inspect(error, { depth: 20, showHidden: true });
    expect(all).not.toContain(SECRET);
    expect(all).not.toContain(ENCODED);
  }

  it.each([
    "hang",
    "reset",
    "truncate",
    "endless",
    "too-many-requests",
    "unavailable",
    "error-in-200",
    "redirect",
  ] as const)("are in no error: %s", async (fault) => {
    const { blobId } = await storeOn().put(BYTES);
    const withSecrets = (url: string) => url.replace("http://", `http://user:${SECRET}@`);
    const blobs = storeOn({
      publisher: withSecrets(walrus.publisherUrl),
      aggregators: [withSecrets(walrus.aggregatorUrl)],
    });
    walrus.knobs.put.fault = fault;
    walrus.knobs.get.fault = fault;
    expectDiscreet(await blobs.put(BYTES).catch((error) => error));
    if (fault !== "error-in-200") expectDiscreet(await blobs.get(blobId).catch((error) => error));
    expectDiscreet(
      await storeOn({ token: SECRET })
        .put(BYTES)
        .catch((error) => error),
    );
  });

  it("are in no error when nobody is there, or when fetch or the peer quotes them", async () => {
    const publisher = `http://user:${SECRET}@127.0.0.1:1`;
    expectDiscreet(
      await storeOn({ publisher })
        .put(BYTES)
        .catch((error) => error),
    );
    const quoting = async () => Promise.reject(new TypeError(`bad ${SECRET}`, { cause: new Error(SECRET) }));
    expectDiscreet(
      await storeOn({ fetch: quoting })
        .put(BYTES)
        .catch((error) => error),
    );
    const echo = { error: { status: SECRET, code: 400, message: SECRET, details: [{ reason: SECRET }] } };
    const echoing = async () => Response.json(echo, { status: 400, statusText: SECRET });
    expectDiscreet(
      await storeOn({ fetch: echoing })
        .put(BYTES)
        .catch((error) => error),
    );
  });

  it.each([
    ["a URL that is none", { publisher: SECRET }],
    ["another protocol", { aggregators: [`ftp://user:${SECRET}@host`] }],
    ["a query", { aggregators: [`https://host/?key=${SECRET}`] }],
    ["credentials that are not encoded", { publisher: `https://user:${SECRET}%zz@host` }],
    ["a token that is no header", { token: `${SECRET}\n` }],
    ["a token and credentials", { token: SECRET, publisher: `https://user:${SECRET}@host` }],
    ["no aggregator", { aggregators: [] }],
  ])("are not in what is said of %s", (_, options) => {
    try {
      storeOn(options);
      expect.unreachable();
    } catch (error) {
      expectDiscreet(error);
      expect((error as PortcullisError).code).toBe("configuration");
    }
  });
});
