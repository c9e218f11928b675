import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { recoverRegularly } from "#background/recover-anchors.ts";
import type { Ledger } from "#ports.ts";
import { testDeps } from "#test/support/deps.ts";

const REQUEST = { agentId: "a", blobId: "b", digest: "d", claimed: [], issued: true };
const ENDED = { receiptId: "0x1", txDigest: "t", allAuthorized: true, ledgerVersion: "1", anchoredAt: "" };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A service whose ledger only counts how often it was told to finish what is left. */
function prepared() {
  const recover = vi.fn(async () => 1);
  const deps = testDeps({ ledger: { recover } as Partial<Ledger> as Ledger });
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const ask = (digest: string) => deps.records.chainAnchors.request({ ...REQUEST, digest }, "");
  // A database in memory has answered when this turn of the event loop is over.
  const answered = () => new Promise((resolve) => setImmediate(resolve));
  const next = async () => {
    await answered();
    vi.advanceTimersByTime(30_000);
    await answered();
  };
  return { recover, deps, log, ask, next };
}

it("finishes at the start what an earlier process has left", async () => {
  const { recover, deps, log, ask } = prepared();
  await ask("d");
  recoverRegularly(deps, log).stop();
  await vi.waitFor(() => expect(log.info).toHaveBeenCalledOnce());
  expect(recover).toHaveBeenCalledOnce();
});

it("finishes later what stays unfinished from one look to the next, and leaves alone what is under way", async () => {
  const { recover, deps, log, ask, next } = prepared();
  const recovering = recoverRegularly(deps, log);
  await next();
  const quick = await ask("quick");
  await next();
  await deps.records.chainAnchors.complete({ id: quick.id, ...ENDED });
  await ask("left by a replica that died");
  await next();
  expect(recover).not.toHaveBeenCalled();
  await next();
  expect(recover).toHaveBeenCalledOnce();
  expect(log.info).toHaveBeenCalledOnce();

  recovering.stop();
  vi.advanceTimersByTime(300_000);
  expect(recover).toHaveBeenCalledOnce();
});

it("says that the records do not answer, and looks again", async () => {
  const { recover, deps, log, ask, next } = prepared();
  await ask("d");
  vi.spyOn(deps.records.chainAnchors, "openTransactions").mockRejectedValueOnce(new Error("down"));
  const recovering = recoverRegularly(deps, log);
  await next();
  expect(log.warn).toHaveBeenCalledOnce();
  expect(recover).toHaveBeenCalledOnce();
  recovering.stop();
});
