// The chain's clock, and the delay of answers until finality.
import { Ed25519Keypair } from "@mysten/sui/keypairs/ed25519";
import { SUI_CLOCK_OBJECT_ID } from "@mysten/sui/utils";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { Gate } from "#adapters/ledger/gate-module.ts";
import { createLocalSui, type LocalSui } from "#adapters/ledger/local/local-sui.ts";
import { withFinality } from "#test/support/finality.ts";
import { memoryLog } from "#test/support/memory-log.ts";
import { anchorReceipt, setAccess, signedCalls, type TestCall } from "./fixture.ts";

const signer = Ed25519Keypair.fromSecretKey(new Uint8Array(32).fill(1));
const owner = signer.toSuiAddress();

let sui: LocalSui;
let log: ReturnType<typeof memoryLog>;
let time: number;

beforeEach(async () => {
  time = 1_700_000_000_000;
  log = memoryLog();
  sui = await createLocalSui({ log, owner, clock: () => time });
});

const run = async (...calls: TestCall[]) => sui.executeTransaction(await signedCalls(sui, sui, signer, calls));

const gateNow = async () => {
  const { object } = await sui.getObject({ objectId: sui.gateId, include: { content: true } });
  return Gate.parse(object.content);
};

describe("time", () => {
  test("on the ledger does not run backwards", async () => {
    await run(anchorReceipt({ digest: new Uint8Array(32).fill(1) }));
    time -= 60_000;
    const { Transaction: done } = await run(anchorReceipt({ digest: new Uint8Array(32).fill(2) }));
    expect((await sui.getTransaction({ digest: done?.digest ?? "" })).Transaction?.timestampMs).toBe(1_700_000_000_000);
  });

  test("is that of the clock object, which has a new version after every transaction", async () => {
    await run(anchorReceipt());
    const { object } = await sui.getObject({ objectId: "0x6", include: { json: true } });
    expect(object).toMatchObject({ version: "2", json: { id: SUI_CLOCK_OBJECT_ID, timestamp_ms: String(time) } });
  });
});

describe("finality", () => {
  const until = async (isTrue: () => boolean) => {
    while (!isTrue()) await new Promise(setImmediate);
  };

  test("delays the answer and nothing else, and a second caller waits until the same moment", async () => {
    sui = withFinality(await createLocalSui({ log, owner }), 150);
    const signed = await signedCalls(sui, sui, signer, [setAccess("a", "b")]);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    let answers = 0;
    const execute = () => sui.executeTransaction(signed).then(() => ++answers);

    const first = execute();
    await until(() => vi.getTimerCount() === 1);
    expect(log.entries).toHaveLength(1);
    expect(await gateNow()).toMatchObject({ access: { size: "1" } });
    await vi.advanceTimersByTimeAsync(100);
    const second = execute();
    await until(() => vi.getTimerCount() === 2);
    await vi.advanceTimersByTimeAsync(49);
    expect(answers).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    await Promise.all([first, second]);
    expect(answers).toBe(2);
  });

  test("does not keep a caller whose signal aborts, before or after the transaction has executed", async () => {
    const before = { ...(await signedCalls(sui, sui, signer, [setAccess("a", "b")])), signal: AbortSignal.abort() };
    await expect(sui.executeTransaction(before)).rejects.toMatchObject({ code: "CANCELLED" });
    expect(log.entries).toEqual([]);

    sui = withFinality(await createLocalSui({ log, owner }), 60_000);
    const controller = new AbortController();
    const after = { ...(await signedCalls(sui, sui, signer, [setAccess("a", "b")])), signal: controller.signal };
    const answer = sui.executeTransaction(after);
    await until(() => log.entries.length === 1);
    controller.abort(new DOMException("too late", "TimeoutError"));
    await expect(answer).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
  });
});
