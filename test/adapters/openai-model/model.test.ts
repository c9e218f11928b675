import { once } from "node:events";
import { type AddressInfo, createServer, Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { openAiCompatibleModel } from "#adapters/model/openai-compatible/index.ts";
import { languageModelSuite } from "#test/suites/language-model.ts";
import { hostileTexts } from "#test/support/arbitraries.ts";
import { echo, type OpenAiStandIn, startOpenAiStandIn } from "#test/support/openai-stand-in/index.ts";

let standIn: OpenAiStandIn;

beforeAll(async () => {
  standIn = await startOpenAiStandIn();
});
afterEach(() => standIn.reset());
afterAll(() => standIn.close());

const create = (more: object = {}) =>
  openAiCompatibleModel({ baseUrl: standIn.baseUrl, model: "asked-for", apiKey: "sk-canary", ...more });
const PROMPT = { system: "Be brief.", user: "What is there?" };
const listen = { onText: () => undefined };

languageModelSuite("openai-compatible", create, { isDeterministic: true });

describe("what is sent", () => {
  it("is the prompt's two messages, byte for byte, and nothing else", async () => {
    const model = await create();
    // The user message is never empty: renderPrompt fences it.
    const prompts = fc.record({ system: hostileTexts, user: hostileTexts.map((text) => `<memories>${text}`) });
    await fc.assert(
      fc.asyncProperty(prompts, fc.boolean(), async (prompt, isStreamed) => {
        standIn.reset();
        await model.complete(prompt, isStreamed ? listen : {});
        expect(standIn.received.map(({ json }) => json)).toEqual([
          {
            model: "asked-for",
            messages: [
              { role: "system", content: prompt.system },
              { role: "user", content: prompt.user },
            ],
            ...(isStreamed && { stream: true }),
          },
        ]);
      }),
    );
  });

  it("is written within the gate, not before and not after, with its length", async () => {
    const model = await create();
    const order: string[] = [];
    const { write } = Socket.prototype;
    Socket.prototype.write = function (this: Socket, ...args: Parameters<typeof write>) {
      if (Buffer.from(args[0]).includes(PROMPT.user)) order.push("written");
      return write.apply(this, args);
    } as typeof write;
    const atTheGate = async (send: () => void | Promise<void>) => {
      order.push("gate");
      await send();
      order.push("passed");
    };
    // The first on a new connection, the others on one that is kept.
    for (let i = 0; i < 5; i++) await model.complete(PROMPT, { atTheGate });
    Socket.prototype.write = write;
    expect(order.join(" ")).toBe(Array(5).fill("gate written passed").join(" "));
    const { body, headers } = standIn.received[0] ?? {};
    expect(headers?.["content-length"]).toBe(String(body?.length));
    expect(headers?.["transfer-encoding"]).toBeUndefined();
  });

  it("passes the gate again with every try", async () => {
    const model = await create({ sleep: () => Promise.resolve() });
    standIn.knobs.next = [{ kind: "reset" }];
    let passes = 0;
    const refusal = new Error("closed meanwhile");
    const atTheGate = async (send: () => void | Promise<void>) => {
      if (++passes === 2) throw refusal;
      await send();
    };
    await expect(model.complete(PROMPT, { atTheGate })).rejects.toBe(refusal);
    expect(standIn.received.length).toBe(1);
  });

  it("does not come to the gate before the connection stands", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await once(silent, "listening");
    onTestFinished(() => void silent.close());
    const connecting = once(silent, "connection");
    // Nobody ever shakes hands there.
    const baseUrl = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`;
    const model = await create({ baseUrl, timeoutMs: 300, retries: 0 });
    let passes = 0;
    const atTheGate = async () => {
      passes += 1;
    };
    const asking = model.complete(PROMPT, { atTheGate });
    asking.catch(() => undefined);
    const [socket] = (await connecting) as [Socket];
    await expect(asking).rejects.toMatchObject({ code: "model-timeout" });
    expect(passes).toBe(0);
    socket.destroy();
  });

  it("leaves in pieces, each through the gate, and no more of them when it closes", async () => {
    const model = await create();
    const long = { ...PROMPT, user: "long ".repeat(40_000) };
    let passes = 0;
    const refusal = new Error("closed meanwhile");
    const atTheGate = async (send: () => void | Promise<void>) => {
      if (++passes > 3) throw refusal;
      await send();
    };
    await expect(model.complete(long, { atTheGate })).rejects.toBe(refusal);
    await vi.waitFor(() => expect(standIn.bytes().length).toBeGreaterThan(3 * 16 * 1024));
    expect(standIn.bytes().length).toBeLessThan(3 * 16 * 1024 + 1_000);
    expect(standIn.received).toEqual([]);
  });

  it("is given up when the endpoint does not take it", async () => {
    const deaf = createServer((socket) => socket.pause()).listen(0, "127.0.0.1");
    await once(deaf, "listening");
    onTestFinished(() => void deaf.close());
    const sockets = new Set<Socket>();
    deaf.on("connection", (socket) => sockets.add(socket));
    const baseUrl = `http://127.0.0.1:${(deaf.address() as AddressInfo).port}/v1`;
    const model = await create({ baseUrl, retries: 0 });
    let isInside = false;
    const atTheGate = async (send: () => void | Promise<void>) => {
      isInside = true;
      await send();
      isInside = false;
    };
    const vast = { ...PROMPT, user: "vast ".repeat(8_000_000) };
    await expect(model.complete(vast, { atTheGate })).rejects.toMatchObject({ code: "model-unavailable" });
    await vi.waitFor(() => expect(isInside).toBe(false));
    for (const socket of sockets) socket.destroy();
  });

  it("is nothing when the gate refuses: not a byte of it, and no other try", async () => {
    const model = await create();
    const refusal = new Error("no");
    await expect(model.complete(PROMPT, { atTheGate: () => Promise.reject(refusal) })).rejects.toBe(refusal);
    expect(standIn.bytes().toString()).not.toContain(PROMPT.user);
    expect(standIn.received).toEqual([]);
  });

  it("has the key and no headers that tell about us", async () => {
    await (await create()).complete(PROMPT);
    const { host, connection, "content-length": length, ...headers } = standIn.received[0]?.headers ?? {};
    expect(headers).toEqual({
      authorization: "Bearer sk-canary",
      "content-type": "application/json",
      "user-agent": "portcullis",
      "accept-encoding": "identity",
    });
  });

  it("has no authorization without a key, and a limit of tokens with one", async () => {
    const model = await openAiCompatibleModel({ baseUrl: `${standIn.baseUrl}/`, model: "m", maxOutputTokens: 99 });
    await model.complete(PROMPT);
    expect(standIn.received[0]?.headers).not.toHaveProperty("authorization");
    expect(standIn.received[0]?.json).toMatchObject({ max_tokens: 99 });
    expect(standIn.received[0]?.path).toBe("/v1/chat/completions");
  });
});

describe("the answer", () => {
  it.each([{}, listen])("is the text, from the model that names itself", async (options) => {
    standIn.knobs.answer = echo;
    standIn.knobs.model = "gpt-99-2026-01-01";
    const user = "Two words,\n and 東京都 🦜 more ";
    expect(await (await create()).complete({ system: "S", user }, options)).toEqual({
      text: user,
      model: "gpt-99-2026-01-01",
    });
  });

  it.each(["", " ", "a\nb", "x".repeat(200), "\u202eevil"])("does not take %j for a name", async (name) => {
    standIn.knobs.model = name;
    expect((await (await create()).complete(PROMPT)).model).toBe("asked-for");
    expect((await (await create()).complete(PROMPT, listen)).model).toBe("asked-for");
  });

  it.each([{}, listen])("is cut when it is too long, and the call is ended", async (options) => {
    standIn.knobs.answer = () => "word ".repeat(500);
    const model = await create({ maxOutputCharacters: 100 });
    const { text, model: named } = await model.complete(PROMPT, options);
    expect(text).toBe(`${"word ".repeat(20)}…`);
    expect(named).toBe("stand-in-1");
  });

  it("comes while it is made", async () => {
    standIn.knobs.tokenMs = 30;
    const at: number[] = [];
    await (await create()).complete(PROMPT, { onText: () => at.push(performance.now()) });
    expect((at.at(-1) ?? 0) - (at[0] ?? 0)).toBeGreaterThan(100);
  });

  it("is not told to somebody who has gone, even by an endpoint that does not hear the signal", async () => {
    let said = 0;
    const body = () =>
      new ReadableStream<Uint8Array>({
        async pull(controller) {
          await delay(5);
          said++;
          controller.enqueue(Buffer.from('data: {"choices":[{"delta":{"content":"talk "}}]}\n\n'));
        },
      });
    const pieces: string[] = [];
    const model = await create({ timeoutMs: 200, post: async () => new Response(body()) });
    const start = performance.now();
    await expect(model.complete(PROMPT, { onText: (piece) => pieces.push(piece) })).rejects.toMatchObject({
      code: "model-timeout",
    });
    expect(performance.now() - start).toBeLessThan(300);
    const [told, before] = [pieces.length, said];
    await delay(100);
    expect(pieces.length).toBe(told);
    expect(said).toBeLessThan(before + 4);
  });

  it("is not awaited past the deadline from an endpoint that never settles", async () => {
    const model = await create({ timeoutMs: 200, post: () => new Promise(() => undefined) });
    await expect(model.complete(PROMPT)).rejects.toMatchObject({ code: "model-timeout" });
  });

  it("leaves nothing on the console, no warning and no listener", async () => {
    const spies = (["log", "warn", "error", "info"] as const).map((name) => vi.spyOn(console, name));
    const warn = vi.spyOn(process, "emitWarning");
    const signal = new AbortController().signal;
    const remove = vi.spyOn(signal, "removeEventListener");
    const model = await create({ retries: 0 });
    await model.complete(PROMPT, { signal });
    standIn.knobs.always = { kind: "error-event" };
    await expect(model.complete(PROMPT, listen)).rejects.toThrow();
    for (const spy of [...spies, warn]) expect(spy).not.toHaveBeenCalled();
    expect(remove).toHaveBeenCalled();
    expect(globalThis.AI_SDK_LOG_WARNINGS).toBe(false);
    vi.restoreAllMocks();
  });
});
