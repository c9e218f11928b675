// A fence is left when the operating system has the bytes that passed it, and not before.
import { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import type { LanguageModel } from "#ports.ts";
import { connectTo, post } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";

const order: string[] = [];
const { write, end } = ServerResponse.prototype;

/** Records the writes that carry a part of the answer, and when their callback says that they are done. */
function recorded(method: typeof write | typeof end, name: string) {
  return function (this: ServerResponse, chunk: unknown, callback: unknown) {
    const text = typeof chunk === "string" ? chunk : "";
    const part = ["event: gate", "event: token", "event: answer", '{"answer"'].find((prefix) =>
      text.startsWith(prefix),
    );
    if (part === undefined) return Reflect.apply(method, this, [chunk, callback]);
    order.push(`${name} ${part}`);
    const done = () => {
      order.push("written");
      if (typeof callback === "function") callback();
    };
    return Reflect.apply(method, this, [chunk, done]);
  };
}

beforeEach(() => {
  order.length = 0;
  ServerResponse.prototype.write = recorded(write, "write") as typeof write;
  ServerResponse.prototype.end = recorded(end, "end") as typeof end;
});
afterEach(() => Object.assign(ServerResponse.prototype, { write, end }));

/** Asks with records whose fence is recorded. The model leaves its own fence out, so each entry is one for a release. */
async function ask(accept: string): Promise<void> {
  const model: LanguageModel = {
    name: "quick",
    async complete(_, { onText }) {
      onText?.("Fish.");
      return { text: "Fish.", model: "quick" };
    },
  };
  const records = sqliteRecords({ path: ":memory:" });
  const passFence: typeof records.policy.passFence = (readSet, action) =>
    records.policy.passFence(readSet, async (lost) => {
      order.push("enter");
      await action(lost);
      order.push("leave");
    });
  const overrides = { model, records: { ...records, policy: { ...records.policy, passFence } } };
  const { url } = await serviceForTest({ overrides });
  order.length = 0; // The memories of the demo were captured behind fences, too.
  const { status } = await post(`${url}/api/chat`, { agentId: "assistant", query: "dinner" }, { accept });
  expect(status).toBe(200);
}

test("A JSON answer is written behind its fence", async () => {
  await ask("application/json");
  await expect.poll(() => order).toEqual(["enter", 'end {"answer"', "written", "leave"]);
});

test("Each event of an answer is written behind a fence", async () => {
  await ask("text/event-stream");
  const gate = ["enter", "write event: gate", "written", "leave"];
  const token = ["enter", "write event: token", "written", "leave"];
  const answer = ["enter", "write event: answer", "written", "leave"];
  await expect.poll(() => order).toEqual([...gate, ...token, ...answer]);
});

test("An answer is not made before the earlier responses on its connection are sent", async () => {
  const begun = Promise.withResolvers<void>();
  const first = Promise.withResolvers<void>();
  const prompts: string[] = [];
  const model: LanguageModel = {
    name: "slow",
    async complete({ user }) {
      prompts.push(user);
      if (prompts.length === 1) {
        begun.resolve();
        await first.promise;
      }
      return { text: user.includes("adrenaline") ? "knows of the allergy" : "knows of nothing", model: "slow" };
    },
  };
  const { url, client } = await serviceForTest({ overrides: { model } });
  const { write, everything } = await connectTo(url);
  write(requestOf("stranger"));
  await begun.promise;
  write(requestOf("assistant", "connection: close\r\n"));
  // The second request has been read when a third one, on another connection, was answered.
  await client.getPolicy();
  await client.setAccess({ agentId: "assistant", namespace: "health", allowed: false });
  first.resolve();
  const replies = await everything();
  expect(replies.match(/knows of nothing/g)?.length).toBe(2);
  expect(prompts.join()).not.toContain("adrenaline");
});

test("A client that takes nothing does not hold up a revoke, and gets nothing more afterwards", async () => {
  const { url, client } = await serviceForTest({ overrides: { model: endless() } });
  const { socket, write } = await connectTo(url);
  socket.pause();
  write(requestOf("assistant", "accept: text/event-stream\r\n"));
  await expect.poll(() => order.includes("stuck")).toBe(true);
  await client.setAccess({ agentId: "assistant", namespace: "health", allowed: false });
  order.push("revoked");
  socket.destroy();
  expect(order.at(-1)).toBe("revoked");
});

/** Writes more than the connection can hold. */
function endless(): LanguageModel {
  return {
    name: "endless",
    async complete(_, { onText, signal }) {
      let said = 0;
      for (; signal?.aborted !== true && said < 64; said++) {
        onText?.("words ".repeat(100_000));
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      order.push("stuck");
      await new Promise((_resolve, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
      throw new Error("unreachable");
    },
  };
}

function requestOf(agentId: string, headers = ""): string {
  const body = JSON.stringify({ agentId, query: "What about the allergy?" });
  const type = "content-type: application/json\r\n";
  return `POST /api/chat HTTP/1.1\r\nhost: 127.0.0.1\r\n${type}${headers}content-length: ${body.length}\r\n\r\n${body}`;
}
