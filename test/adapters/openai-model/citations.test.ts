// The marks by which a model cites memories: read and removed, in whole answers and in streams.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openAiCompatibleModel } from "#adapters/model/openai-compatible/openai-model.ts";
import { admit } from "#core/gate/gate.ts";
import { policyFrom } from "#core/gate/policy.ts";
import { renderPrompt } from "#core/prompt/prompt.ts";
import { memoriesOf } from "#test/support/arbitraries.ts";
import { noFence } from "#test/support/models.ts";
import { type OpenAiStandIn, startOpenAiStandIn } from "#test/support/openai-stand-in/openai-stand-in.ts";
import { chunk, event } from "#test/support/openai-stand-in/response-bodies.ts";

let standIn: OpenAiStandIn;

beforeAll(async () => {
  standIn = await startOpenAiStandIn();
});
afterEach(() => standIn.reset());
afterAll(() => standIn.close());

const FACTS = ["Severe peanut allergy.", "Dinner is at Lotus.", "Runs on Mondays."].map((content) => ({
  namespace: "n",
  content,
}));
const PROMPT = renderPrompt({
  template: "assistant/1",
  memories: admit("a", memoriesOf(FACTS), policyFrom([{ agentId: "a", namespace: "n", allowed: true }])),
  query: "What about dinner?",
  askedAt: "2026-05-01T10:00:00.000Z",
});
const create = (options = {}) => openAiCompatibleModel({ baseUrl: standIn.baseUrl, model: "m", ...options });

describe.for([{ mode: "whole" }, { mode: "streamed" }])("$mode", ({ mode }) => {
  async function ask(answer: string) {
    standIn.knobs.answer = () => answer;
    const pieces: string[] = [];
    const onText = mode === "streamed" ? { onText: (piece: string) => pieces.push(piece) } : {};
    const { text, cited } = await create().complete(PROMPT, { fence: noFence, ...onText });
    if (mode === "streamed") expect(pieces.join("")).toBe(text);
    return { text, cited };
  }

  test("the memories that the answer cites are reported, and the marks are not part of the text", async () => {
    const answer = "Dinner is at Lotus [2], but mind the satay [1][2].\n\n- no peanuts [1]";
    const text = "Dinner is at Lotus, but mind the satay.\n\n- no peanuts";
    expect(await ask(answer)).toEqual({ text, cited: [0, 1] });
  });

  test("an answer without marks says nothing about citations, and is as the model wrote it", async () => {
    const answer = "It was in [2024], see a[0] and [note]. ";
    expect(await ask(answer)).toEqual({ text: answer, cited: undefined });
  });

  test("an answer that is nothing but marks is empty", async () => {
    await expect(ask(" [1] [2]")).rejects.toMatchObject({ code: "model-failed" });
  });
});

test("a mark that arrives in parts is removed, and the text before it does not wait", async () => {
  const pieces: string[] = [];
  const first = Promise.withResolvers<void>();
  async function* body() {
    yield Buffer.from(event(chunk("m", { content: "No peanuts [" })));
    // Were the text before the bracket held back, the stream would never go on.
    await first.promise;
    for (const content of ["1", "] at", " all."]) yield Buffer.from(event(chunk("m", { content })));
    yield Buffer.from(event(chunk("m", {}, "stop")));
  }
  const onText = (piece: string) => {
    pieces.push(piece);
    first.resolve();
  };
  const post = async () => ({ status: 200, headers: {}, body: body() });
  const { text, cited } = await create({ post }).complete(PROMPT, { fence: noFence, onText });
  expect({ text, cited, pieces }).toEqual({
    text: "No peanuts at all.",
    cited: [0],
    pieces: ["No peanuts", " at", " all."],
  });
});

test("the limit of an answer counts the text without its marks", async () => {
  standIn.knobs.answer = () => "word [1]".repeat(50);
  const { text } = await create({ maxOutputCharacters: 100 }).complete(PROMPT, { fence: noFence });
  expect(text).toBe(`${"word".repeat(25)}…`);
});
