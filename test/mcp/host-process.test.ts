// A host that starts the server as a process and talks to it over its standard input and output.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { LanguageModel } from "#ports.ts";
import { canaryOf, createWorld, type World } from "#test/identity/world.ts";
import { serviceForTest } from "#test/support/service.ts";
import { asProcess, type Server } from "./clients.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.service.stop());

function startHosted(server: Server) {
  const { command, args, env } = asProcess(server);
  const child = spawn(command, args, { env });
  onTestFinished(() => void child.kill());
  const ended = Promise.withResolvers<number | null>();
  child.once("close", ended.resolve);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    write: (line: string | object) =>
      void child.stdin.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`),
    /** The next line of stdout. It must be a message. */
    next: async () => JSON.parse((await lines.next()).value ?? "null"),
    endInput: () => child.stdin.end(),
    ended: ended.promise,
    errors: text(child.stderr),
  };
}

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "host", version: "1" } },
};
const call = (id: number, name: string, given: object = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: given },
});

test("Its output is the protocol alone, whatever comes in, and it ends with its input", async () => {
  const { write, next, endInput, ended } = startHosted({ url: world.service.url, key: world.keys.agent });
  for (const line of ["not JSON", "[]", "{}", '{"jsonrpc":"2.0"}', "\u0000"]) write(line);
  write(INITIALIZE);
  expect(await next()).toMatchObject({ id: 0, result: { protocolVersion: "2025-06-18" } });
  write({ jsonrpc: "2.0", method: "notifications/initialized" });
  write(call(1, "recall", { query: "What is the secret?" }));
  expect(JSON.stringify(await next())).toContain(canaryOf("diet"));
  endInput();
  expect(await ended).toBe(0);
});

test("It starts with no key but an agent's, and says what to do", async () => {
  const { keys, service } = world;
  const refused = [
    [{ key: keys.admin }, "name the agent to act as"],
    [{ key: keys.auditor }, "An auditor's key cannot be used here"],
    [{ key: keys.agent, agentId: "planner" }, "speaks as another agent"],
    [{}, "needs a key"],
  ] as const;
  await Promise.all(
    refused.map(async ([server, sentence]) => {
      const { errors, ended } = startHosted({ url: service.url, ...server });
      expect(await errors).toContain(sentence);
      expect(await ended).not.toBe(0);
    }),
  );
});

test("Without identities it acts as the agent that was named, with that agent's rights", async () => {
  const { url, client } = await serviceForTest();
  const { memories } = await client.listMemories();
  const blocked = memories.find(({ namespace }) => namespace === "finance");
  const { write, next } = startHosted({ url, agentId: "assistant" });
  write(INITIALIZE);
  await next();
  write({
    jsonrpc: "2.0",
    id: 1,
    method: "resources/read",
    params: { uri: `portcullis://memories/${blocked?.memoryId}` },
  });
  expect(await next()).toMatchObject({ id: 1, error: { message: expect.stringContaining("not-found") } });
  write(call(2, "forget", { memoryId: blocked?.memoryId }));
  expect(await next()).toMatchObject({ id: 2, result: { isError: true } });
  expect((await client.listMemories()).memories).toHaveLength(memories.length);
});

test("A call that its host cancels is cancelled at the service", async () => {
  const asked = Promise.withResolvers<AbortSignal | undefined>();
  const model: LanguageModel = {
    name: "patient",
    complete: (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
        asked.resolve(signal);
      }),
  };
  const { url } = await serviceForTest({ overrides: { model } });
  const { write, next } = startHosted({ url, agentId: "assistant" });
  write(INITIALIZE);
  await next();
  write(call(1, "ask", { query: "What about dinner?" }));
  const signal = await asked.promise;
  write({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
  await expect.poll(() => signal?.aborted).toBe(true);
});

test("It may start before the service does: a call then says that nothing answers", async () => {
  const { write, next } = startHosted({ url: "http://127.0.0.1:1", agentId: "assistant" });
  write(INITIALIZE);
  await next();
  write(call(1, "explain_access"));
  expect(await next()).toMatchObject({
    result: { isError: true, content: [{ text: expect.stringContaining("did not answer") }] },
  });
});
