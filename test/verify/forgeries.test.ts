// Forgeries as data: at least 200 lies of a store, a stranger, the operator and a ledger. The service's verifier and the
// page's accept none of them, and name the check that noticed it.
import { describe, expect, test } from "vitest";
import { CHECK_CODES } from "#core/verify/check.ts";
import { createVerifier } from "#service/anchoring/verifier.ts";
import { fetchersOf } from "#test/support/browser-fetchers.ts";
import { verifierPartsOf } from "#test/support/verifier-parts.ts";
import { verifyInBrowser } from "#web/pages/verify/verify-in-browser.ts";
import { allForgeries as forgeries } from "./forgeries/all.ts";
import { datedTombstones } from "./forgeries/dated-tombstones.ts";
import { forgedLogs } from "./forgeries/logs.ts";
import { forgedOpenings } from "./forgeries/openings.ts";

test("there are at least 200 forgeries, each with a name of its own", () => {
  expect(forgeries.length).toBeGreaterThanOrEqual(200);
  expect(new Set(forgeries.map(({ name }) => name)).size).toBe(forgeries.length);
});

describe("neither the service nor the page accepts it", () => {
  test.for(forgeries)("$name: $code", async ({ seen, code, status = "fail" }) => {
    const verdict = status === "fail" ? "failed" : "unknown";
    const service = await createVerifier(verifierPartsOf(seen).parts).verify(seen.receiptId);
    expect(service.checks.filter((check) => check.code === code).map((check) => check.status)).toContain(status);
    expect(service.verdict).toBe(verdict);
    for (const { sentence } of service.checks) expect(sentence).not.toMatch(/\{\w+\}|\bundefined\b|^$/);

    const { signal } = new AbortController();
    const page = await verifyInBrowser(seen.receiptId, fetchersOf(seen), { signal });
    expect(page.progress.checks).toEqual(service.checks);
    expect(page.progress.verdict).toBe(verdict);
  });
});

test("every code of a check is noticed in some forgery, except those of checks that only some verifications have", () => {
  const noticed = new Set(
    [...forgeries, ...forgedOpenings, ...forgedLogs, ...datedTombstones].map(({ code }): string => code),
  );
  const { id, trust, ...always } = CHECK_CODES;
  const codes = Object.values(always)
    .flatMap(Object.keys)
    .filter((code) => !code.startsWith("needs-"));
  expect(codes.filter((code) => !noticed.has(code))).toEqual(NOT_FORGED);
});

/** Their own tests cover them: nobody needs a forgery to have them. */
const NOT_FORGED = ["not-anchored", "policy-unstated", "time-unclear", "signature-malformed", "key-ended-unanchored"];
