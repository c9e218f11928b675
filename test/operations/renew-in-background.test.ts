import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { renewRegularly } from "#background/jobs.ts";
import { capture } from "#service/memories/capture.ts";
import { testTenant } from "#test/support/tenant.ts";
import { waitFor } from "#test/support/wait-for.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("renews at the configured interval until it is stopped, and never without an interval", async () => {
  const tenant = testTenant();
  await capture(tenant, { namespace: "n", content: "fact", sourceAgent: "s" });
  const put = vi.spyOn(tenant.blobs, "put");
  const info = vi.fn();
  const log = { info, warn: vi.fn(), error: vi.fn() };
  renewRegularly(tenant, log, undefined);
  vi.advanceTimersByTime(1_000 * 3_600_000);
  expect(put).not.toHaveBeenCalled();

  const renewing = renewRegularly(tenant, log, 24);
  vi.advanceTimersByTime(25 * 3_600_000);
  await waitFor(() => expect(info).toHaveBeenCalledWith({ renewed: 1, fresh: 0, failed: 0 }, "blobs renewed"));
  renewing.stop();
  vi.advanceTimersByTime(100 * 3_600_000);
  expect(put).toHaveBeenCalledTimes(1);
});
