// For everything that an endpoint can do: what comes of it, after how many requests, in what time, and that nobody
// learns the key or the prompt from it.
import { setTimeout as delay } from "node:timers/promises";
import { inspect } from "node:util";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { type OpenAiCompatibleOptions, openAiCompatibleModel } from "#adapters/model/openai-compatible/index.ts";
import type { CompleteOptions } from "#ports.ts";
import {
  type Fault,
  type OpenAiStandIn,
  startOpenAiStandIn,
  times,
  tooMany,
} from "#test/support/openai-stand-in/index.ts";

const KEY = "sk-canary-key";
const PROMPT = { system: "canary-system", user: "canary-user" };
const ANSWER = "This is what I know about that.";
const DEADLINE_MS = 1_500;

const broken = (status: number): Fault => ({ kind: "status", status });

interface Row {
  readonly faults: readonly Fault[];
  readonly always?: Fault;
  readonly latencyMs?: number;
  readonly tokenMs?: number;
  /** The answer, or the code and something of the message. One value for both modes, or whole and streamed. */
  readonly outcome: Outcome | readonly [whole: Outcome, streamed: Outcome];
  readonly requests: number | readonly [whole: number, streamed: number];
}

type Outcome = string;

const FAILED = "model-failed";
const UNAVAILABLE = "model-unavailable";
const TIMEOUT = "model-timeout";

const rows: Record<string, Row> = {
  "all is well": { faults: [], outcome: ANSWER, requests: 1 },
  "two 429, then well": { faults: times(2, tooMany("0")), outcome: ANSWER, requests: 3 },
  "429 for ever": { faults: [], always: tooMany("0"), outcome: UNAVAILABLE, requests: 3 },
  "429 past the deadline": { faults: [tooMany("3600")], outcome: UNAVAILABLE, requests: 1 },
  "429 until a date past the deadline": {
    faults: [tooMany("Fri, 31 Dec 2999 23:59:59 GMT")],
    outcome: UNAVAILABLE,
    requests: 1,
  },
  "two 500, then well": { faults: times(2, broken(500)), outcome: ANSWER, requests: 3 },
  "500 for ever": { faults: [], always: broken(500), outcome: FAILED, requests: 3 },
  "503 for ever": { faults: [], always: broken(503), outcome: UNAVAILABLE, requests: 3 },
  "400": { faults: [broken(400)], outcome: FAILED, requests: 1 },
  "401": { faults: [broken(401)], outcome: FAILED, requests: 1 },
  "404": { faults: [broken(404)], outcome: FAILED, requests: 1 },
  "a redirect": {
    faults: [{ kind: "status", status: 307, headers: { location: "/v1/elsewhere" } }],
    outcome: FAILED,
    requests: 1,
  },
  "a reset, then well": { faults: [{ kind: "reset" }], outcome: ANSWER, requests: 2 },
  "resets for ever": { faults: [], always: { kind: "reset" }, outcome: UNAVAILABLE, requests: 3 },
  // What was passed on cannot be taken back, so a stream is not tried again.
  "a reset midway": { faults: [{ kind: "reset-midway" }], outcome: [ANSWER, FAILED], requests: [2, 1] },
  "an end midway": { faults: [{ kind: "stop-midway" }], outcome: FAILED, requests: 1 },
  "an error midway": { faults: [{ kind: "error-event" }], outcome: FAILED, requests: 1 },
  "malformed JSON": { faults: [{ kind: "malformed-json" }], outcome: FAILED, requests: 1 },
  "no choices": { faults: [{ kind: "empty-choices" }], outcome: FAILED, requests: 1 },
  "an empty answer": { faults: [{ kind: "empty-answer" }], outcome: FAILED, requests: 1 },
  "a web page": { faults: [{ kind: "wrong-content-type" }], outcome: FAILED, requests: 1 },
  "a content filter": { faults: [{ kind: "content-filter" }], outcome: FAILED, requests: 1 },
  "a refusal": { faults: [{ kind: "refusal" }], outcome: FAILED, requests: 1 },
  "the limit of tokens": { faults: [{ kind: "length" }], outcome: `${ANSWER}…`, requests: 1 },
  silence: { faults: [{ kind: "hang" }], outcome: TIMEOUT, requests: 1 },
  "silence midway": { faults: [{ kind: "hang-midway" }], outcome: TIMEOUT, requests: 1 },
  "an answer that takes too long": { faults: [], latencyMs: 2_500, outcome: TIMEOUT, requests: 1 },
  "tokens that take too long": { faults: [], tokenMs: 400, outcome: [ANSWER, TIMEOUT], requests: 1 },
  "a failure, then silence": { faults: [broken(500), { kind: "hang" }], outcome: TIMEOUT, requests: 2 },
  "an answer without end": { faults: [{ kind: "endless" }], outcome: [FAILED, "…"], requests: 1 },
};

// The first calls compile the SDK. Deadlines are measured after that.
beforeAll(async () => {
  await using peer = await withModel({ timeoutMs: 30_000 });
  await peer.complete({});
  await peer.complete({ onText: () => undefined });
});

for (const isStreamed of [false, true]) {
  describe.concurrent(isStreamed ? "streamed" : "whole", () => {
    for (const [name, row] of Object.entries(rows)) {
      it(name, () => check(row, isStreamed));
    }
  });
}

async function check(row: Row, isStreamed: boolean): Promise<void> {
  await using peer = await withModel({ sleep: () => delay(1), random: () => 0 });
  const { standIn, complete } = peer;
  standIn.knobs.next = [...row.faults];
  standIn.knobs.always = row.always;
  standIn.knobs.latencyMs = row.latencyMs ?? 0;
  standIn.knobs.tokenMs = row.tokenMs ?? 0;
  const pieces: string[] = [];
  const start = performance.now();
  const outcome = await complete(isStreamed ? { onText: (piece) => pieces.push(piece) } : {});
  expect(performance.now() - start).toBeLessThan(DEADLINE_MS * 1.1 + 250);
  expectOutcome(outcome, either(row.outcome, isStreamed));
  if (isStreamed && outcome.text !== undefined) expect(pieces.join("")).toBe(outcome.text);
  expect(standIn.received.length).toBe(either(row.requests, isStreamed));
  await vi.waitFor(() => expect(standIn.received.map(({ state }) => state)).not.toContain("open"));
}

function expectOutcome(outcome: { text?: string; error?: unknown }, expected: Outcome): void {
  if (!expected.startsWith("model-")) {
    expect(outcome.error).toBeUndefined();
    expect(outcome.text?.endsWith(expected)).toBe(true);
    return;
  }
  expect(outcome.error).toMatchObject({ name: "PortcullisError", code: expected });
  // The endpoint sends back all that it was sent; none of it may come through.
  expect(inspect(outcome.error, { depth: null, showHidden: true, getters: true })).not.toMatch(/canary|Bearer|<!doc/);
}

describe.concurrent("somebody who leaves", () => {
  const cases: Record<string, Fault | undefined> = {
    "before the answer": { kind: "hang" },
    "in the middle of it": { kind: "hang-midway" },
    "while it never ends": { kind: "endless" },
    "during a pause": tooMany("0"),
  };
  for (const [when, always] of Object.entries(cases)) {
    // A whole answer without end is given up before anybody can leave.
    for (const isStreamed of always?.kind === "endless" ? [true] : [false, true]) {
      it(`${when}, ${isStreamed ? "streamed" : "whole"}: the connection is closed, and nothing more is asked`, async () => {
        await using peer = await withModel({
          sleep: (ms, signal) => delay(ms + 60_000, undefined, { signal }),
          timeoutMs: 20_000,
          maxOutputCharacters: Number.POSITIVE_INFINITY,
        });
        const { standIn, complete } = peer;
        standIn.knobs.always = always;
        const leaving = new AbortController();
        const reason = new Error("gone");
        const pieces: string[] = [];
        const pending = complete({
          signal: leaving.signal,
          ...(isStreamed && { onText: (piece) => pieces.push(piece) }),
        });
        await vi.waitFor(() => expect(standIn.received.length).toBe(1));
        await delay(50);
        const before = performance.now();
        leaving.abort(reason);
        expect((await pending).error).toBe(reason);
        expect(performance.now() - before).toBeLessThan(100);
        const told = pieces.length;
        await vi.waitFor(() => expect(standIn.received[0]?.state).not.toBe("open"));
        await delay(50);
        expect(standIn.received.length).toBe(1);
        expect(pieces.length).toBe(told);
      });
    }
  }
});

describe("the pauses between tries", () => {
  it("are as long as the endpoint asks for", async () => {
    const slept: number[] = [];
    await using peer = await withModel({
      timeoutMs: 60_000,
      sleep: async (ms) => slept.push(ms),
      random: () => 0,
      now: () => Date.parse("2026-01-01T00:00:00Z"),
    });
    peer.standIn.knobs.next = [tooMany("2"), tooMany("Thu, 01 Jan 2026 00:00:05 GMT")];
    expect(await peer.complete({})).toEqual({ text: ANSWER });
    expect(slept).toEqual([2_000, 5_000]);
  });

  it("are really waited for", async () => {
    await using peer = await withModel({ timeoutMs: 5_000 });
    peer.standIn.knobs.next = [tooMany("1")];
    const start = performance.now();
    expect(await peer.complete({})).toEqual({ text: ANSWER });
    expect(performance.now() - start).toBeGreaterThanOrEqual(990);
  });
});

describe("where nobody can answer", () => {
  it.each([
    ["a closed port", undefined, KEY, UNAVAILABLE],
    ["a URL with a password", "http://user:canary@127.0.0.1:1/v1", KEY, FAILED],
    ["a key that is no header", "http://127.0.0.1:1/v1", `${KEY}\nx`, FAILED],
    ["a URL that is none", "nonsense", KEY, FAILED],
  ])("%s", async (_, url, apiKey, code) => {
    const baseUrl = url ?? (await closedUrl());
    const model = await openAiCompatibleModel({ baseUrl, apiKey, model: "m", sleep: () => delay(1) });
    for (const options of [{}, { onText: () => undefined }]) {
      const error: unknown = await model.complete(PROMPT, options).catch((thrown) => thrown);
      expect(error).toMatchObject({ code });
      expect(inspect(error, { depth: null, showHidden: true })).not.toMatch(/canary|Bearer/);
    }
  });
});

async function closedUrl(): Promise<string> {
  const { baseUrl, close } = await startOpenAiStandIn();
  await close();
  return baseUrl;
}

interface Peer extends AsyncDisposable {
  readonly standIn: OpenAiStandIn;
  complete(options: CompleteOptions): Promise<{ text?: string; error?: unknown }>;
}

async function withModel(options: Partial<OpenAiCompatibleOptions>): Promise<Peer> {
  const standIn = await startOpenAiStandIn();
  const model = await openAiCompatibleModel({
    baseUrl: standIn.baseUrl,
    model: "m",
    apiKey: KEY,
    timeoutMs: DEADLINE_MS,
    ...options,
  });
  return {
    standIn,
    complete: (how) =>
      model.complete(PROMPT, how).then(
        ({ text }) => ({ text }),
        (error: unknown) => ({ error }),
      ),
    [Symbol.asyncDispose]: () => standIn.close(),
  };
}

function either<T extends string | number>(value: T | readonly [T, T], isStreamed: boolean): T {
  return typeof value === "object" ? value[isStreamed ? 1 : 0] : value;
}
