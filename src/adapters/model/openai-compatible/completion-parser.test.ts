import { describe, expect, test } from "vitest";
import { parseChunk, parseCompletion } from "./completion-parser.ts";

type Shape = Record<string, unknown>;

const completion = (message: Shape, more: Shape = {}) =>
  JSON.stringify({ model: "m-1", choices: [{ message, finish_reason: "stop", ...more }] });
const chunk = (delta: unknown, more: Shape = {}) => JSON.stringify({ model: "m-1", choices: [{ delta, ...more }] });

/** The two shapes of an answer: the rules for their text are the same. */
const modes = [
  { name: "a whole completion", parse: (message: Shape, more?: Shape) => parseCompletion(completion(message, more)) },
  { name: "a chunk", parse: (message: Shape, more?: Shape) => parseChunk(chunk(message, more)) },
] as const;

describe.for(modes)("$name", ({ parse }) => {
  test("has the text of its content, as a string or as a list of parts", () => {
    expect(parse({ role: "assistant", content: "One " }).text).toBe("One ");
    const parts = [
      { type: "thinking", thinking: [{ type: "text", text: "hmm" }] },
      { type: "text", text: "One " },
      { type: "text", text: 2 },
      { type: "image_url", image_url: {} },
      { type: "text", text: "two" },
    ];
    expect(parse({ content: parts }).text).toBe("One two");
  });

  test("has no text when there is no content", () => {
    for (const content of [undefined, null, "", []]) expect(parse({ content }).text).toBe("");
  });

  test("leaves out reasoning and tool calls, whatever their shape", () => {
    const extras = [
      { reasoning_content: "hmm" },
      { reasoning: { effort: 1 } },
      { tool_calls: [{ function: { name: "f", arguments: "{}" } }] },
      { function_call: 3, audio: null },
    ];
    for (const extra of extras) expect(parse({ content: "One", ...extra }).text).toBe("One");
  });

  test("accepts any reason to finish but an error and a content filter", () => {
    for (const finish_reason of ["stop", "length", "tool_calls", "eos", "end_turn"])
      expect(parse({ content: "One" }, { finish_reason }).finishReason).toBe(finish_reason);
    for (const finish_reason of [undefined, null, ""])
      expect(parse({ content: "One" }, { finish_reason }).finishReason).toBeUndefined();
    expect(() => parse({ content: "One" }, { finish_reason: "error" })).toThrow("no-answer");
    expect(() => parse({ content: "One" }, { finish_reason: "content_filter" })).toThrow("unusable-answer");
  });

  test("is unusable when it is a refusal, also beside other text", () => {
    expect(() => parse({ content: null, refusal: "No." })).toThrow("unusable-answer");
    expect(() => parse({ content: "One", refusal: "No." })).toThrow("unusable-answer");
    for (const refusal of [null, "", false]) expect(parse({ content: "One", refusal }).text).toBe("One");
  });

  test("is no answer when a field that is used has the wrong type", () => {
    for (const content of [1, {}, [1], [{ text: "untyped" }]]) expect(() => parse({ content })).toThrow("no-answer");
    expect(() => parse({ content: "One", role: "user" })).toThrow("no-answer");
    expect(() => parse({ content: "One" }, { finish_reason: 1 })).toThrow("no-answer");
  });
});

describe.for([
  ["a whole completion", parseCompletion, [{ message: { content: "One" } }]],
  ["a chunk", parseChunk, [{ delta: { content: "One" } }]],
] as const)("%s", ([, parse, choices]) => {
  test("is no answer when it is not JSON, not an object, or has no list of choices", () => {
    for (const json of ["", "{", "null", "[]", "1", '"text"', "{}", '{"choices":null}', '{"choices":{}}'])
      expect(() => parse(json)).toThrow("no-answer");
  });

  test("is no answer when it reports an error, also beside choices", () => {
    for (const error of [{ message: "failed" }, "failed", 500, false])
      expect(() => parse(JSON.stringify({ error, choices }))).toThrow("no-answer");
    expect(() => parse(JSON.stringify({ error: { message: "failed" } }))).toThrow("no-answer");
    expect(parse(JSON.stringify({ error: null, choices })).text).toBe("One");
  });

  test("reads the first choice alone", () => {
    const other = { message: { content: "Other" }, delta: { content: "Other" } };
    expect(parse(JSON.stringify({ choices: [...choices, other] })).text).toBe("One");
  });

  test("names the model only by what can be a name", () => {
    const modelOf = (model: unknown) => parse(JSON.stringify({ model, choices })).model;
    expect(modelOf("gpt-99-2026-01-01")).toBe("gpt-99-2026-01-01");
    expect(modelOf("a b")).toBe("a b");
    for (const value of [undefined, null, 1, {}, "", " ", "a\nb", "x".repeat(200), "\u202eevil"])
      expect(modelOf(value)).toBeUndefined();
  });

  test("is not confused by names of the prototype", () => {
    const json = JSON.stringify({ choices }).replace("{", '{"__proto__":{"error":"x"},"constructor":1,');
    expect(parse(json).text).toBe("One");
  });

  test("does not quote what it was given in its error", () => {
    const error = catchError(() => parse("canary"));
    expect(String(error) + JSON.stringify(error)).not.toContain("canary");
  });
});

test("a whole completion without choices is no answer; a chunk without choices has no text", () => {
  expect(() => parseCompletion('{"choices":[]}')).toThrow("no-answer");
  expect(() => parseCompletion('{"choices":[{"finish_reason":"stop"}]}')).toThrow("no-answer");
  expect(parseChunk('{"choices":[],"usage":{"total_tokens":3}}')).toMatchObject({ text: "", finishReason: undefined });
  expect(parseChunk('{"choices":[{"finish_reason":"stop"}]}')).toMatchObject({ text: "", finishReason: "stop" });
});

function catchError(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
