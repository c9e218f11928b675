// Health checks as balancers send them, byte for byte, and what a request without a Host is told.
import { describe, expect, test } from "vitest";
import { expectProblem } from "#test/support/bodies.ts";
import { exchange, send } from "#test/support/send.ts";
import { type Service, serviceForTest, sharedService } from "#test/support/service.ts";

const statusOf = (reply: string): number => Number(/^HTTP\/1\.1 (\d{3}) /.exec(reply)?.[1]);
const probe = ({ url }: Service, line: string) => exchange(url, `${line}\r\n\r\n`);

describe("Without a Host, over HTTP/1.0,", () => {
  const service = sharedService();

  // The first is what HAProxy sends for `option httpchk`, and the second for `option httpchk GET /readyz`.
  test.for(["OPTIONS / HTTP/1.0", "GET /readyz HTTP/1.0", "HEAD /readyz HTTP/1.0", "OPTIONS /readyz HTTP/1.0"])(
    "%s tells whether the service is ready",
    async (line) => {
      const service = await serviceForTest();
      expect(statusOf(await probe(service, line))).toBe(200);
      service.stopAccepting();
      expect(statusOf(await probe(service, line))).toBe(503);
    },
  );

  test.for(["GET /livez HTTP/1.0", "OPTIONS /livez HTTP/1.0"])("%s tells that the service lives", async (line) => {
    const service = await serviceForTest();
    service.stopAccepting();
    expect(statusOf(await probe(service, line))).toBe(200);
  });

  test("a check needs no TLS, also on a service that asks for it", async () => {
    const service = await serviceForTest({ environment: { AUTH: "keys", TRUST_PROXY: "127.0.0.1" } });
    expect(statusOf(await probe(service, "OPTIONS / HTTP/1.0"))).toBe(200);
    expect(statusOf(await probe(service, "GET /readyz HTTP/1.0"))).toBe(200);
  });

  test.for([
    "GET / HTTP/1.0",
    "GET /api/memories HTTP/1.0",
    "GET /api/service HTTP/1.0",
    "POST /readyz HTTP/1.0",
    "OPTIONS /api/chat HTTP/1.0",
    "GET /readyz/../api/memories HTTP/1.0",
    "GET /api/memories?/readyz HTTP/1.0",
  ])("%s is refused, with the line that nginx needs", async (line) => {
    const reply = await probe(service(), line);
    expect(statusOf(reply)).toBe(400);
    expect(reply).toContain('"code":"malformed-http"');
    expect(reply).toContain("proxy_set_header Host $http_host;");
  });
});

test("Over HTTP/1.1 a check needs a Host, as every request does", async () => {
  const service = await serviceForTest();
  for (const line of ["GET /readyz HTTP/1.1", "OPTIONS / HTTP/1.1"]) {
    expect(statusOf(await probe(service, line))).toBe(400);
    expect(statusOf(await probe(service, `${line}\r\nHost:`))).toBe(400);
    expect(statusOf(await probe(service, `${line}\r\nConnection: close\r\nHost: 127.0.0.1`))).toBe(200);
  }
});

test("A check with a foreign Host is refused on loopback, and the refusal says what to set", async () => {
  const { url } = await serviceForTest();
  const refused = await send(`${url}/readyz`, { headers: { host: "replicas" } });
  expectProblem(refused, 403, "forbidden-host");
  expect(refused.text).toContain("TRUST_PROXY");
  expect(refused.text).toContain("proxy_set_header Host $http_host;");
});
