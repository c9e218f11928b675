// The JSON-RPC response that carries memories or an answer leaves while its fence is held.
import { ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { heldModel } from "#test/support/models.ts";
import { post } from "#test/support/send.ts";
import { type ServiceOptions, serviceForTest } from "#test/support/service.ts";

const { end } = ServerResponse.prototype;
const AGENT = "assistant";
/** A word of a memory of the demo, in the namespace `health`. */
const TEXT = "adrenaline";

let order: string[] = [];
/** When set, a JSON-RPC response is held until it resolves. */
let held: Promise<void> | undefined;

beforeEach(() => {
  order = [];
  held = undefined;
  ServerResponse.prototype.end = function (this: ServerResponse, chunk: unknown, callback: unknown) {
    if (typeof chunk !== "string" || !chunk.includes('"jsonrpc"'))
      return Reflect.apply(end, this, [chunk, callback]) as ServerResponse;
    order.push(chunk.includes(TEXT) ? "send text" : "send");
    const done = () => {
      order.push("written");
      if (typeof callback === "function") callback();
    };
    void Promise.resolve(held).then(() => Reflect.apply(end, this, [chunk, done]));
    return this;
  } as typeof end;
});
afterEach(() => {
  ServerResponse.prototype.end = end;
});

/** A service whose fence is recorded. */
async function recorded(options: ServiceOptions = {}) {
  const records = sqliteRecords({ path: ":memory:" });
  const passFence: typeof records.policy.passFence = (readSet, action) =>
    records.policy.passFence(readSet, async (lost) => {
      order.push("enter");
      await action(lost);
      order.push("leave");
    });
  const overrides = { ...options.overrides, records: { ...records, policy: { ...records.policy, passFence } } };
  return serviceForTest({ ...options, overrides });
}

function rpc(url: string, method: string, params: object) {
  const accept = "application/json, text/event-stream";
  return post(`${url}/mcp`, { jsonrpc: "2.0", id: 1, method, params }, { accept, "portcullis-agent": AGENT });
}

type Message = readonly [method: string, params: object];

const tool = (name: string, given: object): Message => ["tools/call", { name, arguments: given }];
const resource = (uri: string): Message => ["resources/read", { uri }];

describe("A message with text of memories", () => {
  test.for<[string, (answerId: string) => Message]>([
    ["recall", () => tool("recall", { query: "peanut allergy" })],
    ["a page of memories", () => resource("portcullis://memories")],
    ["a receipt", (answerId) => tool("get_receipt", { answerId })],
    ["a receipt as a resource", (answerId) => resource(`portcullis://receipts/${answerId}`)],
  ])("is written behind its fence: %s", async ([, message]) => {
    const { url, client } = await recorded();
    const { receipt } = await client.recall({ agentId: AGENT, query: "peanut allergy" });
    order = [];
    const { text } = await rpc(url, ...message(receipt?.answerId ?? ""));
    expect(text).toContain(TEXT);
    await expect.poll(() => order).toEqual(["enter", "send text", "written", "leave"]);
  });

  test("is written behind its fence: an answer, after the prompt has left behind its own", async () => {
    const { url } = await recorded();
    order = [];
    const { text } = await rpc(url, ...tool("ask", { query: "What about the peanut allergy?" }));
    expect(text).toContain(TEXT);
    await expect.poll(() => order).toEqual(["enter", "leave", "enter", "send text", "written", "leave"]);
  });

  test("that is held does not leave once a revoke was acknowledged", async () => {
    const hold = Promise.withResolvers<void>();
    held = hold.promise;
    const { url, client } = await recorded();
    const reply = rpc(url, ...tool("recall", { query: "peanut allergy" })).then(
      ({ text }) => text,
      () => "cut",
    );
    await expect.poll(() => order).toContain("send text");
    await client.setAccess({ agentId: AGENT, namespace: "health", allowed: false });
    expect(order).not.toContain("written");
    hold.resolve();
    expect(await reply).not.toContain(TEXT);
  });
});

test("An answer is made again without what was revoked while the model thought", async () => {
  const { model, answer } = heldModel();
  const asked = Promise.withResolvers<void>();
  const prompts: string[] = [];
  const watched: typeof model = {
    name: model.name,
    complete(prompt, options) {
      prompts.push(prompt.user);
      asked.resolve();
      return model.complete(prompt, options);
    },
  };
  const { url, client } = await serviceForTest({ overrides: { model: watched } });
  const reply = rpc(url, ...tool("ask", { query: "What about the peanut allergy?" }));
  await asked.promise;
  await client.setAccess({ agentId: AGENT, namespace: "health", allowed: false });
  answer();
  const { text } = await reply;
  expect(JSON.parse(text).result.structuredContent.answer).toBe("Soup.");
  expect(text).not.toContain(TEXT);
  expect(prompts[0]).toContain(TEXT);
  expect(prompts.at(-1)).not.toContain(TEXT);
});
