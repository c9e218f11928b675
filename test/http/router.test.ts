// The router over a real server: methods, the origin guard for each of them, and which of two paths counts.
import { describe, expect, onTestFinished, test } from "vitest";
import { prometheusMetrics } from "#adapters/metrics/prometheus-metrics.ts";
import { jsonReply } from "#http/answer/reply.ts";
import type { Exchange } from "#http/exchange.ts";
import { createSendBuffers } from "#http/limits/send-buffers.ts";
import { createRouter, type Router } from "#http/router.ts";
import { listen } from "#http/server.ts";
import { createLog } from "#log.ts";
import { expectProblem } from "#test/support/bodies.ts";
import { connectTo, send } from "#test/support/send.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const UNSAFE = METHODS.filter((method) => method !== "GET");

async function serve(define: (router: Router) => void): Promise<string> {
  const log = createLog({ level: "info", destination: { write: () => undefined } });
  const router = createRouter({ log, loopbackOnly: true, metrics: prometheusMetrics(), buffers: createSendBuffers() });
  define(router);
  const server = await listen({ fetch: router.fetch, host: "127.0.0.1", port: 0 });
  onTestFinished(() => server.stop(1_000));
  return server.url;
}

/** Every method on one path; each replies with its name and with the path's parameter. */
const allMethods = () =>
  serve((router) => {
    for (const method of METHODS) {
      router.on(method, "/api/things/:id", ({ params, response }) => response.send(jsonReply([method, params.id])));
    }
  });

describe("Methods", () => {
  test.for(METHODS)("%s reaches its own endpoint, with the parameters of the path", async (method) => {
    const url = await allMethods();
    expect(await send(`${url}/api/things/a%20b`, { method })).toMatchObject({
      status: 200,
      text: `["${method}","a b"]`,
    });
  });

  test("HEAD is GET without the body", async () => {
    const url = await allMethods();
    const { status, headers, text } = await send(`${url}/api/things/7`, { method: "HEAD" });
    expect([status, headers["content-length"], text]).toEqual([200, String('["GET","7"]'.length), ""]);
  });

  test("a path names its methods when it is called with another", async () => {
    const url = await serve((router) => {
      router.on("PUT", "/thing", ({ response }) => response.send(jsonReply({})));
      router.on("DELETE", "/thing", ({ response }) => response.send(jsonReply({})));
    });
    const answer = await send(`${url}/thing`, { method: "PATCH" });
    expectProblem(answer, 405, "method-not-allowed");
    expect(answer.headers.allow).toBe("PUT, DELETE");
  });

  test("of two paths that match, the first counts, also for methods that it does not have", async () => {
    const url = await serve((router) => {
      router.on("POST", "/things/import", ({ response }) => response.send(jsonReply("import")));
      router.on("GET", "/things/:id", ({ params, response }) => response.send(jsonReply(params.id)));
    });
    expect((await send(`${url}/things/import`, { method: "POST" })).text).toBe('"import"');
    expectProblem(await send(`${url}/things/import`), 405, "method-not-allowed");
    expect((await send(`${url}/things/7`)).text).toBe('"7"');
  });
});

describe("The origin guard", () => {
  test.for(UNSAFE)("refuses a %s from a page of another site", async (method) => {
    const url = await allMethods();
    for (const headers of [{ origin: "https://evil.test" }, { origin: "null" }, { "sec-fetch-site": "cross-site" }]) {
      expectProblem(await send(`${url}/api/things/7`, { method, headers }), 403, "cross-origin");
    }
  });

  test.for(UNSAFE)("lets a %s from our own page, and from a program, pass", async (method) => {
    const url = await allMethods();
    for (const headers of [{}, { origin: url }, { "sec-fetch-site": "same-origin" }]) {
      expect((await send(`${url}/api/things/7`, { method, headers })).status).toBe(200);
    }
  });
});

describe("A failure after the reply", () => {
  const failing = (reply: (exchange: Exchange) => Promise<void>) =>
    serve((router) => {
      router.on("GET", "/failing", async (exchange) => {
        await reply(exchange);
        throw new Error("late");
      });
    });

  /** What a request got, and then another one on the same connection. */
  async function twice(url: string): Promise<[first: string, second: string]> {
    const connection = await connectTo(url);
    const { host } = new URL(url);
    const request = (more = "") => connection.write(`GET /failing HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`);
    request();
    const first = await connection.until("whole");
    request("Connection: close\r\n");
    return [first, await connection.everything().catch(() => "cut")];
  }

  test("leaves a reply alone that is complete: the client may not have all of it yet", async () => {
    const url = await failing(({ response }) => response.send(jsonReply("whole")));
    const whole = expect.stringMatching(/^HTTP\/1\.1 200 OK[\s\S]*"whole"$/);
    expect(await twice(url)).toEqual([whole, whole]);
  });

  test("cuts a reply that is not complete, so that it is not taken for one", async () => {
    const url = await failing(async ({ response }) => {
      response.begin("text/plain");
      await response.write("not the whole");
    });
    expect(await twice(url)).toEqual([expect.stringContaining("not the whole"), "cut"]);
  });
});
