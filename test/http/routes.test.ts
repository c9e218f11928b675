// Paths and methods, problems for everything else, and the headers that every reply has.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createClient } from "#contract/client/client.ts";
import { routes } from "#contract/routes.ts";
import { expectProblem } from "#test/support/bodies.ts";
import { connectTo, exchange, problemIn, send } from "#test/support/send.ts";
import { serviceForTest, sharedService } from "#test/support/service.ts";

const PATHS = [...new Set(Object.values(routes).map(({ path }) => path))];
const OTHERS = ["/", "/livez", "/readyz", "/openapi.json", "/v1/blobs/x"];

/** Balancers check health with OPTIONS, too. */
const HEALTH = new Set(["/", "/livez", "/readyz"]);

describe("Unknown paths and methods:", () => {
  const service = sharedService();

  test.for([
    "/api",
    "/api/",
    "/api/chat/",
    "/api/nothing",
    "/API/chat",
    "/favicon.ico",
    "/v1/blobs",
    "/%00",
    "/%ff",
    "//",
  ])("GET and POST %s are answered with 404", async (path) => {
    const { url } = service();
    expectProblem(await send(`${url}${path}`), 404, "not-found");
    expectProblem(await send(`${url}${path}`, { method: "POST", body: "{}" }), 404, "not-found");
  });

  test.for([...PATHS, ...OTHERS])("%s lists its methods when it is called with another", async (path) => {
    const { url } = service();
    const ours = Object.values(routes).filter((route) => route.path === path);
    const others = HEALTH.has(path) ? ["GET", "OPTIONS"] : ["GET"];
    const allowed: string[] = ours.length === 0 ? others : ours.map(({ method }) => method);
    for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "QUERY"]) {
      if (allowed.includes(method)) continue;
      const answer = await send(`${url}${path}`, { method });
      expectProblem(answer, 405, "method-not-allowed");
      expect(
        answer.headers.allow
          ?.split(", ")
          .filter((name) => name !== "HEAD")
          .sort(),
      ).toEqual(allowed.sort());
    }
  });
});

describe("What Node's parser or the adapter refuses is also a problem:", () => {
  const service = sharedService();
  const get = (head: string) => `GET / HTTP/1.1\r\n${head}\r\nconnection: close\r\n\r\n`;

  test.for([
    ["a method that does not exist", "BREW /api/chat HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"],
    ["a lower-case method", "get / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"],
    ["a tunnel", "CONNECT example.test:443 HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n"],
    ["no HTTP at all", "hello\r\n\r\n"],
    ["two lengths", get("host: 127.0.0.1\r\ncontent-length: 1\r\ncontent-length: 2")],
    ["a length and chunks", get("host: 127.0.0.1\r\ncontent-length: 1\r\ntransfer-encoding: chunked")],
    ["a header line without a name", get("host: 127.0.0.1\r\n: x")],
    ["no Host", get("accept: */*")],
    ["a Host that is no host", get("host: 127.0.0.1/evil")],
    ["a Host with a user", get("host: user@127.0.0.1")],
    ["a Host with a space", get("host: 127.0.0.1 evil")],
    ["a backslash in the path", "GET /\\..\\api HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\n\r\n"],
    ["headers without end", get(`host: 127.0.0.1\r\nx: ${"y".repeat(100_000)}`)],
    ["an expectation that nobody meets", get("host: 127.0.0.1\r\nexpect: a-miracle")],
  ])("%s", async ([, bytes]) => {
    const { url, client } = service();
    const answer = await exchange(url, bytes ?? "");
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    expect(answer.toLowerCase()).toContain("content-type: application/problem+json");
    const problem = JSON.parse(answer.slice(answer.indexOf("{"), answer.lastIndexOf("}") + 1));
    expect(problem).toMatchObject({ code: expect.stringMatching(/^[a-z-]+$/), detail: expect.stringMatching(/./) });
    expect(answer).toMatch(`HTTP/1.1 ${problem.status} `);
    expect((await client.getPolicy()).version).toBe(1);
  });

  test("a connection that is reset while it sends does not disturb others", async () => {
    const { url, client } = service();
    const { socket, write } = await connectTo(url);
    write("POST /api/chat HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 100\r\n\r\n{");
    socket.resetAndDestroy();
    expect((await client.getPolicy()).version).toBe(1);
  });
});

test.for(["/", "/livez", "/readyz", "/openapi.json", "/api/policy", "/api/memories"])(
  "HEAD %s is GET without the body",
  async (path) => {
    const { url } = await serviceForTest();
    const [head, get] = [await send(`${url}${path}`, { method: "HEAD" }), await send(`${url}${path}`)];
    expect(head).toMatchObject({ status: 200, text: "" });
    expect(head.headers["content-type"]).toBe(get.headers["content-type"]);
  },
);

test("HEAD of an unknown path, or of a path without GET, has the status of that error", async () => {
  const { url } = await serviceForTest();
  expect(await send(`${url}/nothing`, { method: "HEAD" })).toMatchObject({ status: 404, text: "" });
  expect(await send(`${url}/api/chat`, { method: "HEAD" })).toMatchObject({ status: 405, text: "" });
});

test("Every reply, also an error, has the headers that keep browsers from framing, sniffing and caching it", async () => {
  const { url } = await serviceForTest();
  const answers = [
    await send(`${url}/`),
    await send(`${url}/api/memories`),
    await send(`${url}/api/policy`),
    await send(`${url}/openapi.json`),
    await send(`${url}/nothing`),
    await send(`${url}/api/chat`, { method: "POST", body: "{" }),
    await send(`${url}/api/chat`),
    await send(`${url}/`, { headers: { host: "evil.test" } }),
  ];
  for (const { headers } of answers) {
    expect(headers).toMatchObject({
      "cache-control": "no-store",
      "content-security-policy": expect.stringMatching(/default-src 'none'.*frame-ancestors 'none'/),
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
    });
    expect(headers).not.toHaveProperty("access-control-allow-origin");
    expect(headers).not.toHaveProperty("x-powered-by");
    expect(headers).not.toHaveProperty("server");
  }
});

describe("Request ids", () => {
  test.for(["abc", "A-b_9", "x".repeat(64)])("%s is used when the client sends it", async (id) => {
    const { url, logLines } = await serviceForTest();
    const answer = await send(`${url}/nothing`, { headers: { "x-request-id": id } });
    expect(answer.headers["x-request-id"]).toBe(id);
    expect(problemIn(answer).requestId).toBe(id);
    expect(JSON.parse(logLines.at(-1) ?? "")).toMatchObject({ requestId: id, route: "unknown", status: 404 });
  });

  test.for(["", "a b", "x".repeat(65), '"},{"level":50', "<script>", "é", "a\tb", "../etc", "a,b"])(
    "'%s' is replaced by a new one",
    async (id) => {
      const { url, logLines } = await serviceForTest();
      const { headers } = await send(`${url}/livez`, { headers: { "x-request-id": id } });
      expect(headers["x-request-id"]).toMatch(/^[\w-]{16}$/);
      expect(JSON.parse(logLines.at(-1) ?? "").requestId).toBe(headers["x-request-id"]);
    },
  );

  test("two requests have different ones", async () => {
    const { url } = await serviceForTest();
    const [one, two] = [await send(`${url}/livez`), await send(`${url}/livez`)];
    expect(one.headers["x-request-id"]).not.toBe(two.headers["x-request-id"]);
  });
});

test("The service is live and ready, and not ready once it is about to stop", async () => {
  const service = await serviceForTest();
  expect(await send(`${service.url}/livez`)).toMatchObject({ status: 200, text: '{"status":"live"}' });
  const ready = await send(`${service.url}/readyz`);
  expect([ready.status, JSON.parse(ready.text)]).toMatchObject([
    200,
    { status: "ready", ledger: { network: "local" }, blobs: { storedUntil: null } },
  ]);
  service.stopAccepting();
  expect((await send(`${service.url}/livez`)).status).toBe(200);
  expect(await send(`${service.url}/readyz`)).toMatchObject({ status: 503, text: '{"status":"stopping"}' });
});

test("/openapi.json is the committed file, which names every route", async () => {
  const { url } = await serviceForTest();
  const { headers, text } = await send(`${url}/openapi.json`);
  expect(headers["content-type"]).toBe("application/json");
  const document = JSON.parse(text);
  const committed = JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8"));
  expect(document).toEqual({ ...committed, servers: [{ url: "/", description: "This service." }] });
  expect(document.openapi).toMatch(/^3\.1\./);
  const operations = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap(Object.values);
  expect(operations.map(({ operationId }) => operationId)).toEqual(expect.arrayContaining(Object.keys(routes)));
});

test("The client turns a problem into an error with its code, and any other error into `unexpected-response`", async () => {
  const { client, url } = await serviceForTest();
  await expect(client.chat({ agentId: "", query: "dinner" })).rejects.toMatchObject({
    name: "ProblemError",
    status: 400,
    code: "invalid-request",
    problem: { errors: [{ pointer: "#/agentId" }] },
  });
  const proxy = createClient({
    baseUrl: url,
    fetch: async () => new Response("<h1>Bad gateway</h1>", { status: 502 }),
  });
  await expect(proxy.getPolicy()).rejects.toMatchObject({ status: 502, code: "unexpected-response" });
});
