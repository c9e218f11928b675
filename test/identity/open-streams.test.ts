// Replies under way are cut when the credential that they were asked for with ends.
import { describe, expect, test, vi } from "vitest";
import type { Credential, Principal } from "#core/identity/principal.ts";
import type { KeyCredential, LanguageModel } from "#ports.ts";
import { watchOpenStreams } from "#service/identity/open-streams.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { AUDIENCE, issuerForTest } from "#test/support/issuer-stand-in/issuer-stand-in.ts";
import { keyedServiceForTest } from "#test/support/keyed-service.ts";
import { serviceForTest } from "#test/support/service.ts";

const principalWith = (credential?: Credential): Principal => ({
  role: "auditor",
  id: "x",
  name: "x",
  ...(credential && { credential }),
});
const keyed = (keyId: string) => principalWith({ kind: "key", keyId, keyHash: "h" });

function watched({ blindMs = 60_000 } = {}) {
  const ended = new Set<string>();
  const checks: (readonly KeyCredential[])[] = [];
  let isDown = false;
  const streams = watchOpenStreams({
    keys: {
      async endedAmong(credentials) {
        checks.push(credentials);
        if (isDown) throw new Error("gone");
        return credentials.flatMap(({ keyId }, place) => (ended.has(keyId) ? [place] : []));
      },
    },
    now: () => new Date(),
    checkMs: 5,
    blindMs,
  });
  return {
    streams,
    ended,
    checks,
    goDown() {
      isDown = true;
    },
  };
}

describe("The watch over open streams", () => {
  test("cuts every stream of a key that ended, once, and no other", async () => {
    const { streams, ended } = watched();
    const [first, second, other] = [vi.fn(), vi.fn(), vi.fn()];
    const unwatch = [streams.add(keyed("a"), first), streams.add(keyed("a"), second), streams.add(keyed("b"), other)];
    ended.add("a");
    await expect.poll(() => [first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]);
    ended.add("b");
    unwatch[2]?.();
    const last = vi.fn();
    streams.add(keyed("b"), last);
    await expect.poll(() => last.mock.calls.length).toBe(1);
    expect([first, second, other].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 0]);
  });

  test("asks for each credential once, and for nothing while no stream is open", async () => {
    const { streams, checks } = watched();
    const unwatch = [streams.add(keyed("a"), vi.fn()), streams.add(keyed("a"), vi.fn())];
    await expect.poll(() => checks.length).toBeGreaterThan(2);
    expect(checks.every((asked) => asked.length === 1)).toBe(true);
    for (const end of unwatch) end();
    const count = checks.length;
    const probe = vi.fn();
    streams.add(principalWith({ kind: "token", expiresAt: new Date(0).toISOString() }), probe);
    await expect.poll(() => probe.mock.calls.length).toBe(1);
    expect(checks.length).toBeLessThanOrEqual(count + 1);
  });

  test("cuts the stream of a token when it has expired", async () => {
    const { streams } = watched();
    const [expired, good] = [vi.fn(), vi.fn()];
    const at = (ms: number) => new Date(Date.now() + ms).toISOString();
    streams.add(principalWith({ kind: "token", expiresAt: at(60_000) }), good);
    streams.add(principalWith({ kind: "token", expiresAt: at(20) }), expired);
    await expect.poll(() => expired.mock.calls.length).toBe(1);
    expect(good).not.toHaveBeenCalled();
  });

  test("keeps streams while the records fail for a moment, and cuts all when they fail for long", async () => {
    const patient = watched();
    const kept = vi.fn();
    patient.streams.add(keyed("a"), kept);
    patient.goDown();
    await expect.poll(() => patient.checks.length).toBeGreaterThan(3);
    expect(kept).not.toHaveBeenCalled();
    const strict = watched({ blindMs: 20 });
    const cut = vi.fn();
    strict.streams.add(keyed("a"), cut);
    strict.goDown();
    await expect.poll(() => cut.mock.calls.length).toBe(1);
  });

  test("asks nothing for a service without identities and tenants", async () => {
    const { streams, checks } = watched();
    streams.add(principalWith(), vi.fn());
    streams.add(keyed("a"), vi.fn());
    await expect.poll(() => checks.length).toBeGreaterThan(1);
    expect(checks.flat().every(({ keyId }) => keyId === "a")).toBe(true);
  });
});

/** Says one piece, and the rest never. */
const endlessModel: LanguageModel = {
  name: "endless",
  complete: (_, { onText, signal }) =>
    new Promise((_resolve, reject) => {
      onText?.("Fish, ");
      signal?.addEventListener("abort", () => reject(signal.reason));
    }),
};

/** Asks for an answer as events, and gives a promise of how long the stream lived after `end`. */
async function openStream(url: string, headers: Readonly<Record<string, string>>) {
  const response = await fetch(`${url}/api/chat`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream", ...headers },
    body: JSON.stringify({ agentId: "planner", query: "What is for dinner?" }),
  });
  expect(response.status).toBe(200);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  return {
    async cut(): Promise<void> {
      for (;;) if ((await reader.read().catch(() => ({ done: true }))).done) return;
    },
  };
}

const overrides = { model: endlessModel };

test("An answer's stream is cut within a second when another replica revokes its key", async () => {
  const database = (await databaseForTest()).url;
  const service = await keyedServiceForTest({ database, overrides });
  const replica = await serviceForTest({ database, environment: { AUTH: "keys" }, overrides });
  const { key, keyId } = await service.keyFor("agent:planner");
  const stream = await openStream(replica.url, { authorization: `Bearer ${key}` });
  const cut = stream.cut();
  const revoked = performance.now();
  await service.admin.revokeKey({ keyId });
  await cut;
  // What is promised is a second. A busy machine gets more, and a stream that is not cut would never end.
  expect(performance.now() - revoked).toBeLessThan(10_000);
  await expect(openStream(replica.url, { authorization: `Bearer ${key}` })).rejects.toThrow();
});

test("The streams of a session are cut when its holder signs out, and those of its key go on", async () => {
  const service = await keyedServiceForTest({ overrides });
  const { key } = await service.keyFor("agent:planner");
  const signIn = await fetch(`${service.url}/api/session`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: service.url },
    body: JSON.stringify({ key }),
  });
  const headers = { cookie: (signIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "", origin: service.url };
  const [bySession, byKey] = [
    await openStream(service.url, headers),
    await openStream(service.url, { authorization: `Bearer ${key}` }),
  ];
  const whichFirst = Promise.race([bySession.cut().then(() => "session"), byKey.cut().then(() => "key")]);
  await fetch(`${service.url}/api/session`, { method: "DELETE", headers });
  expect(await whichFirst).toBe("session");
  await service.stop();
});

test("The stream of a token ends with it", async () => {
  const issuer = await issuerForTest();
  let offset = 0;
  const service = await serviceForTest({
    environment: { AUTH_ISSUER: issuer.issuer, AUTH_AUDIENCE: AUDIENCE },
    overrides: { ...overrides, now: () => new Date(Date.now() + offset) },
  });
  const token = await issuer.token({ portcullis_role: "agent:planner" });
  const stream = await openStream(service.url, { authorization: `Bearer ${token}` });
  offset = 120_000;
  await stream.cut();
});

test("Without identities, answers and events of a tenant are cut when another replica deletes it", async () => {
  const database = (await databaseForTest()).url;
  const [service, replica] = [
    await serviceForTest({ database, overrides }),
    await serviceForTest({ database, overrides }),
  ];
  await service.client.putTenant({ tenantId: "acme" });
  const headers = { "portcullis-tenant": "acme" };
  const answer = await openStream(replica.url, headers);
  const events = await fetch(`${replica.url}/api/events`, { headers });
  const others = await openStream(replica.url, {});
  const over = Promise.all([answer.cut(), events.text().catch(() => "")]);
  let isCut = false;
  void others.cut().then(() => {
    isCut = true;
  });
  await service.client.deleteTenant({ tenantId: "acme" });
  await over;
  expect(isCut).toBe(false);
});
