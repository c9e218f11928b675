// The caller's abort, the deadline, and the pauses between tries.
import { afterEach, describe, expect, test, vi } from "vitest";
import { type OpenAiCompatibleOptions, openAiCompatibleModel } from "#adapters/model/openai-compatible/openai-model.ts";
import { fenceFrom, noFence } from "#test/support/models.ts";
import { type Fault, tooMany } from "#test/support/openai-stand-in/openai-stand-in.ts";
import { chunk, event } from "#test/support/openai-stand-in/response-bodies.ts";
import { waitFor } from "#test/support/wait-for.ts";
import { PROMPT, STREAMED, startModel, WHOLE } from "./fixture.ts";

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe.concurrent("an abort closes the connection, and nothing more is sent or passed on:", () => {
  const moments: Record<string, Fault> = {
    "before the response": { kind: "hang" },
    "in the middle of the answer": { kind: "hang-midway" },
    "in an answer without end": { kind: "endless" },
  };
  for (const [moment, always] of Object.entries(moments)) {
    // A whole answer without end is given up before anybody can abort.
    for (const isStreamed of always.kind === "endless" ? [true] : [false, true]) {
      test(`${moment}, ${isStreamed ? "streamed" : "whole"}`, async () => {
        await using subject = await startModel({ maxOutputCharacters: Number.POSITIVE_INFINITY });
        const { standIn, complete } = subject;
        standIn.knobs.always = always;
        const caller = new AbortController();
        const reason = new Error("gone");
        const pieces: string[] = [];
        const onText = (piece: string) => pieces.push(piece);
        const outcome = complete({ fence: noFence, signal: caller.signal, ...(isStreamed && { onText }) });
        await waitFor(() => expect(standIn.received.length).toBe(1));
        if (isStreamed && always.kind !== "hang") await waitFor(() => expect(pieces).not.toEqual([]));
        caller.abort(reason);
        const count = pieces.length;
        expect((await outcome).error).toBe(reason);
        await waitFor(() => expect(standIn.received[0]?.state).toBe("dropped"));
        expect(standIn.received.length).toBe(1);
        expect(pieces.length).toBe(count);
      });
    }
  }
});

test("an abort during a pause ends the call, and the retry is not made", async () => {
  const pause = Promise.withResolvers<void>();
  const sleep = vi.fn(() => pause.promise);
  await using subject = await startModel({ sleep });
  subject.standIn.knobs.always = tooMany("0");
  const caller = new AbortController();
  const reason = new Error("gone");
  const pass = vi.fn(noFence);
  const outcome = subject.complete({ fence: fenceFrom(pass), signal: caller.signal });
  await waitFor(() => expect(sleep).toHaveBeenCalledTimes(1));
  caller.abort(reason);
  expect((await outcome).error).toBe(reason);
  // Even if the pause ends in good order, the connection of the next try is closed before the fence.
  pause.resolve();
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  expect(pass).toHaveBeenCalledTimes(1);
  expect(subject.standIn.received.length).toBe(1);
});

test("after an abort the caller gets nothing more, even from a body that ignores the signal", async () => {
  const caller = new AbortController();
  const pieces: string[] = [];
  let reads = 0;
  let isClosed = false;
  async function* body() {
    try {
      for (;;) {
        reads++;
        // Two pieces in one chunk: the caller aborts between them.
        yield Buffer.from(event(chunk("m", { content: "talk " })).repeat(2));
        await nextTurn();
      }
    } finally {
      isClosed = true;
    }
  }
  const model = modelWith({ post: async () => ({ status: 200, headers: {}, body: body() }) });
  const onText = (piece: string) => {
    pieces.push(piece);
    if (pieces.length === 3) caller.abort(new Error("gone"));
  };
  await expect(model.complete(PROMPT, { fence: noFence, signal: caller.signal, onText })).rejects.toThrow("gone");
  await waitFor(() => expect(isClosed).toBe(true));
  expect(pieces.length).toBe(3);
  expect(reads).toBe(3);
});

describe("with a clock of the test", () => {
  afterEach(() => void vi.useRealTimers());

  const waitByClock = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

  test.for([
    ["whole", WHOLE],
    ["streamed", STREAMED],
  ] as const)("one deadline covers all tries and pauses, %s", async ([, options]) => {
    vi.useFakeTimers();
    const post = vi
      .fn()
      .mockResolvedValueOnce({ status: 503, headers: { "retry-after": "6" }, body: emptyBody() })
      .mockReturnValue(new Promise(() => undefined));
    const model = modelWith({ post, timeoutMs: 10_000, sleep: waitByClock, random: () => 0 });
    const onError = vi.fn();
    void model.complete(PROMPT, options).catch(onError);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(post).toHaveBeenCalledTimes(2);
    expect(onError).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: "model-timeout" }));
  });

  test("a pause that would end at the deadline or later is not begun", async () => {
    vi.useFakeTimers();
    const busy = { status: 429, headers: { "retry-after": "10" } };
    const post = vi.fn(async () => ({ ...busy, body: emptyBody() }));
    const model = modelWith({ post, timeoutMs: 10_000, sleep: waitByClock, random: () => 0 });
    await expect(model.complete(PROMPT, WHOLE)).rejects.toMatchObject({ code: "model-unavailable" });
    expect(post).toHaveBeenCalledTimes(1);
  });

  test("a fence that does not let go is not awaited past the deadline", async () => {
    vi.useFakeTimers();
    const model = modelWith({ post: (_, { fence }) => fence?.(() => undefined) as Promise<never>, timeoutMs: 10_000 });
    const onError = vi.fn();
    void model.complete(PROMPT, { fence: fenceFrom(() => new Promise(() => undefined)) }).catch(onError);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: "model-timeout" }));
  });
});

test("pauses as long as the endpoint asks for, in seconds or as a date", async () => {
  const pauses: number[] = [];
  await using subject = await startModel({
    sleep: async (ms) => pauses.push(ms),
    random: () => 0,
    now: () => Date.parse("2026-01-01T00:00:00Z"),
  });
  subject.standIn.knobs.next = [tooMany("2"), tooMany("Thu, 01 Jan 2026 00:00:05 GMT")];
  expect((await subject.complete(WHOLE)).error).toBeUndefined();
  expect(pauses).toEqual([2_000, 5_000]);
});

test("really waits during a pause", async () => {
  await using subject = await startModel();
  subject.standIn.knobs.next = [tooMany("1")];
  const start = performance.now();
  expect((await subject.complete(WHOLE)).error).toBeUndefined();
  // A timer may fire a little early by this clock.
  expect(performance.now() - start).toBeGreaterThan(990);
});

function modelWith(options: Partial<OpenAiCompatibleOptions>) {
  return openAiCompatibleModel({ baseUrl: "http://127.0.0.1:1/v1", model: "configured", ...options });
}

async function* emptyBody(): AsyncGenerator<Uint8Array> {}
