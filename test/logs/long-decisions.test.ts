import { expect, test } from "vitest";
import { listDecisions } from "#service/decisions/list-decisions.ts";
import { testTenant } from "#test/support/tenant.ts";

const ROWS = 400;
const NAMES = Array.from({ length: 1_000 }, (_, i) => `${i}`.padStart(64, "n"));

test("a page of decisions with long lists reads no more lists than it has room for", async () => {
  const tenant = testTenant();
  for (let i = 0; i < ROWS; i++)
    await tenant.records.decisions.add({
      at: new Date(i).toISOString(),
      principalId: "key:admin",
      principalName: "ada",
      role: "admin",
      route: "recall",
      policyVersion: 1,
      allowed: { digest: `allowed ${i}`, names: ["one"] },
      blocked: { digest: `blocked ${i}`, names: ["another"] },
      outcome: "answered",
    });
  let reads = 0;
  const listedNames = async () => {
    reads += 1;
    return NAMES;
  };
  const records = { ...tenant.records, receipts: { ...tenant.records.receipts, listedNames } };
  const list = (cursor?: string) =>
    listDecisions(
      { ...tenant, records },
      { principal: { role: "admin", id: "key:admin", name: "ada" } },
      { limit: 1_000, cursor },
    );

  const sequences: (number | undefined)[] = [];
  let cursor: string | undefined;
  do {
    reads = 0;
    const { decisions, next } = await list(cursor);
    sequences.push(...decisions.map(({ sequence }) => sequence));
    expect(Buffer.byteLength(JSON.stringify(decisions))).toBeLessThan(1_100_000);
    // Two lists a row, and those of the rows that do not fit any more.
    expect(reads).toBeLessThanOrEqual(2 * decisions.length + 4);
    cursor = next;
  } while (cursor !== undefined);
  expect(sequences).toEqual(Array.from({ length: ROWS }, (_, i) => ROWS - i));
});
