// Replies that nobody reads: nothing is read from the records for one that cannot be sent, and of one that waits only
// the bytes are held.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test, vi } from "vitest";
import type { Exchange } from "#http/exchange.ts";
import { behindFence } from "#http/handlers/replies.ts";
import { callerOf } from "#http/limits/rate-limits.ts";
import { createSendBuffers } from "#http/limits/send-buffers.ts";
import type { Input } from "#http/route-handler.ts";
import type { Tenant } from "#service/tenant.ts";
import { serviceForTest } from "#test/support/service.ts";

const ROOM = 100_000;
/** A compressed page is so short that the system takes it. */
const UNCOMPRESSED = { headers: { "accept-encoding": "identity" } };

test("a caller who has yet to read too much is refused a page, and from then on before the page is read", async () => {
  const buffers = createSendBuffers({ ofCaller: ROOM, ofAll: ROOM });
  const { tenant, client, url } = await serviceForTest({ buffers });
  for (let i = 0; i < 20; i++)
    await client.capture({ namespace: "diet", sourceAgent: "tester", content: `${i} `.padEnd(2_000, "apples ") });
  const page = vi.spyOn(tenant.records.memories, "page");
  const read = async () => (await fetch(`${url}/api/memories?limit=20`, UNCOMPRESSED)).status;
  expect(await read()).toBe(200);
  const unread = buffers.open(callerOf({ address: "127.0.0.1" }), () => undefined);
  unread.reserve(ROOM);
  expect([await read(), page.mock.calls.length]).toEqual([429, 2]);
  expect([await read(), page.mock.calls.length]).toEqual([429, 2]);
  expect(await client.getService()).toBeDefined();
  unread.close();
  expect([await read(), await read()]).toEqual([200, 200]);
});

test("while a client does not read a page of memories, their records are not held", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  let record: WeakRef<object> | undefined;
  const send = behindFence<"getMemory">(async () => {
    const content = "apples ".repeat(10_000);
    const where = { memoryId: "mem_1", storeRef: "", namespace: "diet" };
    const memory = { ...where, sourceAgent: "a", content, createdAt: "", contentDigest: "" };
    record = new WeakRef(memory);
    return { value: { memory }, quoted: [memory] };
  });
  const never = new Promise<void>(() => undefined);
  const sent: unknown[] = [];
  const response = {
    turn: async () => undefined,
    cut: () => undefined,
    send(reply: unknown) {
      sent.push(reply);
      return never;
    },
  };
  const tenant = {
    policyMirror: { fenceState: async () => ({ policyVersion: 1, policyDigest: "", removals: 0 }) },
    records: {
      policy: {
        async passFence(_: unknown, action: (lost: AbortSignal) => Promise<void>) {
          await action(new AbortController().signal);
          return true;
        },
      },
    },
  };
  const principal = { role: "agent", agentId: "a" };
  const input = { principal } as Input<"getMemory">;
  const request = new Request("http://localhost/", UNCOMPRESSED);
  void send(tenant as unknown as Tenant, input, { request, response } as unknown as Exchange);
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  // A WeakRef keeps its object for the turn that made it.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(record?.deref()).toBeUndefined();
  expect(sent).toMatchObject([{ body: expect.any(Uint8Array) }]);
});
