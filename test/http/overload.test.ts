// Overload on a real server: what is refused, what never is, and that it ends.
import { expect, test } from "vitest";
import { createAdmission } from "#http/admission/admission.ts";
import { COMMON_HEADERS } from "#http/answer/reply.ts";
import { heldModel } from "#test/support/models.ts";
import { connectTo, post, problemIn, send } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";

const QUESTION = { agentId: "assistant", query: "What about dinner?" };

/** A service that serves one request at a time, lets one more wait, and whose model answers when it is told to. */
async function smallService({ longLine = 1 } = {}) {
  const { model, answer } = heldModel();
  const admission = createAdmission({ most: 1, longLine, longestWaitMs: 60_000 });
  const service = await serviceForTest({ overrides: { model }, admission });
  const chat = () => post(`${service.url}/api/chat`, QUESTION);
  const inFlight = chat();
  await expect.poll(() => admission.state().inFlight).toBe(1);
  const waiting = chat();
  await expect.poll(() => admission.state().waiting).toBe(1);
  return { service, admission, chat, inFlight, waiting, answer };
}

test("what exceeds the line is refused at once with 503, and those before it are answered", async () => {
  const { chat, inFlight, waiting, answer } = await smallService();
  const refused = await chat();
  expect(refused.status).toBe(503);
  expect(problemIn(refused).code).toBe("overloaded");
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect(refused.headers).toMatchObject(COMMON_HEADERS);
  answer();
  expect([(await inFlight).status, (await waiting).status]).toEqual([200, 200]);
  expect((await chat()).status).toBe(200);
});

test("a revoke, a forgetting and the health of the service are answered meanwhile", async () => {
  const { service, chat, answer, inFlight, waiting } = await smallService();
  expect((await chat()).status).toBe(503);
  const body = { agentId: "planner", namespace: "diet", allowed: false };
  expect((await post(`${service.url}/api/policy`, body)).status).toBe(200);
  expect((await post(`${service.url}/api/policy?x=1`, body)).status).toBe(400);
  expect((await post(`${service.url}/api/memories/forget`, { namespace: "diet" })).status).toBe(200);
  for (const path of ["/api/memories/mem_x", "/api/namespaces/diet/keys/x?sourceAgent=a"])
    expect((await send(service.url + path, { method: "DELETE" })).status).toBe(404);
  for (const path of ["/livez", "/readyz", "/openapi.json"]) expect((await send(service.url + path)).status).toBe(200);
  for (const path of ["/api/policy", "/v1/blobs/x", "/verify/0x1"]) {
    expect((await send(service.url + path)).status).toBe(503);
  }
  answer();
  await Promise.all([inFlight, waiting]);
});

test.each(["/%61pi/policy", "/x/../api/policy", "/./api/policy", "/api/./policy", "/%2e/api/policy"])(
  "another spelling of a path is not let past: %s",
  async (target) => {
    const { service, chat, answer, inFlight, waiting } = await smallService();
    expect((await chat()).status).toBe(503);
    const { host } = new URL(service.url);
    for (const spelling of [target, `http://${host}${target}`, `http://${host}/api/policy`]) {
      const connection = await connectTo(service.url);
      connection.write(`GET ${spelling} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(await connection.everything(), spelling).toMatch(/^HTTP\/1\.1 503 /);
    }
    const health = await connectTo(service.url);
    health.write(`GET http://${host}/livez HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    expect(await health.everything()).toMatch(/^HTTP\/1\.1 200 /);
    answer();
    await Promise.all([inFlight, waiting]);
  },
);

test("a client that goes away while it waits leaves its place to the next", async () => {
  const { service, admission, chat, inFlight, waiting, answer } = await smallService({ longLine: 2 });
  const { host } = new URL(service.url);
  const leaving = await connectTo(service.url);
  leaving.write(`GET /api/policy HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
  await expect.poll(() => admission.state().waiting).toBe(2);
  leaving.socket.destroy();
  await expect.poll(() => admission.state().waiting).toBe(1);
  const next = chat();
  await expect.poll(() => admission.state().waiting).toBe(2);
  answer();
  expect((await Promise.all([inFlight, waiting, next])).map(({ status }) => status)).toEqual([200, 200, 200]);
  await expect.poll(() => admission.state()).toMatchObject({ inFlight: 0, counted: 0, waiting: 0 });
});

test("the connection of a refused request with a long body is closed, so that nobody has to read the body", async () => {
  const { service, inFlight, waiting, answer } = await smallService();
  const { host } = new URL(service.url);
  const connection = await connectTo(service.url);
  const head = ["POST /api/memories/import HTTP/1.1", `Host: ${host}`, "Content-Type: application/x-ndjson"];
  connection.write(`${[...head, "Content-Length: 100000000"].join("\r\n")}\r\n\r\n{`);
  const reply = await connection.everything();
  expect(reply).toMatch(/^HTTP\/1\.1 503 /);
  expect(reply).toContain("overloaded");
  answer();
  await Promise.all([inFlight, waiting]);
});
