// The log has one structured line for each request, and never a word of memories, queries, answers or bodies.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createClient } from "#contract/client/client.ts";
import { PortcullisError } from "#core/errors.ts";
import { type Prompt, readPrompt } from "#core/prompt/prompt.ts";
import { RECEIPT } from "#test/support/bodies.ts";
import { connectTo, exchange, post, send } from "#test/support/send.ts";
import { directoryForTest, serviceForTest } from "#test/support/service.ts";
import { serviceProcessForTest } from "#test/support/service-process.ts";
import { spyOnConsole } from "#test/support/spy-on-console.ts";
import { waitFor } from "#test/support/wait-for.ts";

const CANARY = "canary-7f3a";
const FACT = {
  namespace: "birds",
  content: `first line\n    at ${CANARY} dinner\nat ${CANARY}`,
  sourceAgent: "keeper",
};

const withCanary = (lines: readonly string[]) => lines.filter((line) => line.includes(CANARY));

/** Sends requests with the canary in every place that can hold a word. */
async function sendCanary(url: string): Promise<void> {
  const client = createClient({ baseUrl: url });
  await client.capture(FACT);
  await client.setAccess({ agentId: "keeper", namespace: "birds", allowed: true });
  const asked = await post(`${url}/api/chat`, { agentId: "keeper", query: `Dinner at ${CANARY}?` });
  if (asked.status === 200) await client.anchorReceipt({ receipt: JSON.parse(asked.text).receipt });
  await post(`${url}/api/companion`, { query: CANARY });
  await post(`${url}/api/anchor`, { receipt: { ...RECEIPT, note: CANARY } });
  await post(`${url}/api/anchor`, { receipt: { ...RECEIPT, note: `${CANARY}\ud800` } });
  await post(`${url}/api/anchor`, { receipt: { ...RECEIPT, createdAt: CANARY, usedMemories: [{ snippet: CANARY }] } });
  await post(`${url}/api/chat`, `{"query": "${CANARY}`);
  await post(`${url}/api/chat`, `${CANARY}`);
  await post(`${url}/api/chat`, Buffer.from(`{"query":"${CANARY}\xff"}`, "latin1"));
  await post(`${url}/api/chat`, { agentId: "keeper", query: CANARY.repeat(1_000) });
  await post(`${url}/api/chat`, { agentId: 7, query: [CANARY], [CANARY]: CANARY });
  await post(`${url}/api/chat`, `{"${CANARY}":${"[".repeat(100)}`);
  await post(`${url}/api/chat`, CANARY.repeat(10_000));
  await post(`${url}/api/chat`, CANARY, { "content-type": "text/plain" });
  await post(`${url}/api/chat`, { query: CANARY }, { origin: "https://evil.test" });
  await send(`${url}/${CANARY}?q=${CANARY}`);
  await send(`${url}/v1/blobs/${CANARY}`);
  await send(`${url}/api/memories?cursor=${CANARY}&${CANARY}=1`);
  const headers = { "x-request-id": `${CANARY} x`, authorization: CANARY, cookie: CANARY, "user-agent": CANARY };
  await send(`${url}/livez`, { headers });
  await exchange(url, `BREW /${CANARY} HTTP/1.1\r\n\r\n`);
  await send(`${url}/api/memories`);
}

test("No word of a memory, a query, an answer or a body is in the log", async () => {
  const { url, logLines } = await serviceForTest();
  await sendCanary(url);
  expect(logLines.length).toBeGreaterThan(20);
  expect(withCanary(logLines)).toEqual([]);
});

test("The process prints no such word either", async () => {
  const directory = await directoryForTest();
  const child = serviceProcessForTest(directory, {
    PORT: "0",
    DATABASE_URL: join(directory, "m.db"),
    LOG_LEVEL: "debug",
  });
  await sendCanary(await child.ready());
  child.kill("SIGTERM");
  await child.exited;
  expect(child.out()).toContain("/api/chat");
  expect(withCanary(child.out().split("\n"))).toEqual([]);
  expect(child.err()).toBe("");
  for (const line of child.out().trim().split("\n")) expect(() => JSON.parse(line)).not.toThrow();
});

describe("An error that quotes a memory leaves no quotation in the log:", () => {
  const content = (prompt: Prompt) =>
    readPrompt(prompt)
      .memories.map((memory) => memory.content)
      .join("\n");

  const FAULTS: Readonly<Record<string, (prompt: Prompt) => unknown>> = {
    "the prompt in its message": ({ user }) => new Error(`cannot complete: ${user}`),
    "the memories in its message, line by line": (prompt) => new Error(`cannot complete:\n${content(prompt)}`),
    "the question in its message": (prompt) => new TypeError(readPrompt(prompt).query),
    "the memories in its cause": (prompt) => new Error("failed", { cause: new Error(content(prompt)) }),
    "the memories as its cause": (prompt) => new Error("failed", { cause: content(prompt) }),
    "the memories in a field": (prompt) => Object.assign(new Error("failed"), { body: content(prompt) }),
    "the memories as its name": (prompt) => Object.assign(new Error("failed"), { name: content(prompt) }),
    "the memories as its code": (prompt) => Object.assign(new Error("failed"), { code: content(prompt) }),
    "the memories below one of ours": (prompt) =>
      new PortcullisError("model-failed", "The model failed.", { cause: new Error(content(prompt)) }),
    "the memories in one of many": (prompt) => new AggregateError([new Error(content(prompt))], content(prompt)),
    "nothing but the text": content,
  };

  test.for(Object.entries(FAULTS))("%s", async ([, fault]) => {
    const written = spyOnConsole();
    const complete = (prompt: Prompt) => Promise.reject(fault(prompt));
    const { url, logLines } = await serviceForTest({ overrides: { model: { name: "failing", complete } } });
    await sendCanary(url);
    expect(logLines.filter((line) => JSON.parse(line).level === 50).length).toBeGreaterThan(0);
    expect(withCanary(logLines)).toEqual([]);
    expect(written()).toEqual([]);
  });
});

test("Each request has one line with its id, method, route of the table, status and time", async () => {
  const { url, logLines } = await serviceForTest();
  await send(`${url}/api/memories?limit=3`);
  await post(`${url}/api/chat`, { agentId: "assistant", query: "dinner" });
  await post(`${url}/api/chat`, {});
  await send(`${url}/v1/blobs/abc`);
  await send(`${url}/api/chat`, { method: "DELETE" });
  const lines = logLines.map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { msg: "request", method: "GET", route: "/api/memories", status: 200 },
    { msg: "request", method: "POST", route: "/api/chat", status: 200 },
    { msg: "request", method: "POST", route: "/api/chat", status: 400 },
    { msg: "request", method: "GET", route: "/v1/blobs/:blobId", status: 404 },
    { msg: "request", method: "DELETE", route: "/api/chat", status: 405 },
  ]);
  for (const { requestId, ms, time, level } of lines) {
    expect(requestId).toMatch(/^[\w-]{16}$/);
    expect(ms).toBeGreaterThanOrEqual(0);
    expect(new Date(time).toISOString()).toBe(time);
    expect(level).toBe(30);
  }
});

test("A failure of the service is logged with its place in the code", async () => {
  const complete = () => Promise.reject(new PortcullisError("model-failed", "The model does not answer."));
  const { url, logLines } = await serviceForTest({ overrides: { model: { name: "failing", complete } } });
  await post(`${url}/api/chat`, { agentId: "assistant", query: "dinner" });
  const failure = logLines.map((line) => JSON.parse(line)).find(({ level }) => level === 50);
  expect(failure).toMatchObject({
    msg: "request failed",
    route: "/api/chat",
    error: { name: "PortcullisError", code: "model-failed", message: "The model does not answer." },
  });
  expect(failure.error.at[0]).toMatch(/^at .*:\d+:\d+\)?$/);
});

test("A client that leaves in the middle of its request is not logged as a failure", async () => {
  const { url, logLines } = await serviceForTest();
  const { socket, write, until } = await connectTo(url);
  const head = "content-type: application/json\r\ncontent-length: 100\r\nexpect: 100-continue";
  write(`POST /api/chat HTTP/1.1\r\nhost: 127.0.0.1\r\n${head}\r\n\r\n{`);
  await until("100 Continue");
  socket.resetAndDestroy();
  const lines = await waitFor(() => {
    expect(logLines.length).toBeGreaterThan(0);
    return logLines.map((line) => JSON.parse(line));
  });
  expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
  expect(lines.filter(({ status }) => status >= 500)).toEqual([]);
});
