// An agent publishes only what it may use at that moment: a revoke that was acknowledged before holds.
import { describe, expect, test } from "vitest";
import type { Principal } from "#core/identity/principal.ts";
import type { PolicyRecords } from "#ports.ts";
import { anchor } from "#service/anchoring/anchor-as-blob.ts";
import { anchorOnChain } from "#service/anchoring/anchor-on-chain.ts";
import type { Deps } from "#service/deps.ts";
import { type Service, serviceForTest } from "#test/support/service.ts";

const AGENT: Principal = { role: "agent", agentId: "assistant", captures: [], id: "key_1", name: "assistant" };

async function answeredForTest() {
  const service = await serviceForTest();
  const { receipt } = await service.client.chat({ agentId: "assistant", query: "When is the flight to Lisbon?" });
  const [{ namespace } = expect.fail("the answer uses a memory")] = receipt.usedMemories;
  return { ...service, answerId: receipt.answerId, namespace };
}

/** The same service, whose policy takes the namespace away just before the fence is asked for the `place`th time. */
function revokingBefore(place: number, { deps, client }: Service, namespace: string): Deps {
  let asked = 0;
  const passFence: PolicyRecords["passFence"] = async (readSet, action) => {
    asked += 1;
    if (asked === place) await client.setAccess({ agentId: "assistant", namespace, allowed: false });
    return deps.records.policy.passFence(readSet, action);
  };
  return { ...deps, records: { ...deps.records, policy: { ...deps.records.policy, passFence } } };
}

const published = async ({ records }: Deps) => ({
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
    const { deps, answerId, namespace } = service;
    const refused = anchorOnChain(revokingBefore(place, service, namespace), { answerId }, AGENT);
    await expect(refused).rejects.toMatchObject({ code: "forbidden" });
    expect(await published(deps)).toEqual(expected);
  });

  test.for([1, 2])("keeps it from being anchored as a blob, at place %d", async (place) => {
    const service = await answeredForTest();
    const { deps, answerId, namespace } = service;
    const refused = anchor(revokingBefore(place, service, namespace), { answerId }, AGENT);
    await expect(refused).rejects.toMatchObject({ code: "forbidden" });
    expect(await published(deps)).toEqual({ blobs: 0, onLedger: 0 });
  });
});

test("an agent anchors what it may use, and an admin also what was revoked", async () => {
  const { deps, client, answerId, namespace } = await answeredForTest();
  await anchorOnChain(deps, { answerId }, AGENT);
  expect(await published(deps)).toEqual({ blobs: 1, onLedger: 1 });
  await client.setAccess({ agentId: "assistant", namespace, allowed: false });
  await expect(anchor(deps, { answerId }, AGENT)).rejects.toMatchObject({ code: "forbidden" });
  expect(await client.anchorReceipt({ answerId })).toMatchObject({ verified: true });
});
