// Clients that break the rules of HTTP, JSON-RPC or MCP, by mistake or on purpose.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { canaryOf, createWorld, type World } from "#test/identity/world.ts";
import { runs } from "#test/support/runs.ts";
import { type Answer, connectTo, post, problemIn, send } from "#test/support/send.ts";

let world: World;
let headers: Record<string, string>;
let mcp: string;
beforeAll(async () => {
  world = await createWorld();
  mcp = `${world.service.url}/mcp`;
  headers = { authorization: `Bearer ${world.keys.agent}`, accept: "application/json, text/event-stream" };
});
afterAll(() => world.service.stop());

const message = (method: string, params: unknown = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
const LIST = message("tools/list");

/** The status, and the code of the problem or of the JSON-RPC error. */
function refusalIn(answer: Answer): [status: number, code: string | number] {
  const body = JSON.parse(answer.text);
  return [answer.status, body.code ?? body.error?.code];
}

test("GET and DELETE are not allowed: there is no session and no stream to open or end", async () => {
  for (const method of ["GET", "DELETE", "PUT", "HEAD"]) {
    const answer = await send(mcp, { method, headers: { ...headers, accept: "text/event-stream" } });
    expect([method, answer.status, answer.headers.allow]).toEqual([method, 405, "POST"]);
  }
});

test("A body that is too long, too deep, no JSON or no message is refused", async () => {
  const long = message("tools/call", { name: "recall", arguments: { query: "x".repeat(70_000) } });
  expect(refusalIn(await post(mcp, long, headers))).toEqual([413, "body-too-large"]);
  const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${"[".repeat(40)}${"]".repeat(40)}}`;
  expect(refusalIn(await post(mcp, deep, headers))).toEqual([400, "nesting-too-deep"]);
  expect(refusalIn(await post(mcp, "{", headers))).toEqual([400, "malformed-json"]);
  expect(refusalIn(await post(mcp, "", headers))).toEqual([400, "malformed-json"]);
  expect(refusalIn(await post(mcp, LIST, { ...headers, "content-type": "text/plain" }))).toEqual([
    415,
    "unsupported-media-type",
  ]);
  for (const body of ["null", "5", '"x"', "{}", '{"jsonrpc":"1.0","id":1,"method":"tools/list"}']) {
    const { status } = await post(mcp, body, headers);
    expect([body, status]).toEqual([body, 400]);
  }
});

test("A batch is refused, whatever it holds", async () => {
  for (const batch of [[], [LIST], [LIST, LIST]])
    expect(refusalIn(await post(mcp, batch, headers))).toEqual([400, "invalid-request"]);
});

test("A version that nobody speaks, or an Accept without JSON, is refused", async () => {
  const version = await post(mcp, LIST, { ...headers, "mcp-protocol-version": "1999-01-01" });
  expect(version.status).toBe(400);
  expect((await post(mcp, LIST, { ...headers, accept: "text/html" })).status).toBe(406);
  const meta = { "io.modelcontextprotocol/protocolVersion": "2999-01-01" };
  const claimed = await post(mcp, message("tools/list", { _meta: meta }), headers);
  expect(claimed.status).toBe(400);
});

test("A page of another site is refused before anything is read", async () => {
  for (const origin of ["https://evil.example", "null"]) {
    const answer = await post(mcp, LIST, { ...headers, origin });
    expect([answer.status, problemIn(answer).code]).toEqual([403, "cross-origin"]);
  }
});

test("Notifications are taken and have no effect, and a stream of changes cannot be opened", async () => {
  const note = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
  const answers = await Promise.all(Array.from({ length: 50 }, () => post(mcp, note, headers)));
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`))).toEqual(new Set(["202 "]));
  const listen = await post(mcp, message("subscriptions/listen", { notifications: {} }), headers);
  expect(JSON.parse(listen.text).error).toBeDefined();
  const modern = message("subscriptions/listen", {
    notifications: { toolsListChanged: true },
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "x", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  });
  const versioned = { ...headers, "mcp-protocol-version": "2026-07-28", "mcp-method": "subscriptions/listen" };
  expect(JSON.parse((await post(mcp, modern, versioned)).text).error).toBeDefined();
});

test("Names of prototypes are names that nobody has", async () => {
  for (const name of ["__proto__", "constructor", "toString", ""]) {
    for (const method of ["tools/call", "prompts/get"]) {
      const { text } = await post(mcp, message(method, { name, arguments: {} }), headers);
      expect(JSON.parse(text).error.code).toBe(-32602);
    }
    const { text } = await post(mcp, message("resources/read", { uri: `portcullis://${name}` }), headers);
    expect(JSON.parse(text).error.message).toContain("not-found");
  }
});

test("A client that goes away in the middle leaves the service as it was", async () => {
  const body = JSON.stringify(message("tools/call", { name: "ask", arguments: { query: "What is the secret?" } }));
  const lines = Object.entries({ ...headers, "content-type": "application/json", "content-length": body.length });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  for (const sent of [body, body.slice(0, 20)]) {
    const { socket, write } = await connectTo(mcp);
    write(`POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\n${head}\r\n${sent}`);
    socket.destroy();
  }
  expect((await post(mcp, LIST, headers)).status).toBe(200);
});

test("Whatever message comes, nothing breaks, and nothing blocked comes back", async () => {
  const names = [
    "remember",
    "learn_from_conversation",
    "recall",
    "ask",
    "forget",
    "explain_access",
    "get_receipt",
    "verify_receipt",
  ];
  const word = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom("diet", "finance", "planner", canaryOf("diet"), "ans_x", "portcullis://memories", "../", "0x1"),
  );
  const value = fc.oneof(word, fc.jsonValue({ maxDepth: 2 }));
  const keys = fc.constantFrom(
    "query",
    "namespace",
    "content",
    "memoryId",
    "answerId",
    "receiptId",
    "agentId",
    "key",
    "uri",
  );
  const call = fc.record({
    name: fc.constantFrom(...names, "answer_from_memory", "set_access", "reset"),
    arguments: fc.oneof(fc.dictionary(keys, value, { maxKeys: 4, noNullPrototype: true }), value),
    uri: word,
  });
  const method = fc.constantFrom(
    "tools/call",
    "tools/list",
    "resources/read",
    "prompts/get",
    "ping",
    "initialize",
    "x/y",
  );
  await fc.assert(
    fc.asyncProperty(
      method,
      fc.oneof(call, value),
      fc.oneof(fc.nat(), fc.string(), fc.constant(null)),
      async (name, params, id) => {
        const { status, text } = await post(mcp, { jsonrpc: "2.0", id, method: name, params }, headers);
        expect(status).toBeLessThan(500);
        expect(text).not.toContain(canaryOf("finance"));
        expect(text).not.toContain(canaryOf("garden"));
        expect(text).not.toMatch(/internal: |node_modules/);
      },
    ),
    { numRuns: runs(150) },
  );
  expect(world.service.logLines.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
});
