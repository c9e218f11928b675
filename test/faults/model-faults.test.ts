// The whole service on a language model that misbehaves: a problem with the right status, no receipt, and in time.
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { openAiCompatibleModel } from "#adapters/model/openai-compatible/index.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { PortcullisError } from "#core/errors.ts";
import type { ChangeFeed, LanguageModel } from "#ports.ts";
import { type Fault, type OpenAiStandIn, startOpenAiStandIn } from "#test/support/openai-stand-in/index.ts";
import { post, problemIn } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";

const TIMEOUT_MS = 1_000;
const ASK = { agentId: "assistant", query: "What is planned for dinner on Friday?" };

let standIn: OpenAiStandIn;
let model: LanguageModel;

beforeAll(async () => {
  standIn = await startOpenAiStandIn();
  const sleep = async () => undefined;
  const options = { baseUrl: standIn.baseUrl, model: "configured", apiKey: "sk-canary", timeoutMs: TIMEOUT_MS, sleep };
  model = await openAiCompatibleModel(options);
});
afterAll(() => standIn.close());
beforeEach(() => standIn.reset());

async function prepared() {
  const records = sqliteRecords({ path: ":memory:" });
  const addReceipt = vi.fn(records.receipts.add);
  const receipts = { ...records.receipts, add: addReceipt };
  return { ...(await serviceForTest({ overrides: { model, records: { ...records, receipts } } })), addReceipt };
}

describe("A model that misbehaves is a problem, and no receipt is issued:", () => {
  const cases: readonly (readonly [Fault, status: number])[] = [
    [{ kind: "hang" }, 504],
    [{ kind: "hang-midway" }, 504],
    [{ kind: "reset" }, 503],
    [{ kind: "status", status: 429 }, 503],
    [{ kind: "status", status: 503 }, 503],
    [{ kind: "status", status: 500 }, 502],
    [{ kind: "status", status: 401 }, 502],
    [{ kind: "malformed-json" }, 502],
    [{ kind: "empty-choices" }, 502],
    [{ kind: "empty-answer" }, 502],
    [{ kind: "wrong-content-type" }, 502],
    [{ kind: "content-filter" }, 502],
  ];

  test.for(cases)("%o gives %i", async ([fault, status]) => {
    const { url, addReceipt, logLines } = await prepared();
    standIn.knobs.always = fault;
    const began = performance.now();
    const answer = await post(`${url}/api/chat`, ASK);
    expect(performance.now() - began).toBeLessThan(TIMEOUT_MS * 1.1 + 400);
    expect(problemIn(answer)).toMatchObject({ status, code: expect.stringMatching(/^model-/) });
    expect(addReceipt).not.toHaveBeenCalled();
    // Some endpoints send back what they were sent. None of it may be shown or logged.
    expect(`${answer.text}${logLines.join()}`).not.toMatch(/sk-canary|Dinner on Friday is booked/);
  });
});

test("The answer streams as it is made, and its receipt names the model that answered", async () => {
  const { url, addReceipt } = await prepared();
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

test("The gate has run before the first byte: a stream of a failed gate is a problem", async () => {
  const records = sqliteRecords({ path: ":memory:" });
  let isGone = false;
  const gone = () => Promise.reject(new PortcullisError("records-unavailable", "Gone."));
  const changeFeed: ChangeFeed = { since: (cursor) => (isGone ? gone() : records.changeFeed.since(cursor)) };
  const { url } = await serviceForTest({ overrides: { model, records: { ...records, changeFeed } } });
  isGone = true;
  const answer = await post(`${url}/api/chat`, ASK, { accept: "text/event-stream" });
  expect(problemIn(answer)).toMatchObject({ status: 503, code: "records-unavailable" });
  expect(standIn.received).toHaveLength(0);
});
