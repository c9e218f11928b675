// Whoever the client asks may send without an end. Nothing is held beyond a bound, and the connection is closed.
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { createClient } from "#contract/client/client.ts";
import { endlessService } from "#test/support/endless-service.ts";
import { waitFor } from "#test/support/wait-for.ts";

const MIB = 1024 * 1024;
const TOO_LARGE = { name: "ConnectionError", code: "too-large" };
const PROBLEM = { status: 400, headers: { "content-type": "application/problem+json" } };
const EVENTS = { headers: { "content-type": "text/event-stream" } };
const chat = (url: string) =>
  createClient({ baseUrl: url }).chat({ agentId: "a", query: "q" }, { onText: () => undefined });
const policy = (url: string) => createClient({ baseUrl: url, retries: 2 }).getPolicy();
const firstEvent = (url: string) => createClient({ baseUrl: url }).listenToEvents({ retryMs: 1 }).next();
const firstResult = (url: string) => createClient({ baseUrl: url }).importMemories([{}]).next();

test.for([
  ["a reply", 64, { begin: "[0", piece: ",0" }, policy],
  ["white space before a reply", 64, { piece: " " }, policy],
  ["a text", 64, { piece: "x" }, (url: string) => createClient({ baseUrl: url }).getMetrics()],
  ["a problem", 64, { ...PROBLEM, begin: '{"detail":"', piece: "x" }, policy],
  ["a line of results", 8, { begin: '{"line":"', piece: "x" }, firstResult],
  ["a line of an event", 8, { ...EVENTS, begin: "data: ", piece: "x" }, chat],
  ["an event of many lines", 8, { ...EVENTS, piece: "data: x\n" }, chat],
  ["an event of the feed", 8, { ...EVENTS, piece: "data: x\n" }, firstEvent],
] as const)("%s without an end is left at %d MiB, and asked for once", async ([, mib, sent, ask]) => {
  const service = await endlessService(sent);
  await expect(ask(service.url)).rejects.toMatchObject(TOO_LARGE);
  // What the kernel holds of a connection comes on top.
  expect(service.sent()).toBeLessThan((mib + 32) * MIB);
  expect(service.requests()).toBe(1);
  await waitFor(() => expect(service.open()).toBe(0));
});

test("of a compressed reply, what it decompresses to is counted", async () => {
  const bomb = gzipSync(Buffer.alloc(80 * MIB, " "));
  const service = await endlessService({ headers: { "content-encoding": "gzip" }, begin: bomb, piece: "" });
  await expect(policy(service.url)).rejects.toMatchObject(TOO_LARGE);
  await waitFor(() => expect(service.open()).toBe(0));
});

const DEEP = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;

test.for([
  ["a reply", {}, DEEP, policy],
  ["a problem", PROBLEM, DEEP, policy],
  ["an event", EVENTS, `event: answer\ndata: ${DEEP}\n\n`, chat],
] as const)("%s that is nested too deeply is refused", async ([, sent, begin, ask]) => {
  const service = await endlessService({ ...sent, begin, piece: "" });
  await expect(ask(service.url)).rejects.toMatchObject(TOO_LARGE);
});

test("the body of an error page is not read", async () => {
  const service = await endlessService({ status: 502, headers: { "content-type": "text/html" }, piece: "x" });
  const asked = createClient({ baseUrl: service.url }).getPolicy();
  await expect(asked).rejects.toMatchObject({ code: "unexpected-response" });
  expect(service.sent()).toBeLessThan(32 * MIB);
  await waitFor(() => expect(service.open()).toBe(0));
});

test("an export is a stream, however long it is", async () => {
  const service = await endlessService({ piece: "x" });
  const body = await createClient({ baseUrl: service.url }).exportRecords();
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > 100 * MIB) break;
  }
  expect(length).toBeGreaterThan(100 * MIB);
}, 60_000);
