// What becomes of a good answer.
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type OpenAiCompatibleOptions, openAiCompatibleModel } from "#adapters/model/openai-compatible/openai-model.ts";
import { languageModelSuite } from "#test/suites/language-model.ts";
import { noFence } from "#test/support/models.ts";
import { echo, type OpenAiStandIn, startOpenAiStandIn } from "#test/support/openai-stand-in/openai-stand-in.ts";
import { chunk, event } from "#test/support/openai-stand-in/response-bodies.ts";
import { KEY, PROMPT, STREAMED, startModel, WHOLE } from "./fixture.ts";

let standIn: OpenAiStandIn;

beforeAll(async () => {
  standIn = await startOpenAiStandIn();
});
afterEach(() => standIn.reset());
afterAll(() => standIn.close());

const create = (options: Partial<OpenAiCompatibleOptions> = {}) =>
  openAiCompatibleModel({ baseUrl: standIn.baseUrl, model: "configured", apiKey: KEY, ...options });

languageModelSuite("openai-compatible", create, { isDeterministic: true });

describe.for([
  { mode: "whole", options: WHOLE },
  { mode: "streamed", options: STREAMED },
])("$mode", ({ options }) => {
  test("is the text as the model wrote it, with the name that the model gives itself", async () => {
    standIn.knobs.answer = echo;
    standIn.knobs.model = "gpt-99-2026-01-01";
    const user = "Two words,\n and 東京都 🦜 more ";
    const answer = await create().complete({ system: "S", user }, options);
    expect(answer).toEqual({ text: user, model: "gpt-99-2026-01-01" });
  });

  test("has the configured name when the model gives itself none that can be a name", async () => {
    for (const name of ["", " ", "a\nb", "x".repeat(200), "\u202eevil"]) {
      standIn.knobs.model = name;
      expect((await create().complete(PROMPT, options)).model).toBe("configured");
    }
  });

  test("is cut when it is longer than the limit", async () => {
    standIn.knobs.answer = () => "word ".repeat(500);
    const { text, model } = await create({ maxOutputCharacters: 100 }).complete(PROMPT, options);
    expect(text).toBe(`${"word ".repeat(20)}…`);
    expect(model).toBe("stand-in-1");
  });

  test("leaves its connection to the next call, also when an error came before it", async () => {
    await using subject = await startModel({ sleep: async () => undefined });
    subject.standIn.knobs.next = [{ kind: "status", status: 500 }];
    for (let i = 0; i < 3; i++) expect((await subject.complete(options)).error).toBeUndefined();
    expect(subject.standIn.connections()).toBe(1);
  });
});

test("takes the model's name from the first chunk that has one", async () => {
  const parts = [chunk("", {}), chunk("m-1", { content: "One" }), chunk("m-2", {}, "stop")];
  const post = async () => ({ status: 200, headers: {}, body: bytesOf(parts.map(event).join("")) });
  expect(await create({ post }).complete(PROMPT, STREAMED)).toEqual({ text: "One", model: "m-1" });
});

test("passes each piece on before the next one arrives", async () => {
  const pieces: string[] = [];
  const first = Promise.withResolvers<void>();
  async function* body() {
    yield Buffer.from(event(chunk("m", { content: "One" })));
    // Were the first piece held back, the stream would never go on.
    await first.promise;
    yield Buffer.from(event(chunk("m", { content: " two" }, "stop")));
  }
  const onText = (piece: string) => {
    pieces.push(piece);
    first.resolve();
  };
  const post = async () => ({ status: 200, headers: {}, body: body() });
  expect((await create({ post }).complete(PROMPT, { fence: noFence, onText })).text).toBe("One two");
  expect(pieces).toEqual(["One", " two"]);
});

test("leaves nothing on the console, no warning, and no listener on the caller's signal", async () => {
  const spies = (["log", "warn", "error", "info"] as const).map((name) => vi.spyOn(console, name));
  const warn = vi.spyOn(process, "emitWarning");
  const { signal } = new AbortController();
  const add = vi.spyOn(signal, "addEventListener");
  const remove = vi.spyOn(signal, "removeEventListener");
  const model = create({ retries: 0 });
  await model.complete(PROMPT, { ...WHOLE, signal });
  standIn.knobs.always = { kind: "error-event" };
  await expect(model.complete(PROMPT, { ...STREAMED, signal })).rejects.toThrow();
  for (const spy of [...spies, warn]) expect(spy).not.toHaveBeenCalled();
  expect(add).toHaveBeenCalledTimes(2);
  expect(remove.mock.calls.map(([type, listener]) => [type, listener])).toEqual(
    add.mock.calls.map(([type, listener]) => [type, listener]),
  );
  vi.restoreAllMocks();
});

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
