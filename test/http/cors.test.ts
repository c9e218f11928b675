// Pages of the origins in CORS_ORIGINS may call the API with a key of their own, and with nothing else.
import { describe, expect, test } from "vitest";
import { paths } from "#contract/paths.ts";
import { createAdmission } from "#http/admission/admission.ts";
import { createConcurrencyLimit } from "#http/admission/concurrency-limit.ts";
import { expectProblem } from "#test/support/bodies.ts";
import { keyedServiceForTest } from "#test/support/keyed-service.ts";
import { post, send } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";

const APP = "https://app.example";
const environment = { CORS_ORIGINS: `${APP}, http://localhost:5173` };
const PREFLIGHT = { "access-control-request-method": "POST", "access-control-request-headers": "authorization" };
const preflight = (origin: string) => ({ method: "OPTIONS", headers: { origin, ...PREFLIGHT } });
const BODY = { agentId: "assistant", query: "Dinner?" };

describe("A preflight", () => {
  test("of a configured origin names the methods of the path and the headers of the API, and never credentials", async () => {
    const { url } = await keyedServiceForTest({ environment });
    const byPath = Map.groupBy(Object.values(paths), ({ path }) => path);
    for (const [path, rows] of byPath) {
      const { status, headers } = await send(`${url}${path.replaceAll(/\{\w+\}/g, "x")}`, preflight(APP));
      expect(status).toBe(200);
      expect(headers["access-control-allow-origin"]).toBe(APP);
      const allowed = headers["access-control-allow-methods"]?.split(", ") ?? [];
      expect(allowed).toEqual(expect.arrayContaining(rows.map(({ method }) => method)));
      for (const name of ["Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID"])
        expect(headers["access-control-allow-headers"]).toContain(name);
      expect(headers).not.toHaveProperty("access-control-allow-credentials");
      expect(headers.vary).toMatch(/\borigin\b/i);
    }
  });

  test.for([
    "https://evil.test",
    "null",
    "https://app.example.evil.test",
    "http://app.example",
    "https://app.example:8443",
  ])("of %s gets no permission", async (origin) => {
    const { url } = await keyedServiceForTest({ environment });
    const answer = await send(`${url}/api/chat`, preflight(origin));
    expectProblem(answer, 405, "method-not-allowed");
    expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
  });
});

describe("A page of a configured origin", () => {
  test("reads replies and problems with their headers, and every reply varies with the origin", async () => {
    const { url, adminKey } = await keyedServiceForTest({ environment });
    const authorization = `Bearer ${adminKey}`;
    const answered = await post(`${url}/api/chat`, BODY, { origin: APP, authorization });
    expect(answered.status).toBe(200);
    const refused = await send(`${url}/api/policy`, { headers: { origin: APP } });
    expectProblem(refused, 401, "unauthenticated");
    const malformed = await send(`${url}/api/%`, { headers: { origin: APP, authorization } });
    for (const { headers } of [answered, refused, malformed]) {
      expect(headers["access-control-allow-origin"]).toBe(APP);
      for (const name of ["RateLimit", "Retry-After", "X-Request-Id", "ETag"])
        expect(headers["access-control-expose-headers"]).toContain(name);
      expect(headers).not.toHaveProperty("access-control-allow-credentials");
      expect(headers.vary).toMatch(/\borigin\b/i);
    }
    const plain = await send(`${url}/`, { headers: { authorization } });
    expect(plain.headers.vary).toMatch(/\borigin\b/i);
    expect(plain.headers).not.toHaveProperty("access-control-allow-origin");
    const page = await send(`${url}/verify/0x${"0".repeat(64)}`);
    expect(page.headers.vary).toBe("accept, origin");
  });

  test("reads that the service is overloaded", async () => {
    const limit = createConcurrencyLimit();
    const admission = createAdmission({ limit: { ...limit, value: 0 }, longLine: 0 });
    const { url } = await serviceForTest({ environment: { AUTH: "keys", ...environment }, admission });
    const { status, headers } = await send(`${url}/api/policy`, { headers: { origin: APP } });
    expect([status, headers["access-control-allow-origin"]]).toEqual([503, APP]);
  });

  test("changes nothing with the session of a browser, and nothing without a key", async () => {
    const { url, adminKey } = await keyedServiceForTest({ environment });
    const { headers } = await post(`${url}/api/session`, { key: adminKey }, { origin: url });
    const cookie = headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
    expect((await post(`${url}/api/chat`, BODY, { origin: url, cookie })).status).toBe(200);
    expectProblem(await post(`${url}/api/chat`, BODY, { origin: APP, cookie }), 403, "cross-origin");
    expectProblem(await post(`${url}/api/chat`, BODY, { origin: APP }), 403, "cross-origin");
    expectProblem(await post(`${url}/api/session`, { key: adminKey }, { origin: APP }), 403, "cross-origin");
    const authorization = `Bearer ${adminKey}`;
    expectProblem(
      await post(`${url}/api/chat`, BODY, { origin: "https://evil.test", authorization }),
      403,
      "cross-origin",
    );
  });
});

test("Without CORS_ORIGINS no reply speaks of origins", async () => {
  const { url, adminKey } = await keyedServiceForTest();
  const { headers } = await send(`${url}/api/policy`, {
    headers: { origin: APP, authorization: `Bearer ${adminKey}` },
  });
  expect(headers).not.toHaveProperty("access-control-allow-origin");
  expect(headers).not.toHaveProperty("vary");
});
