// An agent publishes only what it may use at that moment: a revoke that was acknowledged before holds.
import { describe, expect, test } from "vitest";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { OPEN, type Principal } from "#core/identity/principal.ts";
import type { PolicyRecords } from "#ports.ts";
import { anchor, anchorOnChain } from "#service/anchoring/anchor.ts";
import { chat } from "#service/answers/chat.ts";
import { capture } from "#service/memories/capture.ts";
import type { Tenant } from "#service/tenant.ts";
import { asked } from "#test/support/asked.ts";
import { type Service, serviceForTest } from "#test/support/service.ts";
import { testTenant } from "#test/support/tenant.ts";

const AGENT: Principal = { role: "agent", agentId: "assistant", captures: [], id: "key_1", name: "assistant" };

async function answeredForTest() {
  const service = await serviceForTest();
  const { receipt } = await service.client.chat({ agentId: "assistant", query: "When is the flight to Lisbon?" });
  const [{ namespace } = expect.fail("the answer uses a memory")] = receipt.usedMemories;
  return { ...service, answerId: receipt.answerId, namespace };
}

/** The same service, whose policy takes the namespace away just before the fence is asked for the `place`th time. */
function revokingBefore(place: number, { tenant, client }: Service, namespace: string): Tenant {
  let asked = 0;
  const passFence: PolicyRecords["passFence"] = async (readSet, action) => {
    asked += 1;
    if (asked === place) await client.setAccess({ agentId: "assistant", namespace, allowed: false });
    return tenant.records.policy.passFence(readSet, action);
  };
  return { ...tenant, records: { ...tenant.records, policy: { ...tenant.records.policy, passFence } } };
}

const published = async ({ records }: Tenant) => ({
  blobs: (await records.anchors.page({ limit: 10 })).length,
  onLedger: (await records.anchors.counts()).onLedger + (await records.chainAnchors.pending()).length,
});

describe("a revoke that is acknowledged between the check and the step that publishes", () => {
  test.for([
    ["the blob leaves", 1, { blobs: 0, onLedger: 0 }],
    ["the anchor is recorded", 2, { blobs: 0, onLedger: 0 }],
    ["the ledger is asked", 3, { blobs: 1, onLedger: 0 }],
  ] as const)("keeps it from being anchored on the ledger, also just before %s", async ([, place, expected]) => {
    const service = await answeredForTest();
    const { tenant, answerId, namespace } = service;
    const refused = anchorOnChain(revokingBefore(place, service, namespace), { answerId }, { principal: AGENT });
    await expect(refused).rejects.toMatchObject({ code: "forbidden" });
    expect(await published(tenant)).toEqual(expected);
  });

  test.for([1, 2])("keeps it from being anchored as a blob, at place %d", async (place) => {
    const service = await answeredForTest();
    const { tenant, answerId, namespace } = service;
    const refused = anchor(revokingBefore(place, service, namespace), { answerId }, { principal: AGENT });
    await expect(refused).rejects.toMatchObject({ code: "forbidden" });
    expect(await published(tenant)).toEqual({ blobs: 0, onLedger: 0 });
  });
});

test("what expires between the check and the step that publishes is not anchored", async () => {
  let now = Date.parse("2026-01-01T00:00:00Z");
  const clock = () => new Date(now);
  const tenant = testTenant({ now: clock, records: sqliteRecords({ path: ":memory:", now: clock }) });
  const { policy } = tenant.records;
  await policy.set({ agentId: "assistant", namespace: "trips", allowed: true }, { by: "test", at: "" });
  const fact = { namespace: "trips", content: "The flight to Lisbon is on Friday.", sourceAgent: "s" };
  await capture(tenant, { ...fact, ttl: 60 });
  const { receipt } = await asked((caller) =>
    chat(tenant, { agentId: "assistant", query: "When is the flight?" }, caller),
  );
  expect(receipt.usedMemories).toHaveLength(1);
  const passFence: PolicyRecords["passFence"] = (readSet, action) => {
    now += 61_000;
    return policy.passFence(readSet, action);
  };
  const late = { ...tenant, records: { ...tenant.records, policy: { ...policy, passFence } } };
  const refused = anchor(late, { answerId: receipt.answerId }, { principal: OPEN });
  await expect(refused).rejects.toMatchObject({ code: "memory-forgotten" });
  expect(await tenant.records.anchors.page({ limit: 10 })).toEqual([]);
});

test("an agent anchors what it may use, and an admin also what was revoked", async () => {
  const { tenant, client, answerId, namespace } = await answeredForTest();
  await anchorOnChain(tenant, { answerId }, { principal: AGENT });
  expect(await published(tenant)).toEqual({ blobs: 1, onLedger: 1 });
  await client.setAccess({ agentId: "assistant", namespace, allowed: false });
  await expect(anchor(tenant, { answerId }, { principal: AGENT })).rejects.toMatchObject({ code: "forbidden" });
  expect(await client.anchorReceipt({ answerId })).toMatchObject({ verified: true });
});
