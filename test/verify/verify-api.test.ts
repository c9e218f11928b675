// Verification over HTTP: the API for programs, the page for people.
import { expect, test } from "vitest";
import type { Body } from "#contract/routes.ts";
import type { Ledger } from "#ports.ts";
import { anchored, RECEIPT_ID } from "#test/support/anchored-receipt.ts";
import { expectProblem } from "#test/support/bodies.ts";
import { sealedCase } from "#test/support/sealed-case.ts";
import { send } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";
import { verifierPartsOf } from "#test/support/verifier-parts.ts";

const good = anchored();
const { parts } = verifierPartsOf(good);
const overrides = {
  ledger: { close: async () => undefined, ...parts.ledger } as Ledger,
  blobs: { putConcurrency: 1, put: async () => ({ blobId: "" }), get: parts.blobs.get },
};

test("the API, the client and the page give the same result", async () => {
  const { url, client } = await serviceForTest({ overrides });
  const verification = await client.verify({ receiptId: RECEIPT_ID });
  expect(verification).toMatchObject({ verdict: "verified", receiptId: RECEIPT_ID, chain: good.object.receipt });
  const page = await send(`${url}/verify/${RECEIPT_ID}`, { headers: { accept: "text/html" } });
  expect(page.status).toBe(200);
  expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(page.headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(page.text).toContain("<h1>Verified</h1>");
  const json = await send(`${url}/verify/${RECEIPT_ID}`, { headers: { accept: "application/json" } });
  expect(JSON.parse(json.text)).toEqual(verification);
});

test("a program may send an opening, and gets the verdict of the opened receipt", async () => {
  const { seen, whole } = sealedCase();
  const { parts } = verifierPartsOf(seen);
  const ledger = { ...overrides.ledger, ...parts.ledger } as Ledger;
  const { client } = await serviceForTest({
    overrides: { ledger, blobs: { ...overrides.blobs, get: parts.blobs.get } },
  });
  const { receiptId } = seen;
  const opening = whole as Body<"verifyWithOpening">["opening"];
  expect((await client.verify({ receiptId })).verdict).toBe("unknown");
  const opened = await client.verifyWithOpening({ receiptId }, { opening });
  expect([opened.verdict, opened.sealed?.disclosed]).toEqual(["verified", whole.values]);
  const forged = await client.verifyWithOpening({ receiptId }, { opening: { ...opening, seed: "ab".repeat(32) } });
  expect([forged.verdict, forged.sealed?.disclosed]).toEqual(["failed", {}]);
});

test("a malformed id is answered with a problem for programs and a page for people, both with 400", async () => {
  const { url } = await serviceForTest({ overrides });
  expectProblem(await send(`${url}/api/verify/0xzz`), 400, "invalid-request");
  expectProblem(await send(`${url}/verify/0xzz`, { headers: { accept: "application/json" } }), 400, "invalid-request");
  const page = await send(`${url}/verify/%3Cscript%3E`, { headers: { accept: "text/html" } });
  expect(page.status).toBe(400);
  expect(page.text).toContain("<h1>Not a receipt id</h1>");
});

test("a missing object is answered with a verdict for programs and a page with 404 for people", async () => {
  const { url, client } = await serviceForTest({ overrides });
  expect(await client.verify({ receiptId: "0x1" })).toMatchObject({ verdict: "failed", receipt: null, chain: null });
  const page = await send(`${url}/verify/0x1`, { headers: { accept: "text/html" } });
  expect(page.status).toBe(404);
  expect(page.text).toContain("<h1>Failed: no such receipt</h1>");
});
