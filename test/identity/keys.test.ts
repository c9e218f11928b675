// Keys over HTTP, on both databases.
import { describe, expect, test, vi } from "vitest";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { keyedServiceForTest } from "#test/support/keyed-service.ts";
import { send } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";

const UNAUTHENTICATED = { status: 401, code: "unauthenticated" };
const FORBIDDEN = { status: 403, code: "forbidden" };
const HOUR_MS = 3_600_000;

const DATABASES = {
  SQLite: async () => ":memory:",
  PostgreSQL: async () => (await databaseForTest()).url,
};

/** A clock that a test can turn. */
function clock() {
  let offset = 0;
  return {
    now: () => new Date(Date.now() + offset),
    forward(ms: number) {
      offset += ms;
    },
  };
}

describe.for(Object.entries(DATABASES))("With keys in %s,", ([, databaseOf]) => {
  const prepared = async (now?: () => Date) =>
    keyedServiceForTest({ database: await databaseOf(), ...(now && { overrides: { now } }) });

  test("a key is shown once, and is not in any list, log or record", async () => {
    const { admin, tenant, logLines } = await prepared();
    const { key, record } = await admin.createKey({ name: "planner", role: "agent:planner", captures: ["diet"] });
    expect(record).toMatchObject({
      name: "planner",
      role: "agent:planner",
      captures: ["diet"],
      createdBy: "first admin",
    });
    const { keys } = await admin.listKeys();
    expect(keys).toEqual([record, expect.objectContaining({ role: "admin", name: "first admin" })]);
    const stored = await tenant.records.keys.find(record.keyId);
    const secret = key.slice("portcullis_".length + 11);
    for (const text of [JSON.stringify(keys), JSON.stringify(stored), logLines.join()])
      expect(text).not.toContain(secret);
  });

  test("who made, rotated and revoked a key is in the decision log", async () => {
    const { admin } = await prepared();
    const { record } = await admin.createKey({ name: "planner", role: "agent:planner" });
    await admin.rotateKey({ keyId: record.keyId }, {});
    await admin.revokeKey({ keyId: record.keyId });
    const { decisions } = await admin.listDecisions({ limit: 3 });
    expect(decisions.map(({ route, outcome, principalName }) => [route, outcome, principalName])).toEqual(
      ["revokeKey", "rotateKey", "createKey"].map((route) => [route, "changed", "first admin"]),
    );
  });

  test("the list comes in pages, newest first", async () => {
    const { admin, keyFor } = await prepared();
    for (const n of [1, 2, 3]) await keyFor(`agent:a${n}`);
    const first = await admin.listKeys({ limit: 3 });
    expect(first.keys.map(({ role }) => role)).toEqual(["agent:a3", "agent:a2", "agent:a1"]);
    const { keys, nextCursor } = await admin.listKeys({ limit: 3, cursor: first.nextCursor });
    expect([keys.map(({ role }) => role), nextCursor]).toEqual([["admin"], undefined]);
  });

  test("nobody, a mistyped key and an unknown key are refused, and are told how to do it", async () => {
    const { url, adminKey, as } = await prepared();
    const other = await keyedServiceForTest();
    for (const bearer of [undefined, "nonsense", `${adminKey.slice(0, -1)}!`, adminKey.slice(1), other.adminKey]) {
      await expect(as(bearer).getPolicy()).rejects.toMatchObject(UNAUTHENTICATED);
    }
    const { status, headers } = await send(`${url}/api/policy`, { headers: { authorization: "Basic YTpi" } });
    expect(status).toBe(401);
    // No metadata of OAuth: where there are only keys, a host that looked for an issuer would find none.
    expect(headers["www-authenticate"]).toBe('Bearer realm="portcullis", error="invalid_token"');
    expect((await send(`${url}/.well-known/oauth-protected-resource`)).status).toBe(404);
    expect((await send(`${url}/api/policy`)).headers["www-authenticate"]).not.toContain("error");
  });

  test("a revoked key is refused from the next request on, and stays in the list", async () => {
    const { admin, keyFor } = await prepared();
    const { client, keyId } = await keyFor("auditor");
    await client.getPolicy();
    const { record } = await admin.revokeKey({ keyId });
    expect(record.revokedAt).toBeDefined();
    await expect(client.getPolicy()).rejects.toMatchObject(UNAUTHENTICATED);
    expect((await admin.revokeKey({ keyId })).record).toEqual(record);
    expect((await admin.listKeys()).keys).toContainEqual(record);
    await expect(admin.rotateKey({ keyId })).rejects.toMatchObject({ code: "not-found" });
  });

  test("an expired key is refused", async () => {
    const { now, forward } = clock();
    const { keyFor, admin } = await prepared(now);
    const { client } = await keyFor("auditor", { expiresAt: new Date(Date.now() + HOUR_MS).toISOString() });
    await client.getPolicy();
    forward(HOUR_MS + 1_000);
    await expect(client.getPolicy()).rejects.toMatchObject(UNAUTHENTICATED);
    await expect(
      admin.createKey({ name: "late", role: "auditor", expiresAt: new Date().toISOString() }),
    ).rejects.toMatchObject({ status: 400, problem: { errors: [{ pointer: "#/expiresAt" }] } });
  });

  test("a rotated key has another secret, and the old one ends at once or after the grace period", async () => {
    const { now, forward } = clock();
    const { admin, as, keyFor } = await prepared(now);
    const first = await keyFor("auditor");
    const { keyId } = first;
    const second = await admin.rotateKey({ keyId });
    expect(second.record.keyId).toBe(keyId);
    await expect(first.client.getPolicy()).rejects.toMatchObject(UNAUTHENTICATED);
    const third = await admin.rotateKey({ keyId }, { graceSeconds: 3_600 });
    for (const { key } of [second, third]) await as(key).getPolicy();
    forward(HOUR_MS + 1_000);
    await expect(as(second.key).getPolicy()).rejects.toMatchObject(UNAUTHENTICATED);
    await as(third.key).getPolicy();
    await expect(admin.rotateKey({ keyId }, { graceSeconds: 86_401 })).rejects.toMatchObject({ status: 400 });
  });

  test("the last use is recorded, once a minute at most", async () => {
    const { now, forward } = clock();
    const { tenant, keyFor } = await prepared(now);
    const { client, keyId } = await keyFor("auditor");
    const lastUse = async () => (await tenant.records.keys.find(keyId))?.lastUsedAt;
    await client.getPolicy();
    await expect.poll(lastUse).toBeDefined();
    const first = await lastUse();
    await client.getPolicy();
    forward(61_000);
    await client.getPolicy();
    await expect.poll(lastUse).not.toBe(first);
    const second = (await lastUse()) ?? "";
    expect(Date.parse(second) - Date.parse(first ?? "")).toBeGreaterThanOrEqual(60_000);
  });
});

describe("With keys,", () => {
  test("the routes for keys are for admins alone", async () => {
    const { keyFor, as } = await keyedServiceForTest();
    const { keyId } = await keyFor("auditor");
    for (const role of ["agent:planner", "auditor", "admin:diet"]) {
      const { client, key } = await keyFor(role);
      for (const call of [
        () => client.listKeys(),
        () => client.createKey({ name: "x", role: "admin" }),
        () => client.rotateKey({ keyId }),
        () => client.revokeKey({ keyId }),
      ])
        await expect(call()).rejects.toMatchObject(FORBIDDEN);
      expect((await as(key).getSession()).signedIn).toBe(true);
    }
    await expect(as().listKeys()).rejects.toMatchObject(UNAUTHENTICATED);
  });

  test("a refusal for want of a role says so as RFC 6750 does", async () => {
    const { url, keyFor } = await keyedServiceForTest();
    const { key } = await keyFor("auditor");
    const { status, headers } = await send(`${url}/api/keys`, { headers: { authorization: `Bearer ${key}` } });
    expect([status, headers["www-authenticate"]]).toEqual([403, expect.stringContaining('error="insufficient_scope"')]);
  });

  test.for([
    [{ role: "boss" }, "A role is"],
    [{ role: "agent:" }, "must not be empty"],
    [{ role: "admin", captures: ["diet"] }, "Only the role of an agent"],
  ] as const)("a key with %j is not made", async ([asked, sentence]) => {
    const { admin } = await keyedServiceForTest();
    const made = admin.createKey({
      name: "x",
      role: asked.role,
      captures: "captures" in asked ? [...asked.captures] : undefined,
    });
    await expect(made).rejects.toMatchObject({ status: 400, message: expect.stringContaining(sentence) });
    expect((await admin.listKeys()).keys).toHaveLength(1);
  });

  test("a mistyped key is refused before any look-up", async () => {
    const { tenant, adminKey, as } = await keyedServiceForTest();
    const find = vi.spyOn(tenant.records.keys, "find");
    for (const at of [0, 11, 30, adminKey.length - 1]) {
      const typo = adminKey[at] === "x" ? "y" : "x";
      const mistyped = adminKey.slice(0, at) + typo + adminKey.slice(at + 1);
      await expect(as(mistyped).getPolicy()).rejects.toMatchObject(UNAUTHENTICATED);
    }
    expect(find).not.toHaveBeenCalled();
    await as(adminKey).getPolicy();
    expect(find).toHaveBeenCalledOnce();
  });

  test("a failure to record the last use fails no request", async () => {
    const { tenant, keyFor } = await keyedServiceForTest();
    const { client } = await keyFor("auditor");
    tenant.records.keys.used = () => Promise.reject(new Error("disk full"));
    await client.getPolicy();
    await client.getPolicy();
  });

  test("the database is asked for each request, and a request fails while it does not answer", async () => {
    const { tenant, keyFor } = await keyedServiceForTest();
    const { client } = await keyFor("auditor");
    await client.getPolicy();
    tenant.records.keys.find = () => Promise.reject(new Error("gone"));
    await expect(client.getPolicy()).rejects.toMatchObject({ status: 500 });
  });
});

test("Without identities nobody can make a key that would outlive that", async () => {
  const { client } = await serviceForTest();
  await expect(client.createKey({ name: "x", role: "admin" })).rejects.toMatchObject(FORBIDDEN);
  expect(await client.listKeys()).toEqual({ keys: [] });
});
