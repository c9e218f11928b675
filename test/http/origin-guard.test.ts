// Pages of other sites cannot use a service on somebody's own machine, neither by DNS rebinding nor by cross-site requests.
import { describe, expect, test } from "vitest";
import { expectProblem, GOOD_BODIES } from "#test/support/bodies.ts";
import { exchange, post, send } from "#test/support/send.ts";
import { changingNothing, serviceForTest, sharedService } from "#test/support/service.ts";

const JSON_TYPE = { "content-type": "application/json" };

const shared = sharedService();

describe("A Host that does not name this machine is refused everywhere:", () => {
  test.for([
    "evil.test",
    "evil.test:3000",
    "127.0.0.1.evil.test",
    "localhost.evil.test",
    "evil-localhost",
    "10.0.0.1",
    "0.0.0.0",
    "[::]",
    "[::2]",
    "169.254.169.254",
  ])("%s", async (host) => {
    const service = shared();
    await changingNothing(service, async () => {
      for (const path of ["/", "/api/memories", "/api/policy", "/openapi.json", "/v1/blobs/x", "/livez", "/nothing"]) {
        const answer = await send(`${service.url}${path}`, { headers: { host } });
        expectProblem(answer, 403, "forbidden-host");
        expect(answer.text).not.toContain("memories");
      }
      for (const [path, body] of Object.entries(GOOD_BODIES)) {
        expectProblem(await post(`${service.url}${path}`, body, { host }), 403, "forbidden-host");
      }
      expectProblem(
        await send(`${service.url}/api/reset`, { method: "POST", headers: { host } }),
        403,
        "forbidden-host",
      );
    });
  });
});

describe("Behind a proxy the service has any name, so that nothing else refuses", () => {
  const service = sharedService({ environment: { AUTH: "keys", HOST: "0.0.0.0", TRUST_PROXY: "127.0.0.1" } });

  test.for(["1270.0.0.1", "999.1.1.1", "[::1", "x:99999", "%"])(
    "the Host %s, which is no host, and is refused",
    async (host) => {
      for (const path of ["/", "/api/memories", "/mcp", "/verify/x", "/livez"]) {
        const answer = await send(`${service().url}${path}`, { headers: { host, "x-forwarded-proto": "https" } });
        expect([answer.status, JSON.parse(answer.text)]).toMatchObject([400, { code: "malformed-http" }]);
      }
    },
  );
});

test.for(["localhost", "LOCALHOST:3000", "127.0.0.1", "127.0.0.1:1", "127.1.2.3:80", "[::1]", "[::1]:3000"])(
  "The Host %s names this machine",
  async (host) => {
    const { url } = shared();
    expect((await send(`${url}/api/policy`, { headers: { host } })).status).toBe(200);
  },
);

test("An absolute URL in the request line does not replace the Host", async () => {
  const { url } = await serviceForTest();
  const head = `GET ${url}/api/memories HTTP/1.1\r\nhost: evil.test\r\nconnection: close\r\n\r\n`;
  expect(await exchange(url, head)).toMatch(/^HTTP\/1\.1 403 [\s\S]*"code":"forbidden-host"/);
});

test("A service that is not confined to loopback answers to any Host, and still refuses pages of other sites", async () => {
  const { url } = await serviceForTest({ loopbackOnly: false });
  const host = "memory.example.test";
  const body = GOOD_BODIES["/api/chat"];
  expect((await post(`${url}/api/chat`, body, { host })).status).toBe(200);
  expect((await post(`${url}/api/chat`, body, { host, origin: `https://${host}` })).status).toBe(200);
  expectProblem(await post(`${url}/api/chat`, body, { host, origin: "https://evil.test" }), 403, "cross-origin");
});

const FOREIGN: readonly Readonly<Record<string, string>>[] = [
  { origin: "https://evil.test" },
  { origin: "null" },
  { origin: "" },
  { origin: "file://" },
  { origin: "http://127.0.0.1:1" },
  { origin: "http://localhost.evil.test" },
  { origin: "http://127.0.0.1@evil.test" },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
  { origin: "https://evil.test", "sec-fetch-site": "same-origin" },
];

describe.for(FOREIGN)("A request with %o", (headers) => {
  test("resets nothing, with a body or without", async () => {
    const service = shared();
    await service.client.capture(GOOD_BODIES["/api/memories"]);
    const reset = `${service.url}/api/reset`;
    await changingNothing(service, async () => {
      expectProblem(await send(reset, { method: "POST", headers }), 403, "cross-origin");
      expectProblem(await post(reset, {}, headers), 403, "cross-origin");
      const form = { "content-type": "application/x-www-form-urlencoded", ...headers };
      expectProblem(await send(reset, { method: "POST", body: "", headers: form }), 403, "cross-origin");
    });
  });

  test("changes nothing anywhere", async () => {
    const service = shared();
    await changingNothing(service, async () => {
      for (const [path, body] of Object.entries(GOOD_BODIES)) {
        const sent = { method: "POST", body: JSON.stringify(body), headers: { ...JSON_TYPE, ...headers } };
        expectProblem(await send(`${service.url}${path}`, sent), 403, "cross-origin");
      }
    });
  });

  test("gets no permission to read a reply", async () => {
    const { url } = shared();
    const { headers: given } = await send(`${url}/api/memories`, { headers });
    expect(given).not.toHaveProperty("access-control-allow-origin");
    expect(given["cross-origin-resource-policy"]).toBe("same-origin");
    const preflight = { ...headers, "access-control-request-method": "POST" };
    const answer = await send(`${url}/api/chat`, { method: "OPTIONS", headers: preflight });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
  });
});

test("A page of the service itself, and a program, may reset", async () => {
  const { url } = await serviceForTest();
  const { host } = new URL(url);
  for (const headers of [
    {},
    { origin: `http://${host}` },
    { origin: `http://${host}`, "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "none" },
  ]) {
    expect((await send(`${url}/api/reset`, { method: "POST", headers })).status).toBe(200);
  }
});
