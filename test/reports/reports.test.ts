// Every figure of the reports, against a history that is made by hand, on both databases.
import { expect, test } from "vitest";
import type { Outcome } from "#core/activity-kind.ts";
import type { Decision } from "#ports.ts";
import { newId } from "#service/ids.ts";
import { preventedByWeek } from "#service/reports/reports.ts";
import { anchorOf, OUTCOME, receipt } from "#test/suites/records/samples.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { type Service, serviceForTest } from "#test/support/service.ts";

const FROM = "2026-03-02T00:00:00.000Z";
const TO = "2026-03-16T00:00:00.000Z";
const [MONDAY, NEXT_MONDAY] = ["2026-03-02", "2026-03-09"];

const listOf = (...names: string[]) => ({ digest: `digest of ${names.join()}`, names });

function decision(at: string, agentId: string | undefined, outcome: Outcome, blocked: string[] = []): Decision {
  const who = { principalId: "k", principalName: "k", role: "agent", route: "chat", policyVersion: 1 } as const;
  return { at, ...who, agentId, outcome, allowed: listOf("diet"), blocked: listOf(...blocked) };
}

/** Two weeks: the first Monday at midnight is in the range, the last one is not. */
const LOG = [
  decision("2026-03-01T23:59:59.999Z", "assistant", "answered", ["health"]),
  decision(FROM, "assistant", "answered", ["health", "finance"]),
  decision("2026-03-08T23:59:59.999Z", "assistant", "answered"),
  decision("2026-03-09T00:00:00.000Z", "assistant", "answered", ["health"]),
  decision("2026-03-10T12:00:00.000Z", "planner", "answered", ["health"]),
  decision("2026-03-10T12:00:00.000Z", "planner", "answered", ["health"]),
  decision("2026-03-10T13:00:00.000Z", "planner", "broken-off", ["health"]),
  decision("2026-03-10T14:00:00.000Z", "planner", "refused"),
  decision("2026-03-10T15:00:00.000Z", undefined, "refused"),
  decision("2026-03-10T16:00:00.000Z", "planner", "given", ["health"]),
  decision(TO, "planner", "answered", ["health"]),
];

/** Three answers in the range, one of them on the ledger and one anchored as a blob only; and one before it. */
async function addReceipts({ tenant: { records } }: Service): Promise<void> {
  const times = ["2026-03-01T10:00:00.000Z", FROM, "2026-03-05T10:00:00.000Z", "2026-03-15T23:00:00.000Z"];
  for (const [i, createdAt] of times.entries()) {
    const answerId = newId("ans", Date.parse(createdAt));
    const issued = receipt(i, { answerId, createdAt, agentId: "assistant", usedNamespaces: i === 1 ? ["diet"] : [] });
    await records.receipts.add(issued);
    if (i === 3) continue;
    const anchor = anchorOf(issued);
    await records.anchors.add(anchor);
    if (i === 2) continue;
    const { blobId, digest } = anchor;
    const wanted = { agentId: "assistant", blobId, digest, claimed: ["diet"], policyVersion: 1 };
    const { id } = await records.chainAnchors.request(wanted, createdAt);
    await records.chainAnchors.complete({ id, ...OUTCOME, receiptId: `0x${i}` });
  }
}

test.for(["sqlite", "postgres"] as const)("the figures are those of a handmade history (%s)", async (kind) => {
  const database = kind === "postgres" ? (await databaseForTest()).url : ":memory:";
  const service = await serviceForTest({ database, environment: { SEED: "none" } });
  const { client, tenant } = service;
  const { records } = tenant;
  for (const row of LOG) await records.decisions.add(row);
  await addReceipts(service);
  for (const [day, tookMs] of [20, 10, 30, 40, 1_000].entries())
    await records.reports.addRevoke({ at: `2026-03-0${day + 2}T01:00:00.000Z`, tookMs });
  await records.reports.addRevoke({ at: TO, tookMs: 60_000 });
  for (const [agentId, namespace, allowed] of [
    ["assistant", "diet", true],
    ["assistant", "health", true],
    ["assistant", "travel", false],
    ["planner", "diet", true],
  ] as const)
    await records.policy.set({ agentId, namespace, allowed }, { by: "test", at: FROM });

  const report = await client.getReports({ from: FROM, to: TO });
  expect(report).toEqual({
    from: FROM,
    to: TO,
    prevented: {
      answers: 5,
      refused: 1,
      leftOut: 0,
      weeks: [
        { week: NEXT_MONDAY, agentId: "assistant", answers: 1, refused: 0 },
        { week: NEXT_MONDAY, agentId: "planner", answers: 2, refused: 1 },
        { week: MONDAY, agentId: "assistant", answers: 2, refused: 0 },
      ],
    },
    ledger: { answers: 3, onLedger: 1, isComplete: true },
    revokes: { count: 5, medianMs: 30, p95Ms: 1_000, maxMs: 1_000, isComplete: true },
    gates: {
      open: 3,
      neverUsed: 2,
      gates: [
        { agentId: "assistant", namespace: "health" },
        { agentId: "planner", namespace: "diet" },
      ],
      isComplete: true,
    },
  });

  // In steps of one row the counts are the same, and a log that is too long says from when on it was counted.
  const range = { from: FROM, to: TO };
  expect(await preventedByWeek(tenant, range, undefined, { step: 1 })).toEqual(report.prevented);
  const cut = await preventedByWeek(tenant, range, undefined, { step: 2, budget: 4 });
  expect(cut).toMatchObject({ since: "2026-03-10T13:00:00.000Z", answers: 0, refused: 1 });
});

test("a revoke is measured, an answer uses its gates, and a range without anything is empty", async () => {
  const { client } = await serviceForTest();
  const before = await client.getReports();
  expect(before.gates.neverUsed).toBe(before.gates.open);
  const { receipt: given } = await client.chat({ agentId: "assistant", query: "What is for dinner?" });
  const used = new Set(given.usedMemories.map(({ namespace }) => namespace));
  const { gates } = await client.getReports();
  expect(gates.neverUsed).toBe(before.gates.neverUsed - used.size);
  for (const { agentId, namespace } of gates.gates) expect(agentId === "assistant" && used.has(namespace)).toBe(false);

  await client.setAccess({ agentId: "assistant", namespace: "health", allowed: false });
  await client.setAccess({ agentId: "assistant", namespace: "health", allowed: true });
  await expect.poll(async () => (await client.getReports()).revokes.count).toBe(1);
  const empty = await client.getReports({ from: "2020-01-01T00:30:00.000Z", to: "2020-01-02T00:30:00.000Z" });
  expect(empty).toMatchObject({
    from: "2020-01-01T00:00:00.000Z",
    to: "2020-01-02T01:00:00.000Z",
    prevented: { answers: 0, weeks: [] },
    ledger: { answers: 0, onLedger: 0 },
    revokes: { count: 0 },
  });
  expect(empty.revokes).not.toHaveProperty("medianMs");
  const year = { from: "2020-01-01T00:00:00.000Z", to: "2022-01-01T00:00:00.000Z" };
  await expect(client.getReports(year)).rejects.toMatchObject({ status: 400 });
  await expect(client.getReports({ from: year.to, to: year.from })).rejects.toMatchObject({ status: 400 });
});
