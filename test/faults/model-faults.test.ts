// The whole service on a language model that fails: it answers with the right problem and issues no receipt.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { openAiCompatibleModel } from "#adapters/model/openai-compatible/openai-model.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { PortcullisError } from "#core/errors.ts";
import type { ChangeFeed, LanguageModel } from "#ports.ts";
import { type Fault, type OpenAiStandIn, startOpenAiStandIn } from "#test/support/openai-stand-in/openai-stand-in.ts";
import { post, problemEventIn, problemIn } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";

const ASK = { agentId: "assistant", query: "What is planned for dinner on Friday?" };

let standIn: OpenAiStandIn;

beforeAll(async () => {
  standIn = await startOpenAiStandIn();
});
afterAll(() => standIn.close());
beforeEach(() => standIn.reset());

/** The deadline is far away unless a test waits for it. */
function modelOnStandIn(timeoutMs = 60_000): LanguageModel {
  const sleep = async () => undefined;
  return openAiCompatibleModel({
    baseUrl: standIn.baseUrl,
    model: "configured",
    apiKey: "sk-canary",
    timeoutMs,
    sleep,
  });
}

async function startService(model = modelOnStandIn()) {
  const records = sqliteRecords({ path: ":memory:" });
  const addReceipt = vi.fn(records.receipts.add);
  const receipts = { ...records.receipts, add: addReceipt };
  return { ...(await serviceForTest({ overrides: { model, records: { ...records, receipts } } })), addReceipt };
}

describe("answers a problem, issues no receipt and shows nothing of the request when the model", () => {
  const cases: readonly (readonly [rule: string, fault: Fault, status: number])[] = [
    ["does not respond: 504", { kind: "hang" }, 504],
    ["stops in the middle of its answer: 504", { kind: "hang-midway" }, 504],
    ["closes the connection: 503", { kind: "reset" }, 503],
    ["answers 429: 503", { kind: "status", status: 429 }, 503],
    ["answers 503: 503", { kind: "status", status: 503 }, 503],
    ["answers 500: 502", { kind: "status", status: 500 }, 502],
    ["answers 401: 502", { kind: "status", status: 401 }, 502],
    ["sends malformed JSON: 502", { kind: "malformed-json" }, 502],
    ["sends no choices: 502", { kind: "empty-choices" }, 502],
    ["sends an empty answer: 502", { kind: "empty-answer" }, 502],
    ["sends a web page: 502", { kind: "wrong-content-type" }, 502],
    ["sends an answer of its content filter: 502", { kind: "content-filter" }, 502],
  ];

  test.for(cases)("%s", async ([, fault, status]) => {
    const { url, addReceipt, logLines } = await startService(status === 504 ? modelOnStandIn(1_000) : undefined);
    standIn.knobs.always = fault;
    const answer = await post(`${url}/api/chat`, ASK);
    expect(problemIn(answer)).toMatchObject({ status, code: expect.stringMatching(/^model-/) });
    expect(addReceipt).not.toHaveBeenCalled();
    // The stand-in echoes the request. None of it may be shown or logged.
    expect(`${answer.text}${logLines.join()}`).not.toMatch(/sk-canary|Dinner on Friday is booked/);
  });
});

test("streams the answer while the model makes it, and names the model that answered in the receipt", async () => {
  const { url, addReceipt } = await startService();
  Object.assign(standIn.knobs, { model: "answering-7b", tokenMs: 5, answer: () => "Fish, with rice and a view." });
  const { text } = await post(`${url}/api/chat`, ASK, { accept: "text/event-stream" });
  expect(text.match(/event: token/g)?.length).toBeGreaterThan(1);
  const [, answer = "{}"] = /event: answer\ndata: (.*)/.exec(text) ?? [];
  expect(JSON.parse(answer)).toMatchObject({
    answer: "Fish, with rice and a view.",
    receipt: { evidence: { model: "answering-7b" } },
  });
  expect(addReceipt).toHaveBeenCalledTimes(1);
});

test("runs the gate before the first event: a gate that fails gives a problem alone, and the model is not asked", async () => {
  const records = sqliteRecords({ path: ":memory:" });
  let isDown = false;
  const fail = () => Promise.reject(new PortcullisError("records-unavailable", "Gone."));
  const changeFeed: ChangeFeed = {
    ...records.changeFeed,
    since: (cursor) => (isDown ? fail() : records.changeFeed.since(cursor)),
  };
  const overrides = { model: modelOnStandIn(), records: { ...records, changeFeed } };
  const { url } = await serviceForTest({ overrides });
  isDown = true;
  const answer = await post(`${url}/api/chat`, ASK, { accept: "text/event-stream" });
  expect(problemEventIn(answer)).toMatchObject({ status: 503, code: "records-unavailable" });
  expect(standIn.received).toHaveLength(0);
});
