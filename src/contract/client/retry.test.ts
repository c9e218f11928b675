import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { isProblem } from "#contract/problem.ts";
import { type Client, type ClientOptions, createClient } from "./client.ts";
import { ConnectionError } from "./read-reply.ts";

const FACT = { namespace: "garden", content: "Acid soil.", sourceAgent: "gardener" };
const RULE = { agentId: "a", namespace: "n", allowed: true };
const unreachable = () => Promise.reject(new TypeError("fetch failed", { cause: new Error("ECONNREFUSED") }));

function problem(status: number, code: string, retryAfter?: string): Response {
  const headers = { "content-type": "application/problem+json", ...(retryAfter && { "retry-after": retryAfter }) };
  const body = { type: `urn:portcullis:problem:${code}`, title: "T", status, code, detail: "D" };
  return new Response(JSON.stringify(body), { status, headers });
}

/** A client whose requests get these responses, one after the other, and the last one for ever. */
function clientWith(responses: readonly (() => Promise<Response> | Response)[], options: ClientOptions = {}) {
  const requests: { readonly at: number; readonly key: string | null }[] = [];
  const client = createClient({
    baseUrl: "http://service.test/",
    retries: 2,
    ...options,
    fetch: async (_, init) => {
      init?.signal?.throwIfAborted();
      requests.push({ at: Date.now(), key: new Headers(init?.headers).get("idempotency-key") });
      const response = responses[Math.min(requests.length, responses.length) - 1];
      return (await response?.()) ?? Response.json({});
    },
  });
  return { client, requests };
}

/** What a call came to, with all the pauses that it took. */
async function settled<T>(call: Promise<T>): Promise<T | Error> {
  let isSettled = false;
  const ending = call
    .catch((error: Error) => error)
    .finally(() => {
      isSettled = true;
    });
  // Not all timers: those of other files of this worker may begin anew for ever.
  while (!isSettled) await vi.advanceTimersToNextTimerAsync();
  return ending;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("A request that may be repeated", () => {
  test("is sent again when the service cannot be reached, with the same Idempotency-Key", async () => {
    const { client, requests } = clientWith([unreachable, unreachable, () => Response.json({ memory: {} })]);
    expect(await settled(client.capture(FACT))).toEqual({ memory: {} });
    expect(requests).toHaveLength(3);
    expect(new Set(requests.map(({ key }) => key)).size).toBe(1);
    expect(requests[0]?.key).toMatch(/^[0-9a-f]{32}$/);
  });

  test("keeps the key that its caller chose, and a GET has none", async () => {
    const { client, requests } = clientWith([unreachable, () => Response.json({})]);
    await settled(client.capture(FACT, { idempotencyKey: "mine" }));
    await settled(client.getPolicy());
    expect(requests.map(({ key }) => key)).toEqual(["mine", "mine", null]);
  });

  test("waits as long as Retry-After says, and longer from try to try", async () => {
    const { client, requests } = clientWith([
      () => problem(503, "records-unavailable", "3"),
      unreachable,
      () => Response.json({}),
    ]);
    await settled(client.getPolicy());
    const [first = 0, second = 0, third = 0] = requests.map(({ at }) => at);
    expect(second - first).toBeGreaterThanOrEqual(3_000);
    expect(third - second).toBeGreaterThanOrEqual(250);
    expect(third - second).toBeLessThanOrEqual(500);
  });

  test("is sent `retries` times more, and then fails with the last error", async () => {
    const { client, requests } = clientWith([unreachable]);
    expect(await settled(client.recall({ query: "q" }))).toMatchObject({
      name: "ConnectionError",
      code: "unreachable",
    });
    expect(requests).toHaveLength(3);
    await settled(client.recall({ query: "q" }, { retries: 0 }));
    expect(requests).toHaveLength(4);
  });

  test("goes on while the first request with its key is in progress", async () => {
    const { client } = clientWith([
      unreachable,
      () => problem(409, "in-progress", "2"),
      () => Response.json({ ok: 1 }),
    ]);
    expect(await settled(client.chat({ query: "q" }))).toEqual({ ok: 1 });
  });

  test("is a revoke, of one gate or of many, a forgetting by id, and the end of a key", async () => {
    const revoke = { ...RULE, allowed: false };
    for (const call of [
      (client: Client) => client.setAccess(revoke),
      (client: Client) => client.setAccess({ ...RULE, allowed: null }),
      (client: Client) => client.setAccessBatch({ rules: [revoke, { ...revoke, allowed: null }] }),
      (client: Client) => client.forgetMemory({ memoryId: "mem_1" }),
      (client: Client) => client.revokeKey({ keyId: "key_1" }),
    ]) {
      const { client, requests } = clientWith([unreachable, () => Response.json({ version: 2 })]);
      expect(await settled<unknown>(call(client))).toEqual({ version: 2 });
      expect(requests.map(({ key }) => key)).toEqual([null, null]);
    }
  });

  test.for([
    [400, "invalid-request"],
    [401, "unauthenticated"],
    [502, "model-failed"],
    [500, "internal"],
  ] as const)("is not sent again after %i %s", async ([status, code]) => {
    const { client, requests } = clientWith([() => problem(status, code)]);
    expect(isProblem(await settled(client.chat({ query: "q" })), code)).toBe(true);
    expect(requests).toHaveLength(1);
  });

  test("is sent again when a proxy in front of the service has no answer from it, or too many requests", async () => {
    for (const status of [429, 502]) {
      const { client, requests } = clientWith([() => new Response("<html>", { status }), () => Response.json({})]);
      expect(await settled(client.getPolicy())).toEqual({});
      expect(requests).toHaveLength(2);
    }
  });
});

describe("A request that must not be carried out twice", () => {
  test("is not sent again when it may have arrived", async () => {
    for (const failure of [unreachable, () => problem(503, "records-unavailable", "1")]) {
      const { client, requests } = clientWith([failure]);
      await settled(client.setAccess(RULE));
      await settled(client.setAccessBatch({ rules: [{ ...RULE, allowed: false }, RULE] }));
      await settled(client.setAccessBatch({ rules: [{ ...RULE, allowed: false }], ifVersion: 2 }));
      await settled(client.forgetByKey({ name: "n", key: "k" }));
      await settled(client.signIn({ key: "k" }));
      await settled(client.resetDemo());
      expect(requests).toHaveLength(6);
    }
  });

  test.for([
    [429, "too-many-requests"],
    [503, "overloaded"],
  ] as const)("is sent again after %i %s, which say that nothing was begun", async ([status, code]) => {
    const { client, requests } = clientWith([() => problem(status, code, "1"), () => Response.json({ version: 2 })]);
    expect(await settled(client.setAccess(RULE))).toEqual({ version: 2 });
    expect(requests.map(({ key }) => key)).toEqual([null, null]);
  });

  test("is not sent again when its body is a stream, which can be read once", async () => {
    const { client, requests } = clientWith([() => problem(503, "overloaded", "1")]);
    expect(await settled(client.importMemories([FACT]).next())).toMatchObject({ code: "overloaded" });
    expect(requests).toHaveLength(1);
    const blob = new Blob([`${JSON.stringify(FACT)}\n`]);
    await settled(client.importMemories(blob).next());
    expect(requests).toHaveLength(4);
  });
});

describe("A call's time", () => {
  test("ends all tries, and a pause that does not fit is not begun", async () => {
    const never = (signal?: AbortSignal | null) =>
      new Promise<Response>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    const late = createClient({ timeoutMs: 5_000, retries: 2, fetch: (_, init) => never(init?.signal) });
    expect(await settled(late.getPolicy())).toMatchObject({ name: "ConnectionError", code: "timeout" });

    const { client, requests } = clientWith([() => problem(429, "too-many-requests", "60")], { timeoutMs: 5_000 });
    const began = Date.now();
    expect(await settled(client.getPolicy())).toMatchObject({ code: "too-many-requests", retryAfterMs: 60_000 });
    expect([requests.length, Date.now() - began]).toEqual([1, 0]);
  });

  test("does not end a stream that has begun", async () => {
    const { client } = clientWith([() => new Response("line\n")], { timeoutMs: 1_000 });
    const body = await settled(client.exportRecords());
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await new Response(body as ReadableStream).text()).toBe("line\n");
  });

  test("leaves no timer behind", async () => {
    const { client } = clientWith([() => Response.json({})], { timeoutMs: 60_000 });
    await client.getPolicy();
    expect(vi.getTimerCount()).toBe(0);
  });

  test("ends at once when the signal aborts, also in a pause, with the signal's reason", async () => {
    const controller = new AbortController();
    const { client, requests } = clientWith([() => problem(503, "overloaded", "30")], { timeoutMs: 60_000 });
    const ending = client.getPolicy({ signal: controller.signal }).catch((error: Error) => error);
    await vi.advanceTimersByTimeAsync(1_000);
    const reason = new Error("left the page");
    controller.abort(reason);
    await vi.advanceTimersByTimeAsync(0);
    expect(await ending).toBe(reason);
    expect(requests).toHaveLength(1);
  });
});

describe("An error", () => {
  test("says where no service was found, and why", async () => {
    const { client } = clientWith([unreachable], { retries: 0 });
    const error = await settled(client.getPolicy());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ message: "The service at http://service.test cannot be reached." });
    expect((error as Error).cause).toMatchObject({ message: "ECONNREFUSED" });
  });

  test("of a response that is cut or no JSON is `broken-off`", async () => {
    const { client } = clientWith([() => new Response('{"policy": {')], { retries: 0 });
    expect(await settled(client.getPolicy())).toMatchObject({ name: "ConnectionError", code: "broken-off" });
  });

  test("is told from others by its code", async () => {
    const { client } = clientWith([() => problem(403, "forbidden")]);
    const error = await settled(client.getPolicy());
    expect([isProblem(error), isProblem(error, "forbidden"), isProblem(error, "not-found", "forbidden")]).toEqual([
      true,
      true,
      true,
    ]);
    expect([isProblem(error, "not-found"), isProblem(new Error("x")), isProblem(undefined)]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
