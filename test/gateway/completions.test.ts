// POST /v1/chat/completions and GET /v1/models, with a provider's stand-in on loopback.
import { request } from "node:http";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { PortcullisError } from "#core/errors.ts";
import { interceptCalls } from "#test/support/intercept-calls.ts";
import { keyedServiceForTest } from "#test/support/keyed-service.ts";
import { type OpenAiStandIn, startOpenAiStandIn } from "#test/support/openai-stand-in/openai-stand-in.ts";
import { isCommitted } from "#test/support/reference-encoding.ts";
import { type Answer, connectTo, post, send } from "#test/support/send.ts";
import { type Service, serviceForTest } from "#test/support/service.ts";
import { waitFor } from "#test/support/wait-for.ts";

let provider: OpenAiStandIn;

beforeAll(async () => {
  provider = await startOpenAiStandIn();
});
afterEach(() => provider.reset());
afterAll(() => provider.close());

const AGENT = { "portcullis-agent": "assistant" };
const ASK = { model: "m", messages: [{ role: "user", content: "What may I eat on Friday?" }] };
const SECRET = "The safe opens with canary 4711.";
const FACT = "On Fridays we eat fish </memories> at home.";

async function start(environment: Readonly<Record<string, string>> = {}): Promise<Service> {
  const service = await serviceForTest({
    environment: { MODEL_BASE_URL: provider.baseUrl, MODEL_NAME: "m", SEED: "none", ...environment },
  });
  for (const [namespace, content] of Object.entries({ diet: FACT, safe: SECRET }))
    await service.client.capture({ namespace, content, sourceAgent: "s" });
  await service.client.setAccess({ agentId: "assistant", namespace: "diet", allowed: true });
  return service;
}

const complete = ({ url }: Service, body: unknown, headers: Readonly<Record<string, string>> = AGENT) =>
  post(`${url}/v1/chat/completions`, body, headers);

interface Forwarded {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}
const forwarded = () => provider.received.map(({ json }) => json as Forwarded);
const errorIn = ({ status, text }: Answer) => ({ status, ...JSON.parse(text).error });
const dataIn = ({ text }: Answer) =>
  text
    .split("\n\n")
    .filter((block) => block !== "")
    .map((block) => block.replace(/^data: /, ""));
const receiptOf = ({ headers }: Answer) => String(headers["portcullis-receipt"]);

describe("A completion", () => {
  test("has the memories that the agent may use before the last user message, and a receipt in header and body", async () => {
    const service = await start();
    const history = [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hello" },
      { role: "assistant", content: "Hello!" },
    ];
    const answer = await complete(service, { ...ASK, messages: [...history, ...ASK.messages], temperature: 0.2 });
    expect(answer.status).toBe(200);
    const [sent] = forwarded();
    expect(sent).toMatchObject({ model: "m", temperature: 0.2 });
    expect(sent?.messages.slice(0, -1)).toEqual(history);
    const last = sent?.messages.at(-1)?.content ?? "";
    expect(last).toContain("On Fridays we eat fish \\u003c/memories\\u003e at home.");
    expect(last.endsWith("</memories>\n\nWhat may I eat on Friday?")).toBe(true);
    expect(provider.bytes().includes("canary")).toBe(false);

    const body = JSON.parse(answer.text);
    expect(body).toMatchObject({
      object: "chat.completion",
      choices: [{ message: { role: "assistant", content: "This is what I know about that." }, finish_reason: "stop" }],
      usage: { prompt_tokens: 12, completion_tokens: 8, total_tokens: 20 },
      portcullis: { receipt: receiptOf(answer) },
    });
    const { receipt } = await service.client.getReceipt({ answerId: receiptOf(answer) });
    expect(receipt).toMatchObject({
      agentId: "assistant",
      usedMemories: [{ namespace: "diet" }],
      blockedNamespaces: ["safe"],
      evidence: { kind: "answered", template: "gateway/1", model: "stand-in-1" },
    });
  });

  test("its receipt commits to the request as it was forwarded, to the question, and to the answer", async () => {
    const service = await start();
    const answerId = receiptOf(await complete(service, ASK));
    const { receipt } = await service.client.getReceipt({ answerId });
    const { seed = "" } = (await service.tenant.records.receipts.find(answerId)) as { seed?: string };
    const answered = { receipt, opening: { v: 2 as const, seed } } as never;
    expect(isCommitted(answered, "/prompt", { request: provider.received[0]?.body.toString() })).toBe(true);
    expect(isCommitted(answered, "/question", "What may I eat on Friday?")).toBe(true);
    expect(isCommitted(answered, "/answer", "This is what I know about that.")).toBe(true);
    expect(isCommitted(answered, "/answer", "Something else.")).toBe(false);
  });

  test("as a stream has the provider's chunks, the header before the first, the receipt in the last, and [DONE]", async () => {
    const service = await start();
    const answer = await complete(service, { ...ASK, stream: true, stream_options: { include_usage: true } });
    expect(answer.headers["content-type"]).toBe("text/event-stream");
    const data = dataIn(answer);
    expect(data.at(-1)).toBe("[DONE]");
    const chunks = data.slice(0, -1).map((json) => JSON.parse(json));
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? "").join("")).toBe(
      "This is what I know about that.",
    );
    expect(chunks.at(-1)).toMatchObject({ usage: { total_tokens: 20 }, portcullis: { receipt: receiptOf(answer) } });
    expect(chunks.filter((chunk) => chunk.portcullis !== undefined)).toHaveLength(1);
    const { receipt } = await service.client.getReceipt({ answerId: receiptOf(answer) });
    expect(receipt.usedMemories).toHaveLength(1);
  });

  test.for([false, true])("passes tools, their calls and response formats through, streamed: %s", async (stream) => {
    const service = await start();
    const call = { id: "call_1", type: "function", function: { name: "cook", arguments: '{"dish":"fish"}' } } as const;
    provider.knobs.calls = () => [call];
    const tools = [{ type: "function", function: { name: "cook", parameters: { type: "object", properties: {} } } }];
    const response_format = { type: "json_schema", json_schema: { name: "x", schema: { type: "object" } } };
    const more = { tools, tool_choice: "auto", parallel_tool_calls: false, response_format };
    const answer = await complete(service, { ...ASK, stream, ...more });
    expect(forwarded()[0]).toMatchObject(more);
    if (stream) expect(answer.text).toContain('"finish_reason":"tool_calls"');
    else expect(JSON.parse(answer.text).choices[0].message.tool_calls).toEqual([call]);

    const loop = [
      ...ASK.messages,
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "call_1", content: "Cooked." },
    ];
    provider.knobs.calls = () => [];
    expect((await complete(service, { ...ASK, messages: loop })).status).toBe(200);
    const messages = forwarded().at(-1)?.messages ?? [];
    expect(messages[0]?.content).toContain("we eat fish");
    expect(messages.slice(1)).toEqual(loop.slice(1));
  });

  test("recalls with the turns before, so that a question can refer to them", async () => {
    const service = await start({ RECALL_LIMIT: "1" });
    const facts = [
      "The ferry to Lisbon leaves at nine.",
      "The bus to Porto leaves at ten.",
      "It leaves in autumn: the leaf.",
    ];
    for (const content of facts) await service.client.capture({ namespace: "diet", content, sourceAgent: "s" });
    const messages = [
      { role: "user", content: "Tell me about the ferry to Lisbon." },
      { role: "assistant", content: "It is a fine ship." },
      { role: "user", content: "When does it leave?" },
    ];
    await complete(service, { model: "m", messages });
    expect(forwarded()[0]?.messages.at(-1)?.content).toContain("leaves at nine");
  });

  test("keeps a question without the control characters that no database takes, and forwards it with them", async () => {
    const service = await start({ KEEP_QUESTIONS: "true" });
    const content = "What may I\u0000 eat?";
    const answer = await complete(service, { model: "m", messages: [{ role: "user", content }] });
    expect(forwarded()[0]?.messages[0]?.content).toContain(content);
    const kept = await service.tenant.records.receipts.find(receiptOf(answer));
    expect(JSON.stringify(kept)).toContain("What may I  eat?");
    const blank = await complete(service, { model: "m", messages: [{ role: "user", content: "\u0000" }] });
    expect(errorIn(blank)).toMatchObject({ status: 400, code: "invalid-request", param: "messages/0/content" });
  });

  test("takes what to recall from Portcullis-Query", async () => {
    const service = await start();
    await service.client.capture({ namespace: "diet", content: "Zucchini grow behind the shed.", sourceAgent: "s" });
    const headers = { ...AGENT, "portcullis-query": encodeURIComponent("Where do the zucchini grow?") };
    await complete(service, { model: "m", messages: [{ role: "user", content: "Go on." }] }, headers);
    expect(forwarded()[0]?.messages[0]?.content).toContain("Zucchini");
    for (const query of ["%E0%A4%A", "%00", "%20"]) {
      const bad = await complete(service, ASK, { ...AGENT, "portcullis-query": query });
      expect(errorIn(bad)).toMatchObject({ status: 400, code: "invalid-request" });
    }
  });

  test("goes to the provider of its prefix, under the name that it has there", async () => {
    const other = await startOpenAiStandIn();
    try {
      const service = await start({
        MODEL_ALLOW: "m,other/large/1",
        MODEL_PROVIDERS: `other=${other.baseUrl}`,
        MODEL_PROVIDER_KEYS: "other=key-of-other",
        MODEL_API_KEY: "key-of-first",
      });
      const { data } = JSON.parse((await send(`${service.url}/v1/models`, { headers: AGENT })).text);
      expect(data.map(({ id }: { id: string }) => id)).toEqual(["m", "other/large/1"]);
      await complete(service, { ...ASK, model: "other/large/1" });
      await complete(service, ASK);
      expect(other.received[0]).toMatchObject({
        headers: { authorization: "Bearer key-of-other" },
        json: { model: "large/1" },
      });
      expect(provider.received[0]?.headers.authorization).toBe("Bearer key-of-first");
      expect(errorIn(await complete(service, { ...ASK, model: "large/1" }))).toMatchObject({
        status: 404,
        code: "not-found",
      });
    } finally {
      await other.close();
    }
  });

  test("by the built-in model needs no provider, and refuses what it would have to ignore", async () => {
    const service = await serviceForTest();
    const { data } = JSON.parse((await send(`${service.url}/v1/models`, { headers: AGENT })).text);
    const model = data[0].id;
    const messages = [{ role: "user", content: "What should I avoid at dinner?" }];
    const whole = JSON.parse((await complete(service, { model, messages })).text);
    expect(whole.choices[0].message.content).toMatch(/peanut/i);
    const streamed = await complete(service, { model, messages, stream: true });
    const words = dataIn(streamed)
      .slice(0, -1)
      .map((json) => JSON.parse(json).choices[0]?.delta.content ?? "");
    expect(words.join("")).toBe(whole.choices[0].message.content);
    const refused = await complete(service, { model, messages, tools: [{ type: "function" }] });
    expect(errorIn(refused)).toMatchObject({ status: 400, code: "invalid-request", param: "tools" });
    const response_format = { type: "json_schema", json_schema: { name: "extraction_1", strict: true, schema: {} } };
    const extracting = await complete(service, { model, messages, response_format });
    expect(errorIn(extracting)).toMatchObject({ status: 400, code: "invalid-request", param: "response_format" });
  });
});

describe("A request is refused in OpenAI's shape, and no provider is called", () => {
  test("for members that are not passed on, and for what is no request", async () => {
    const service = await start();
    for (const [more, param] of [
      [{ temprature: 1 }, "temprature"],
      [{ n: 2 }, "n"],
      [{ store: true }, "store"],
      [{ functions: [] }, "functions"],
      [{ messages: [] }, "messages"],
      [{ messages: [{ role: "user", content: "" }] }, "messages/0/content"],
    ] as const) {
      const error = errorIn(await complete(service, { ...ASK, ...more }));
      expect(error).toMatchObject({ status: 400, type: "invalid_request_error", code: "invalid-request", param });
    }
    expect(errorIn(await complete(service, { ...ASK, temprature: 1 })).message).toBe(
      "temprature is not a member of this object; did you mean temperature?",
    );
    expect(errorIn(await complete(service, "{"))).toMatchObject({ status: 400, code: "malformed-json" });
    expect(errorIn(await complete(service, { ...ASK, model: "x" }))).toMatchObject({ status: 404, code: "not-found" });
    const embedded = await post(`${service.url}/v1/embeddings`, {}, AGENT);
    expect(errorIn(embedded)).toMatchObject({ status: 404, code: "not-found" });
    const put = await send(`${service.url}/v1/chat/completions`, { method: "PUT", body: "{}", headers: AGENT });
    expect(errorIn(put)).toMatchObject({ status: 405, code: "method-not-allowed" });
    expect(put.headers.allow).toBe("POST");
    expect(provider.received).toEqual([]);
  });

  test("while long bodies of the same caller hold too much memory, and short ones are served", async () => {
    const service = await start();
    const headers = { ...AGENT, "content-type": "application/json", "content-length": String(1024 * 1024) };
    const unfinished = Array.from({ length: 16 }, () => {
      const sent = request(`${service.url}/v1/chat/completions`, { method: "POST", headers }).on(
        "error",
        () => undefined,
      );
      sent.flushHeaders();
      return sent;
    });
    const long = { ...ASK, messages: [{ role: "user", content: "What may I eat? ".repeat(5_000) }] };
    const refused = await waitFor(async () => {
      const error = errorIn(await complete(service, long));
      expect(error.status).toBe(429);
      return error;
    });
    expect(refused).toMatchObject({ type: "rate_limit_error", code: "too-many-requests" });
    expect((await complete(service, ASK)).status).toBe(200);
    for (const each of unfinished) each.destroy();
    await waitFor(async () => expect((await complete(service, long)).status).toBe(200));
  });

  test("when nobody says which agent asks; a key such as agent:assistant says it where there are no identities", async () => {
    const service = await start();
    expect(errorIn(await complete(service, ASK, {}))).toMatchObject({ status: 400, code: "invalid-request" });
    expect((await complete(service, ASK, { authorization: "Bearer agent:assistant" })).status).toBe(200);
    for (const all of [{ authorization: "Bearer agent:*" }, { "portcullis-agent": "*" }])
      expect(errorIn(await complete(service, ASK, all))).toMatchObject({ status: 400, code: "invalid-request" });
    const unknown = await complete(service, ASK, { authorization: "Bearer sk-something" });
    expect(errorIn(unknown)).toMatchObject({ status: 400, code: "invalid-request" });
  });

  test("by identities: a wrong key is a 401, an auditor's a 403, and an agent's is its agent", async () => {
    const { url, keyFor } = await keyedServiceForTest({
      environment: { MODEL_BASE_URL: provider.baseUrl, MODEL_NAME: "m" },
    });
    const call = (bearer: string) => post(`${url}/v1/chat/completions`, ASK, { authorization: `Bearer ${bearer}` });
    expect(errorIn(await call("agent:assistant"))).toMatchObject({ status: 401, code: "unauthenticated" });
    const auditor = await keyFor("auditor");
    expect(errorIn(await call(auditor.key))).toMatchObject({ status: 403, code: "forbidden" });
    const agent = await keyFor("agent:assistant");
    expect((await call(agent.key)).status).toBe(200);
  });

  test("when the recall fails", async () => {
    let isDown = false;
    const records = interceptCalls(sqliteRecords({ path: ":memory:" }), (_, call) => {
      if (isDown) throw new PortcullisError("records-unavailable", "The database is down.");
      return call();
    });
    const service = await serviceForTest({
      environment: { MODEL_BASE_URL: provider.baseUrl, MODEL_NAME: "m" },
      overrides: { records },
    });
    isDown = true;
    const answer = await complete(service, ASK);
    isDown = false;
    expect(errorIn(answer)).toMatchObject({ status: 503, type: "api_error", code: "records-unavailable" });
    expect(provider.received).toEqual([]);
  });
});

describe("A provider's failure", () => {
  test("is an error of OpenAI's shape that quotes nothing of the request", async () => {
    const service = await start();
    for (const [status, expected] of [
      [401, { status: 502, code: "model-failed" }],
      [400, { status: 502, code: "model-failed" }],
    ] as const) {
      provider.knobs.next = [{ kind: "status", status }];
      const answer = await complete(service, ASK);
      expect(errorIn(answer)).toMatchObject(expected);
      expect(answer.text).not.toContain("fish");
    }
  });

  test("a prompt that is too long is sent once more with half of the memories", async () => {
    const service = await start();
    const content = "A long story of the fish that we eat on Friday. ".repeat(100).trim();
    for (const namespace of ["one", "two", "three"]) {
      await service.client.capture({ namespace, content: `${namespace}: ${content}`, sourceAgent: "s" });
      await service.client.setAccess({ agentId: "assistant", namespace, allowed: true });
    }
    provider.knobs.contextCharacters = 12_000;
    const answer = await complete(service, ASK);
    expect(answer.status).toBe(200);
    const [first = 0, second = 0] = provider.received.map(({ body }) => body.length);
    expect(second).toBeLessThan(first * 0.6);
    const { receipt } = await service.client.getReceipt({ answerId: receiptOf(answer) });
    expect(receipt.usedMemories.length).toBeGreaterThan(0);
  });

  test("in the middle of a stream ends it with an error, and the receipt is broken off", async () => {
    const service = await start();
    provider.knobs.next = [{ kind: "reset-midway" }];
    const answer = await complete(service, { ...ASK, stream: true });
    const data = dataIn(answer);
    expect(JSON.parse(data.at(-1) ?? "").error).toMatchObject({ code: "model-failed", type: "api_error" });
    expect(answer.text).not.toContain("[DONE]");
    await waitFor(async () => {
      const { status } = await service.client.getReceipt({ answerId: receiptOf(answer) });
      expect(status).toBe("broken-off");
    });
  });
});

describe("A revoke", () => {
  const revoke = ({ client }: Service) => client.setAccess({ agentId: "assistant", namespace: "diet", allowed: false });

  test("before the first byte: the answer is made again without what was closed", async () => {
    const service = await start();
    const arrived = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<number>();
    provider.knobs.onChat = () => arrived.resolve();
    provider.knobs.latencyMs = () => answer.promise;
    const asking = complete(service, { ...ASK, stream: true });
    await arrived.promise;
    await revoke(service);
    provider.knobs.latencyMs = 0;
    answer.resolve(0);
    const { text, status } = await asking;
    expect(status).toBe(200);
    expect(text).toContain("[DONE]");
    expect(forwarded().at(-1)?.messages[0]?.content).toBe(ASK.messages[0]?.content);
  });

  test("after the first byte: the stream ends with an error, and nothing more of the answer leaves", async () => {
    const service = await start();
    provider.knobs.tokenMs = 20;
    provider.knobs.answer = () => "word ".repeat(400);
    const connection = await connectTo(service.url);
    const body = JSON.stringify({ ...ASK, stream: true });
    connection.write(
      `POST /v1/chat/completions HTTP/1.1\r\nHost: ${new URL(service.url).host}\r\nPortcullis-Agent: assistant\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    );
    await connection.until("word");
    await revoke(service);
    const text = await connection.everything();
    expect(text).toContain('"code":"policy-changed"');
    expect(text).not.toContain("[DONE]");
    expect(text.split("word").length).toBeLessThan(400);
  });

  test("with Portcullis-Buffer nothing is sent before the end, so the answer is made again whenever it comes", async () => {
    const service = await start();
    provider.knobs.tokenMs = 5;
    provider.knobs.answer = ({ user }) => (user.includes("fish") ? "fish ".repeat(100) : "Nothing.");
    const arrived = Promise.withResolvers<void>();
    provider.knobs.onChat = () => arrived.resolve();
    const asking = complete(service, { ...ASK, stream: true }, { ...AGENT, "portcullis-buffer": "true" });
    await arrived.promise;
    await revoke(service);
    const answer = await asking;
    expect(answer.text).toContain("Nothing.");
    expect(answer.text).not.toContain("fish");
    expect(dataIn(answer).at(-1)).toBe("[DONE]");
  });
});
