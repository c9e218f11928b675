// Everything that an endpoint can do wrong: the outcome, the number of requests, and that no error shows the key or the
// prompt.
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { openAiCompatibleModel } from "#adapters/model/openai-compatible/openai-model.ts";
import { type Fault, startOpenAiStandIn, times, tooMany } from "#test/support/openai-stand-in/openai-stand-in.ts";
import { waitFor } from "#test/support/wait-for.ts";
import { KEY, PROMPT, STREAMED, startModel, WHOLE } from "./fixture.ts";

const ANSWER = "This is what I know about that.";
/** Long enough for two requests on a busy machine. All other cases have a deadline that they never reach. */
const SHORT_DEADLINE_MS = 2_000;

const FAILED = "model-failed";
const UNAVAILABLE = "model-unavailable";
const TIMEOUT = "model-timeout";

/** One value for both modes, or one for a whole answer and one for a streamed answer. */
type ForModes<T> = T | readonly [whole: T, streamed: T];

interface Case {
  readonly faults?: readonly Fault[];
  readonly always?: Fault;
  readonly latencyMs?: number;
  readonly tokenMs?: number;
  /** How the answer ends, or the code of the error. */
  readonly outcome: ForModes<string>;
  readonly requests: ForModes<number>;
}

const status = (code: number): Fault => ({ kind: "status", status: code });

const cases: Record<string, Case> = {
  "answers in one request when all is well": { outcome: ANSWER, requests: 1 },

  "retries twice after 429": { faults: times(2, tooMany("0")), outcome: ANSWER, requests: 3 },
  "gives up after three times 429": { always: tooMany("0"), outcome: UNAVAILABLE, requests: 3 },
  "does not wait for a Retry-After past the deadline": {
    faults: [tooMany("3600")],
    outcome: UNAVAILABLE,
    requests: 1,
  },
  "does not wait for a Retry-After with a date past the deadline": {
    faults: [tooMany("Fri, 31 Dec 2999 23:59:59 GMT")],
    outcome: UNAVAILABLE,
    requests: 1,
  },
  "retries twice after 500": { faults: times(2, status(500)), outcome: ANSWER, requests: 3 },
  "gives up after three times 500": { always: status(500), outcome: FAILED, requests: 3 },
  "gives up after three times 503": { always: status(503), outcome: UNAVAILABLE, requests: 3 },
  "treats a status that HTTP does not know as 500": { always: status(799), outcome: FAILED, requests: 3 },
  "does not retry after 400": { faults: [status(400)], outcome: FAILED, requests: 1 },
  "does not retry after 401": { faults: [status(401)], outcome: FAILED, requests: 1 },
  "does not retry after 404": { faults: [status(404)], outcome: FAILED, requests: 1 },
  "does not follow a redirect": {
    faults: [{ kind: "status", status: 307, headers: { location: "/v1/elsewhere" } }],
    outcome: FAILED,
    requests: 1,
  },
  "refuses a status of 2xx without a body": { faults: [status(204)], outcome: FAILED, requests: 1 },

  "retries after a reset": { faults: [{ kind: "reset" }], outcome: ANSWER, requests: 2 },
  "gives up after three resets": { always: { kind: "reset" }, outcome: UNAVAILABLE, requests: 3 },
  "retries after a reset midway, unless a part of the answer was passed on": {
    faults: [{ kind: "reset-midway" }],
    outcome: [ANSWER, FAILED],
    requests: [2, 1],
  },
  "refuses an answer that ends midway": { faults: [{ kind: "stop-midway" }], outcome: FAILED, requests: 1 },
  "refuses an answer with an error within it": { faults: [{ kind: "error-event" }], outcome: FAILED, requests: 1 },
  "refuses malformed JSON": { faults: [{ kind: "malformed-json" }], outcome: FAILED, requests: 1 },
  "refuses a response without choices": { faults: [{ kind: "empty-choices" }], outcome: FAILED, requests: 1 },
  "refuses an empty answer": { faults: [{ kind: "empty-answer" }], outcome: FAILED, requests: 1 },
  "refuses a web page": { faults: [{ kind: "wrong-content-type" }], outcome: FAILED, requests: 1 },
  "refuses a compressed body": { faults: [{ kind: "compressed" }], outcome: FAILED, requests: 1 },
  "refuses a stream that was not asked for, and JSON instead of a stream": {
    faults: [{ kind: "other-mode" }],
    outcome: FAILED,
    requests: 1,
  },
  "refuses an answer of a content filter": { faults: [{ kind: "content-filter" }], outcome: FAILED, requests: 1 },
  "refuses a refusal": { faults: [{ kind: "refusal" }], outcome: FAILED, requests: 1 },

  "marks an answer that the limit of tokens cut": {
    faults: [{ kind: "length" }],
    outcome: `${ANSWER}…`,
    requests: 1,
  },
  "accepts a stream without [DONE]": { faults: [{ kind: "no-done" }], outcome: ANSWER, requests: 1 },
  "does not wait for the end of a connection that stays open after [DONE]": {
    faults: [{ kind: "open-after-done" }],
    outcome: ANSWER,
    requests: 1,
  },
  "cuts a stream without end, and refuses a body without end": {
    faults: [{ kind: "endless" }],
    outcome: [FAILED, "…"],
    requests: 1,
  },

  "times out when no response comes": { faults: [{ kind: "hang" }], outcome: TIMEOUT, requests: 1 },
  "times out when the response stops midway": { faults: [{ kind: "hang-midway" }], outcome: TIMEOUT, requests: 1 },
  "times out when the response comes too late": {
    latencyMs: 2 * SHORT_DEADLINE_MS,
    outcome: TIMEOUT,
    requests: 1,
  },
  "times out when the tokens come too slowly": {
    tokenMs: SHORT_DEADLINE_MS / 2,
    outcome: [ANSWER, TIMEOUT],
    requests: 1,
  },
  "times out in a retry": { faults: [status(500), { kind: "hang" }], outcome: TIMEOUT, requests: 2 },
};

describe.for([
  { mode: "whole", isStreamed: false },
  { mode: "streamed", isStreamed: true },
])("$mode", { concurrent: true }, ({ isStreamed }) => {
  test.for(Object.entries(cases))("%s", ([, row]) => check(row, isStreamed));
});

async function check(row: Case, isStreamed: boolean): Promise<void> {
  const expected = inMode(row.outcome, isStreamed);
  await using subject = await startModel({
    timeoutMs: expected === TIMEOUT ? SHORT_DEADLINE_MS : 60_000,
    sleep: async () => undefined,
    random: () => 0,
  });
  const { standIn, complete } = subject;
  standIn.knobs.next = [...(row.faults ?? [])];
  standIn.knobs.always = row.always;
  standIn.knobs.latencyMs = row.latencyMs ?? 0;
  standIn.knobs.tokenMs = row.tokenMs ?? 0;
  const pieces: string[] = [];
  const outcome = await complete(isStreamed ? { ...WHOLE, onText: (piece) => pieces.push(piece) } : WHOLE);
  if (expected.startsWith("model-")) expectError(outcome.error, expected);
  else expect(outcome.text?.endsWith(expected)).toBe(true);
  if (isStreamed && outcome.text !== undefined) expect(pieces.join("")).toBe(outcome.text);
  expect(standIn.received.length).toBe(inMode(row.requests, isStreamed));
  // Whatever happened, no connection stays in use.
  await waitFor(() => expect(standIn.received.map(({ state }) => state)).not.toContain("open"));
}

/** The stand-in sends back all that it was sent. None of it may show in the error. */
function expectError(error: unknown, code: string): void {
  expect(error).toMatchObject({ name: "PortcullisError", code });
  expect(inspect(error, { depth: null, showHidden: true, getters: true })).not.toMatch(/canary|Bearer|<!doc/);
}

describe("an endpoint that cannot be called", () => {
  test.for([
    ["model-unavailable for a closed port", undefined, KEY, UNAVAILABLE],
    ["model-failed for a URL with a password", "http://user:canary@127.0.0.1:1/v1", KEY, FAILED],
    ["model-failed for a key that cannot be a header", "http://127.0.0.1:1/v1", `${KEY}\nx`, FAILED],
    ["model-failed for an invalid URL", "nonsense", KEY, FAILED],
    ["model-failed for another protocol", "ftp://127.0.0.1/v1", KEY, FAILED],
  ] as const)("is reported as %s", async ([, url, apiKey, code]) => {
    const baseUrl = url ?? (await closedUrl());
    const model = openAiCompatibleModel({ baseUrl, apiKey, model: "m", sleep: async () => undefined });
    for (const options of [WHOLE, STREAMED]) {
      expectError(await model.complete(PROMPT, options).catch((error: unknown) => error), code);
    }
  });
});

async function closedUrl(): Promise<string> {
  const { baseUrl, close } = await startOpenAiStandIn();
  await close();
  return baseUrl;
}

function inMode<T extends string | number>(value: ForModes<T>, isStreamed: boolean): T {
  return typeof value === "object" ? value[isStreamed ? 1 : 0] : value;
}
