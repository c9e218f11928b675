import { expect, onTestFinished, test } from "vitest";
import { sweepIdempotencyKeysRegularly } from "#background/jobs.ts";
import { OPEN } from "#core/identity/principal.ts";
import { createLog } from "#log.ts";
import { createIdempotency, KEPT_MS } from "#service/idempotency/idempotency.ts";
import { testTenant } from "#test/support/tenant.ts";
import { waitFor } from "#test/support/wait-for.ts";

test("old idempotency keys are forgotten in the background, also after a sweep that failed", async () => {
  let time = 0;
  const tenant = testTenant({ now: () => new Date(time) });
  const request = { identity: "i", route: "r", key: "k", makes: "answer", content: {} } as const;
  await createIdempotency(tenant).once(request, { principal: OPEN }, async () => undefined);
  time = KEPT_MS + 1;
  const swept: number[] = [];
  let fails = 1;
  const sweep = async (before: number, limit: number) => {
    if (fails-- > 0) throw new Error("down");
    const count = await tenant.records.idempotency.sweep(before, limit);
    swept.push(count);
    return count;
  };
  const lines: string[] = [];
  const log = createLog({ level: "debug", destination: { write: (line) => void lines.push(line) } });
  const records = { ...tenant.records, idempotency: { ...tenant.records.idempotency, sweep } };
  const sweeping = sweepIdempotencyKeysRegularly({ ...tenant, records }, log, 1);
  onTestFinished(() => sweeping.stop());
  await waitFor(() => expect(swept[0]).toBe(1));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("old idempotency keys could not be forgotten");
});
