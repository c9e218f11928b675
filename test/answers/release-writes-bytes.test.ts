// What passes the fence before a release is out of the service's hands when the fence is left: the bytes are written.
import { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { LanguageModel, PolicyRecords } from "#ports.ts";
import { connectTo, post } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";

const order: string[] = [];
const { write, end } = ServerResponse.prototype;

/** Notes the writes that carry something of the answer. */
function noting(method: typeof write | typeof end, name: string) {
  return function (this: ServerResponse, ...args: unknown[]) {
    const [chunk] = args;
    const text = typeof chunk === "string" || chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : "";
    const word = ["event: token", "event: answer", '{"answer"'].find((known) => text.includes(known));
    if (word !== undefined) order.push(`${name} ${word}`);
    return (method as (...args: unknown[]) => unknown).apply(this, args);
  };
}

beforeEach(() => {
  order.length = 0;
  ServerResponse.prototype.write = noting(write, "write") as typeof write;
  ServerResponse.prototype.end = noting(end, "end") as typeof end;
});
afterEach(() => Object.assign(ServerResponse.prototype, { write, end }));

const notingFence =
  (passFence: PolicyRecords["passFence"]): PolicyRecords["passFence"] =>
  (sight, act) =>
    passFence(sight, async () => {
      order.push("enter");
      await act();
      order.push("leave");
    });

async function ask(accept: string): Promise<void> {
  const service = await serviceForTest();
  const { deps } = service;
  // The same object that the service works with.
  Object.assign(deps.fences, { release: notingFence(deps.fences.release) });
  const { status } = await post(`${service.url}/api/chat`, { agentId: "assistant", query: "dinner" }, { accept });
  expect(status).toBe(200);
}

test("an answer in one piece", async () => {
  await ask("application/json");
  await expect.poll(() => order.join(", ")).toBe('enter, end {"answer", leave');
});

test("an answer in pieces", async () => {
  await ask("text/event-stream");
  const pieces = "enter, write event: token, leave, enter, write event: answer, leave";
  await expect.poll(() => order.join(", ")).toBe(pieces);
});

test("an answer that has to wait for another on its connection is not made before its turn", async () => {
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
      return { text: user.includes("adrenaline") ? "told of the allergy" : "told of nothing", model: "slow" };
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
  expect(replies.match(/told of nothing/g)?.length).toBe(2);
  expect(prompts.join()).not.toContain("adrenaline");
});

test("a listener who takes nothing holds no revoke up, and gets nothing of it afterwards", async () => {
  const { url, client } = await serviceForTest({ overrides: { model: endless() } });
  const { socket, write } = await connectTo(url);
  socket.pause();
  write(requestOf("assistant", "accept: text/event-stream\r\n"));
  await expect.poll(() => order.includes("stuck"), { timeout: 20_000 }).toBe(true);
  await client.setAccess({ agentId: "assistant", namespace: "health", allowed: false });
  order.push("revoked");
  socket.destroy();
  expect(order.at(-1)).toBe("revoked");
});

/** Talks until nobody takes any more of it. */
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
