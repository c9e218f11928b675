// A prompt that is longer than the model's context, as different endpoints report it.
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { chunk, event } from "#test/support/openai-stand-in/response-bodies.ts";
import { STREAMED, startModel, WHOLE } from "./fixture.ts";

const llamaCpp = (status: number, type: string, message: string) => ({
  status,
  body: { error: { code: status, message, type, n_prompt_tokens: 9_412, n_ctx: 8_192 } },
});
const MAXIMUM = "This model's maximum context length is 8192 tokens. However, your messages resulted in 9412 tokens.";

const overflows = {
  "llama.cpp": llamaCpp(400, "exceed_context_size_error", "request (9412 tokens) exceeds the limit"),
  "llama.cpp with another type": llamaCpp(500, "server_error", "Context size has been exceeded."),
  "llama.cpp with status 500": llamaCpp(500, "server_error", "the request exceeds the available context size."),
  "llama.cpp with status 200": { ...llamaCpp(400, "exceed_context_size_error", "too large"), status: 200 },
  OpenAI: { status: 400, body: { error: { message: "Too many.", type: "x", code: "context_length_exceeded" } } },
  vLLM: { status: 400, body: { error: { message: MAXIMUM, type: "BadRequestError", param: null, code: 400 } } },
  "vLLM without a frame": { status: 400, body: { object: "error", message: MAXIMUM, type: "BadRequestError" } },
  "LM Studio": {
    status: 400,
    body: { error: "Trying to keep the first 9412 tokens. However, the model is loaded with context length of 8192." },
  },
  "LM Studio with status 200": { status: 200, body: { error: { message: "Context size has been exceeded." } } },
  "text-generation-inference": {
    status: 422,
    body: { error: "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096.", error_type: "x" },
  },
  "a proxy": { status: 413, body: "<html>Request Entity Too Large</html>" },
};

describe.for([
  { mode: "whole", options: WHOLE },
  { mode: "streamed", options: STREAMED },
])("$mode", ({ options }) => {
  test.for(Object.entries(overflows))("a prompt that is too long for %s is tried once", async ([, overflow]) => {
    await using subject = await startModel();
    Object.assign(subject.standIn.knobs, { contextCharacters: 10, overflow });
    const { error } = await subject.complete(options);
    expect(error).toMatchObject({ code: "prompt-too-long", message: expect.stringContaining("PROMPT_CHARACTERS") });
    expect(inspect(error, { depth: null, showHidden: true, getters: true })).not.toMatch(/canary|Bearer|8192/);
    expect(subject.standIn.received.length).toBe(1);
  });

  test.for([
    ["a bad request", { status: 400, body: { error: { message: "max_tokens is not supported." } } }],
    ["an echo of the question", { status: 400, body: { error: { message: `${"x".repeat(400)} context length` } } }],
    ["a list", { status: 400, body: ["the context length"] }],
    ["null", { status: 400, body: null }],
    ["too many requests", { status: 429, body: { error: { message: MAXIMUM } } }],
  ] as const)("%s is not taken for a prompt that is too long", async ([, overflow]) => {
    await using subject = await startModel({ retries: 0 });
    Object.assign(subject.standIn.knobs, { contextCharacters: 10, overflow });
    const { error } = await subject.complete(options);
    expect(error).toMatchObject({ code: overflow.status === 429 ? "model-unavailable" : "model-failed" });
  });
});

test("after the first piece of an answer an overflow is an answer that broke off", async () => {
  const events = [chunk("m", { content: "One" }), { error: { message: "Context size has been exceeded." } }];
  const body = (async function* () {
    yield Buffer.from(events.map(event).join(""));
  })();
  await using subject = await startModel({ post: async () => ({ status: 200, headers: {}, body }) });
  expect((await subject.complete(STREAMED)).error).toMatchObject({ code: "model-failed" });
});

test("an error whose body never ends is not waited for", async () => {
  const body = (async function* () {
    yield Buffer.from('{"error":{"message":"maximum context length');
    await new Promise(() => undefined);
  })();
  await using subject = await startModel({ post: async () => ({ status: 400, headers: {}, body }) });
  expect((await subject.complete(WHOLE)).error).toMatchObject({ code: "model-failed" });
});
