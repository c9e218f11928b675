// When somebody else changes the policy on the ledger, receipts name the version there that was last read.
import { expect, test } from "vitest";
import { OPEN } from "#core/identity/principal.ts";
import { chat } from "#service/answers/chat.ts";
import { capture } from "#service/memories/capture.ts";
import { setAccess } from "#service/policy/policy.ts";
import { asked } from "#test/support/asked.ts";
import { testTenant } from "#test/support/tenant.ts";

const NOW = Date.parse("2026-01-02T03:04:05.678Z");

test.for([
  ["a moment ago", 0, 7],
  ["a minute ago", 60_000, 7],
  ["longer ago", 60_001, undefined],
] as const)("a version that was read %s", async ([, age, expected]) => {
  const { ledger } = testTenant();
  const readAt = new Date(NOW - age).toISOString();
  const tenant = testTenant({
    now: () => new Date(NOW),
    ledger: { ...ledger, policyVersion: () => ({ version: 7, readAt }) },
  });
  await capture(tenant, { namespace: "x", content: "Tea at five.", sourceAgent: "s" });
  await setAccess(tenant, { agentId: "a", namespace: "x", allowed: true }, { principal: OPEN });
  const { receipt } = await asked((caller) => chat(tenant, { agentId: "a", query: "When is tea?" }, caller));
  expect(receipt.evidence.ledgerVersion).toBe(expected);
});
