// Sessions of the app: the cookie, who one is, and requests of other sites.
import { randomBytes } from "node:crypto";
import type { OutgoingHttpHeaders } from "node:http";
import { describe, expect, test, vi } from "vitest";
import { expectProblem } from "#test/support/bodies.ts";
import { type KeyedService, keyedServiceForTest } from "#test/support/keyed-service.ts";
import { type Answer, post, send } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";

const HALF_A_DAY_MS = 12 * 3_600_000;

const pathOf = ({ url }: Pick<KeyedService, "url">) => `${url}/api/session`;
const own = ({ url }: Pick<KeyedService, "url">) => ({ origin: url });

/** The cookie that an answer sets, as a browser sends it back. */
function cookieIn({ headers }: Answer): string {
  const [cookie = ""] = headers["set-cookie"] ?? [];
  return cookie.split(";")[0] ?? "";
}

async function signedIn(service: KeyedService, key = service.adminKey) {
  const answer = await post(pathOf(service), { key }, own(service));
  expect(answer.status, answer.text).toBe(200);
  return { answer, cookie: cookieIn(answer) };
}

const who = async (service: KeyedService, headers: OutgoingHttpHeaders = {}) =>
  JSON.parse((await send(pathOf(service), { headers })).text);

describe("A session", () => {
  test("is opened with a key; the cookie is for this machine's browser alone and does not hold the key", async () => {
    const service = await keyedServiceForTest();
    const { answer, cookie } = await signedIn(service);
    expect(JSON.parse(answer.text)).toEqual({
      signedIn: true,
      identities: true,
      name: "first admin",
      role: "admin",
      tenant: "default",
    });
    expect(answer.headers["set-cookie"]).toEqual([
      expect.stringMatching(/^portcullis=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/),
    ]);
    expect(cookie).not.toContain(service.adminKey.slice(-20));
    expect(await who(service, { cookie })).toMatchObject({ signedIn: true, role: "admin" });
    expect((await send(`${service.url}/api/keys`, { headers: { cookie } })).status).toBe(200);
    const { id = "" } = /=(?<id>.*)/.exec(cookie)?.groups ?? {};
    expect(service.logLines.join()).not.toContain(id);
  });

  test("that was never opened is looked up nowhere: whoever tries random cookies costs no read", async () => {
    const service = await keyedServiceForTest();
    const { cookie } = await signedIn(service);
    const find = vi.spyOn(service.tenant.records.sessions, "find");
    for (let i = 0; i < 5; i++) {
      const random = randomBytes(32).toString("base64url");
      expect(await who(service, { cookie: `portcullis=${random}` })).toMatchObject({ signedIn: false });
    }
    expect(find).not.toHaveBeenCalled();
    expect(await who(service, { cookie })).toMatchObject({ signedIn: true });
    expect(find).toHaveBeenCalledTimes(1);
  });

  test("has a Secure cookie with the prefix __Host- off loopback", async () => {
    const service = await keyedServiceForTest({ loopbackOnly: false });
    const host = "memory.example.test";
    const answer = await post(pathOf(service), { key: service.adminKey }, { host, origin: `https://${host}` });
    expect(answer.headers["set-cookie"]).toEqual([
      expect.stringMatching(/^__Host-portcullis=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/),
    ]);
    const cookie = cookieIn(answer);
    expect(await who(service, { host, cookie })).toMatchObject({ signedIn: true });
    // A page on plain HTTP could set a cookie without the prefix.
    expect(await who(service, { host, cookie: cookie.replace("__Host-", "") })).toMatchObject({ signedIn: false });
  });

  test.for([
    ["agent:planner", { role: "agent", agentId: "planner", captures: ["diet"] }],
    ["admin:diet,health", { role: "namespace-admin", namespaces: ["diet", "health"] }],
    ["auditor", { role: "auditor" }],
  ] as const)("of %s says who one is and what one may", async ([role, expected]) => {
    const service = await keyedServiceForTest();
    const { key } = await service.keyFor(role, role === "agent:planner" ? { captures: ["diet"] } : {});
    const { cookie } = await signedIn(service, key);
    const session = { signedIn: true, identities: true, tenant: "default", name: `key of ${role}`, ...expected };
    expect(await who(service, { cookie })).toEqual(session);
  });

  test("is not opened with a key that does not hold, or with none", async () => {
    const service = await keyedServiceForTest();
    for (const key of ["nonsense", service.adminKey.slice(0, -1)]) {
      const answer = await post(pathOf(service), { key }, own(service));
      expectProblem(answer, 401, "unauthenticated");
      expect(answer.headers["set-cookie"]).toBeUndefined();
    }
    expectProblem(await post(pathOf(service), {}, own(service)), 400, "invalid-request");
    expect(await who(service)).toEqual({ signedIn: false, identities: true, name: "anonymous", role: "public" });
  });

  test("ends when its holder signs out, and the cookie is removed", async () => {
    const service = await keyedServiceForTest();
    const { cookie } = await signedIn(service);
    const answer = await send(pathOf(service), { method: "DELETE", headers: { cookie, ...own(service) } });
    expect(answer.headers["set-cookie"]).toEqual([expect.stringMatching(/^portcullis=; Path=\/; Max-Age=0;/)]);
    expect(JSON.parse(answer.text)).toMatchObject({ signedIn: false });
    expect(await who(service, { cookie })).toMatchObject({ signedIn: false });
    expectProblem(await send(`${service.url}/api/keys`, { headers: { cookie } }), 401, "unauthenticated");
  });

  test("ends when another is opened in the same browser", async () => {
    const service = await keyedServiceForTest();
    const { cookie } = await signedIn(service);
    const again = await post(pathOf(service), { key: service.adminKey }, { cookie, ...own(service) });
    expect(await who(service, { cookie })).toMatchObject({ signedIn: false });
    expect(await who(service, { cookie: cookieIn(again) })).toMatchObject({ signedIn: true });
  });

  test("ends when its key is revoked, and when the secret that it was opened with ends", async () => {
    const service = await keyedServiceForTest();
    const { key, keyId } = await service.keyFor("auditor");
    const first = await signedIn(service, key);
    const rotated = await service.admin.rotateKey({ keyId });
    expect(await who(service, { cookie: first.cookie })).toMatchObject({ signedIn: false });
    const second = await signedIn(service, rotated.key);
    await service.admin.revokeKey({ keyId });
    expect(await who(service, { cookie: second.cookie })).toMatchObject({ signedIn: false });
  });

  test("ends after twelve hours", async () => {
    let offset = 0;
    const service = await keyedServiceForTest({ overrides: { now: () => new Date(Date.now() + offset) } });
    const { cookie } = await signedIn(service);
    offset = HALF_A_DAY_MS - 60_000;
    expect(await who(service, { cookie })).toMatchObject({ signedIn: true });
    offset = HALF_A_DAY_MS + 60_000;
    expect(await who(service, { cookie })).toMatchObject({ signedIn: false });
  });

  test("that has ended leaves public routes open, and a new one can be opened", async () => {
    const service = await keyedServiceForTest();
    const cookie = `portcullis=${"x".repeat(43)}`;
    expect((await send(`${service.url}/api/service`, { headers: { cookie } })).status).toBe(200);
    expect((await post(pathOf(service), { key: service.adminKey }, { cookie, ...own(service) })).status).toBe(200);
  });
});

describe("A bearer", () => {
  test("wins over a cookie, and a bad one is refused although the cookie is good", async () => {
    const service = await keyedServiceForTest();
    const { cookie } = await signedIn(service);
    const { key } = await service.keyFor("auditor");
    expect(await who(service, { cookie, authorization: `Bearer ${key}` })).toMatchObject({ role: "auditor" });
    for (const authorization of ["Bearer nonsense", "Basic YTpi", "Bearer"]) {
      const answer = await send(pathOf(service), { headers: { cookie, authorization } });
      expectProblem(answer, 401, "unauthenticated");
    }
  });
});

describe("A request with a session's cookie that changes something", () => {
  const FOREIGN: readonly OutgoingHttpHeaders[] = [
    {},
    { origin: "https://evil.test" },
    { origin: "null" },
    { origin: "http://127.0.0.1:1" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
    { "sec-fetch-site": "none" },
  ];

  test.for(FOREIGN)("is refused with %j, on loopback and off it", async (headers) => {
    const service = await keyedServiceForTest({ loopbackOnly: false });
    const { cookie } = await signedIn(service);
    const body = { name: "x", role: "admin" };
    const keys = `${service.url}/api/keys`;
    expectProblem(await post(keys, body, { cookie, ...headers }), 403, "cross-origin");
    expectProblem(
      await send(pathOf(service), { method: "DELETE", headers: { cookie, ...headers } }),
      403,
      "cross-origin",
    );
    const host = "memory.example.test";
    const far = `__Host-${cookie}`;
    expectProblem(await post(keys, body, { host, cookie: far, ...headers }), 403, "cross-origin");
    expectProblem(await post(keys, body, { host, cookie: far, origin: `http://${host}` }), 403, "cross-origin");
    expect((await service.admin.listKeys()).keys).toHaveLength(1);
    expect(await who(service, { cookie })).toMatchObject({ signedIn: true });
  });

  test("passes from a page of the service itself", async () => {
    const service = await keyedServiceForTest();
    const { cookie } = await signedIn(service);
    for (const headers of [own(service), { "sec-fetch-site": "same-origin" }]) {
      const answer = await post(`${service.url}/api/keys`, { name: "x", role: "auditor" }, { cookie, ...headers });
      expect(answer.status).toBe(200);
    }
  });

  test("passes with a key and without an Origin, because no browser adds a key by itself", async () => {
    const service = await keyedServiceForTest();
    const { cookie } = await signedIn(service);
    const headers = { cookie, authorization: `Bearer ${service.adminKey}` };
    expect((await post(`${service.url}/api/keys`, { name: "x", role: "auditor" }, headers)).status).toBe(200);
  });
});

test("Without identities everybody is the admin, and there is nothing to sign in to", async () => {
  const { url, client } = await serviceForTest();
  expect(await client.getSession()).toEqual({
    tenant: "default",
    signedIn: false,
    identities: false,
    name: "api",
    role: "admin",
  });
  expectProblem(await post(`${url}/api/session`, { key: "x" }), 403, "forbidden");
  expect((await send(`${url}/.well-known/oauth-protected-resource`)).status).toBe(404);
});
