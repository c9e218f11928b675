// Tenants over HTTP: the credential names the tenant, operators make tenants and see nothing of what is in them, and two
// tenants with the same names and ids know nothing of each other. On both databases.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "#contract/client/client.ts";
import { createKey } from "#service/identity/keys.ts";
import { capture } from "#service/memories/capture.ts";
import { freshDatabase } from "#test/support/postgres/databases.ts";
import { post, send } from "#test/support/send.ts";
import { type Service, startService } from "#test/support/start-service.ts";
import { verificationOf } from "#test/support/verification-of.ts";

interface TenantWorld {
  readonly id: string;
  readonly admin: Client;
  readonly adminKey: string;
  readonly agentKey: string;
  readonly memoryId: string;
  readonly answerId: string;
}

const WITHOUT_LIMITS = Object.fromEntries(
  ["ANSWERS", "WRITES", "READS", "SIGN_INS"].map((name) => [`LIMIT_${name}_PER_MINUTE`, "0"]),
);
const canaryOf = (tenant: string) => `canary${tenant}xyzzy`;
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** The export of another deployment, and the key that signed it. */
async function foreignExport() {
  const other = await startService({ environment: { SEED: "demo" } });
  try {
    await other.client.chat({ agentId: "assistant", query: "Which mornings are for runs?" });
    const { text } = await send(`${other.url}/api/export`);
    const trailer = JSON.parse(text.trim().split("\n").at(-1) ?? "");
    return { text, keyId: trailer.signature.keyId as string };
  } finally {
    await other.stop();
  }
}

describe.for(["sqlite", "postgres"] as const)("On %s, tenants", (kind) => {
  let service: Service;
  let operatorKey: string;
  let operator: Client;
  let drop: (() => Promise<void>) | undefined;
  const worlds = new Map<string, TenantWorld>();
  const world = (id: string) => worlds.get(id) as TenantWorld;
  const clientWith = (key: string) => createClient({ baseUrl: service.url, bearer: key });

  async function createWorld(id: string): Promise<TenantWorld> {
    await operator.createTenant({ id });
    const { key: adminKey } = await operator.createTenantKey({ tenantId: id }, { name: "admin" });
    const admin = clientWith(adminKey);
    const content = `The secret is ${canaryOf(id)}.`;
    const { memory } = await admin.capture({ namespace: "diet", content, sourceAgent: "seed" });
    await admin.setAccess({ agentId: "assistant", namespace: "diet", allowed: true });
    const { key: agentKey } = await admin.createKey({ name: "assistant", role: "agent:assistant" });
    const { receipt } = await clientWith(agentKey).chat({ query: "What is the secret?" });
    return { id, admin, adminKey, agentKey, memoryId: memory.memoryId, answerId: receipt.answerId };
  }

  beforeAll(async () => {
    const database = kind === "postgres" ? await freshDatabase() : undefined;
    drop = database?.drop;
    const environment = { AUTH: "keys", SEED: "none", ...WITHOUT_LIMITS };
    service = await startService({ environment, ...(database && { database: database.url }) });
    const { tenantAdministration } = service.tenant;
    const issued = await tenantAdministration.createDeploymentKey({ name: "operator", role: "operator" }, "test");
    operatorKey = issued.key;
    operator = clientWith(operatorKey);
    for (const id of ["acme", "globex"]) worlds.set(id, await createWorld(id));
  });
  afterAll(async () => {
    await service.stop();
    await drop?.();
  });

  test("are named by the credential", async () => {
    for (const { id, admin, agentKey } of worlds.values()) {
      expect(await admin.getSession()).toMatchObject({ role: "admin", tenant: id });
      expect(await clientWith(agentKey).getSession()).toMatchObject({ role: "agent", tenant: id });
    }
    expect(await operator.getSession()).not.toHaveProperty("tenant");
  });

  test("answer from their own memories", async () => {
    for (const { id, agentKey } of worlds.values()) {
      const { answer, receipt } = await clientWith(agentKey).chat({ query: "What is the secret?" });
      expect(answer).toContain(canaryOf(id));
      expect(receipt.usedMemories).toHaveLength(1);
    }
  });

  test("find nothing of each other, by any id", async () => {
    const [acme, globex] = [world("acme"), world("globex")];
    const paths = [
      `/api/memories/${globex.memoryId}`,
      `/api/memories/${globex.memoryId}/uses`,
      `/api/receipts/${globex.answerId}`,
      `/api/receipts/${globex.answerId}/blocked`,
    ];
    for (const path of paths) {
      const found = await send(`${service.url}${path}`, { headers: bearer(acme.adminKey) });
      const none = await send(`${service.url}${path.replace(/_[0-9a-z]+/, (id) => `_${"0".repeat(id.length - 1)}`)}`, {
        headers: bearer(acme.adminKey),
      });
      expect([found.status, none.status], path).toEqual([404, 404]);
      const told = (text: string) => ({ ...JSON.parse(text), requestId: "", instance: "" });
      expect(told(found.text)).toEqual(told(none.text));
    }
    const removed = await send(`${service.url}/api/memories/${globex.memoryId}`, {
      method: "DELETE",
      headers: bearer(acme.adminKey),
    });
    expect(removed.status).toBe(404);
    expect((await globex.admin.getMemory({ memoryId: globex.memoryId })).memory.content).toContain(canaryOf("globex"));
  });

  test("list, export and report their own alone", async () => {
    for (const { id, adminKey } of worlds.values()) {
      const other = id === "acme" ? "globex" : "acme";
      for (const path of [
        "memories",
        "receipts",
        "decisions",
        "policy/changes",
        "overview",
        "reports",
        "keys",
        "export",
      ]) {
        const { status, text } = await send(`${service.url}/api/${path}`, { headers: bearer(adminKey) });
        expect(status, text).toBe(200);
        expect(text, path).not.toContain(canaryOf(other));
        expect(text, path).not.toContain(world(other).memoryId);
        expect(text, path).not.toContain(other);
      }
    }
  });

  test("take a header that agrees with the credential, and refuse any other", async () => {
    const { adminKey } = world("acme");
    const listed = async (tenant: string, key = adminKey) =>
      (await send(`${service.url}/api/memories`, { headers: { ...bearer(key), "portcullis-tenant": tenant } })).status;
    expect(await listed("acme")).toBe(200);
    expect([await listed("globex"), await listed("nobody")]).toEqual([403, 403]);
  });

  test("are all served by the key of an agent in every tenant, which has no other power", async () => {
    const body = { name: "support", role: "agent:assistant", tenants: "all" } as const;
    const { key } = await operator.createKey(body);
    const chat = (headers: Record<string, string>) =>
      post(`${service.url}/api/chat`, { query: "What is the secret?" }, { ...bearer(key), ...headers });
    for (const id of ["acme", "globex"]) {
      const { status, text } = await chat({ "portcullis-tenant": id });
      expect(status, text).toBe(200);
      expect(JSON.parse(text).answer).toContain(canaryOf(id));
    }
    expect((await chat({})).status).toBe(400);
    expect((await chat({ "portcullis-tenant": "nobody" })).status).toBe(403);
    const policy = { agentId: "assistant", namespace: "diet", allowed: true };
    const changed = await post(`${service.url}/api/policy`, policy, { ...bearer(key), "portcullis-tenant": "acme" });
    expect(changed.status).toBe(403);
  });

  test("may be suspended, at once and for every key, and resumed", async () => {
    const { key } = await operator.createTenantKey({ tenantId: "globex" }, { name: "second admin" });
    expect((await operator.updateTenant({ tenantId: "globex" }, { suspended: true })).tenant.suspendedAt).toBeDefined();
    for (const each of [key, world("globex").agentKey])
      expect((await send(`${service.url}/api/session`, { headers: bearer(each) })).status).toBe(403);
    expect((await send(`${service.url}/api/session`, { headers: bearer(world("acme").agentKey) })).status).toBe(200);
    await operator.updateTenant({ tenantId: "globex" }, { suspended: false });
    expect(await clientWith(key).getSession()).toMatchObject({ tenant: "globex" });
    await expect(operator.updateTenant({ tenantId: "default" }, { suspended: true })).rejects.toMatchObject({
      code: "forbidden",
    });
  });

  test("read no blob, no metrics and nothing of the ledger that is another's", async () => {
    const { tenant } = service;
    const secret = await capture(tenant, { namespace: "diet", content: "The secret of default.", sourceAgent: "seed" });
    const acme = world("acme");
    const own = (await acme.admin.getMemory({ memoryId: acme.memoryId })).memory.storeRef;
    const blob = (id: string, key: string) => send(`${service.url}/v1/blobs/${id}`, { headers: bearer(key) });
    expect((await blob(own, acme.adminKey)).text).toContain(canaryOf("acme"));
    for (const id of [secret.storeRef, own]) expect((await blob(id, world("globex").adminKey)).status).toBe(404);
    const metrics = await send(`${service.url}/metrics`, { headers: bearer(acme.adminKey) });
    expect(metrics.status).toBe(403);
    expect((await acme.admin.ledgerTransactions()).transactions).toEqual([]);
  });

  test("cut the streams of whoever acts in one that is suspended, also of a key for all tenants", async () => {
    const { key } = await operator.createKey({ name: "listener", role: "agent:assistant", tenants: "all" });
    const events = await fetch(`${service.url}/api/events`, {
      headers: { ...bearer(key), "portcullis-tenant": "globex", accept: "text/event-stream" },
    });
    expect(events.status).toBe(200);
    const ended = events.text().catch(() => "cut");
    await operator.updateTenant({ tenantId: "globex" }, { suspended: true });
    await ended;
    await operator.updateTenant({ tenantId: "globex" }, { suspended: false });
  });

  test("let no key of a tenant be an operator, however it came there", async () => {
    const { key } = await createKey(service.tenant, { name: "made beside the routes", role: "operator" }, "test");
    expect((await send(`${service.url}/api/tenants`, { headers: bearer(key) })).status).toBe(401);
  });

  test("keep the signing keys of the deployment, whatever a tenant imports", async () => {
    const { admin } = world("acme");
    const before = await admin.getTrustRoot();
    const foreign = await foreignExport();
    const imported = await send(`${service.url}/api/import?key=${foreign.keyId}`, {
      method: "POST",
      headers: { ...bearer(world("acme").adminKey), "content-type": "application/x-ndjson" },
      body: foreign.text,
    });
    expect(imported.status, imported.text).toBe(200);
    expect(imported.text).not.toContain("urn:portcullis:problem");
    expect((await admin.getTrustRoot()).keys).toEqual(before.keys);
  });

  test("are listed and counted for operators, who read nothing in them", async () => {
    const { tenants } = await operator.listTenants();
    expect(tenants.map(({ id }) => id)).toEqual(["default", "acme", "globex"]);
    expect((await operator.getTenant({ tenantId: "globex" })).usage).toEqual({
      memories: 1,
      textBytes: Buffer.byteLength(`The secret is ${canaryOf("globex")}.`),
      namespaces: 1,
      policyRules: 1,
      receipts: expect.any(Number),
    });
    expect((await operator.putTenant({ tenantId: "acme" })).tenant).toEqual(tenants[1]);
    for (const path of ["memories", "receipts", "policy", "decisions", "export", "overview", "namespaces"])
      for (const header of [{}, { "portcullis-tenant": "acme" }]) {
        const headers = { ...bearer(operatorKey), ...header };
        expect((await send(`${service.url}/api/${path}`, { headers })).status, path).toBe(403);
      }
  });

  test("have quotas, which the operator sets and which refuse no revoke, no forgetting and no export", async () => {
    const { admin, adminKey, agentKey } = await createWorld("small");
    const params = { tenantId: "small" };
    const quotas = { memories: 2, answersPerMinute: 3, writesPerMinute: 5 };
    expect((await operator.updateTenant(params, { quotas })).tenant.quotas).toEqual(quotas);
    expect((await operator.getTenant(params)).limits).toMatchObject({ ...quotas, namespaces: 10_000 });
    const capture = (content: string) => admin.capture({ namespace: "diet", content, sourceAgent: "seed" });
    const { memory } = await capture("A second one.");
    await expect(capture("A third one.")).rejects.toMatchObject({
      code: "limit-reached",
      message: expect.stringContaining("At most 2 memories"),
    });
    const ask = () => clientWith(agentKey).chat({ query: "What is the secret?" });
    for (let i = 0; i < 3; i += 1) await ask();
    await expect(ask()).rejects.toMatchObject({
      code: "too-many-requests",
      message: expect.stringContaining("All callers of this tenant together may send 3 requests"),
    });
    while ((await capture("A third one.").catch(({ code }) => code)) === "limit-reached");
    await expect(capture("A third one.")).rejects.toMatchObject({ code: "too-many-requests" });
    await admin.setAccess({ agentId: "assistant", namespace: "diet", allowed: false });
    await admin.forgetMemory({ memoryId: memory.memoryId });
    const exported = await send(`${service.url}/api/export`, { headers: bearer(adminKey) });
    expect(exported.status).toBe(200);
    // Nobody else is concerned.
    await clientWith(world("acme").agentKey).chat({ query: "What is the secret?" });
    const none = { memories: null, answersPerMinute: null, writesPerMinute: null };
    expect((await operator.updateTenant(params, { quotas: none })).tenant).not.toHaveProperty("quotas");
    await capture("A third one.");
    const ofDefault = operator.updateTenant({ tenantId: "default" }, { quotas: { writesPerMinute: 1 } });
    await expect(ofDefault).rejects.toMatchObject({ code: "forbidden" });
    await expect(admin.updateTenant(params, { quotas: none })).rejects.toMatchObject({ code: "forbidden" });
  });

  test("have admins who make no operators, and no keys for all tenants", async () => {
    const { admin } = world("acme");
    await expect(admin.createKey({ name: "x", role: "operator" })).rejects.toMatchObject({ code: "forbidden" });
    const all = { name: "x", role: "agent:x", tenants: "all" } as const;
    await expect(admin.createKey(all)).rejects.toMatchObject({ code: "forbidden" });
    await expect(admin.listTenants()).rejects.toMatchObject({ code: "forbidden" });
  });

  test("publish what they anchor: anyone verifies it without a tenant, and nothing else of it is public", async () => {
    const [initech, globex] = [await createWorld("initech"), world("globex")];
    const anyone = createClient({ baseUrl: service.url });
    const secret = "The greenhouse key hangs behind the door.";
    const { memory } = await initech.admin.capture({ namespace: "diet", content: secret, sourceAgent: "seed" });
    const { receipt } = await clientWith(initech.agentKey).chat({ query: "Where does the greenhouse key hang?" });
    expect(receipt.usedMemories.map(({ memoryId }) => memoryId)).toContain(memory.memoryId);
    const blobs = [memory.storeRef, ...receipt.usedMemories.map(({ storeRef }) => storeRef)];
    const statusOf = async (path: string, key?: string) =>
      (await send(`${service.url}${path}`, key === undefined ? {} : { headers: bearer(key) })).status;

    for (const key of [undefined, globex.adminKey])
      for (const blob of blobs) expect(await statusOf(`/v1/blobs/${blob}`, key)).toBe(404);
    await expect(anyone.findAnchors({ id: receipt.answerId })).rejects.toMatchObject({ status: 404 });

    const { receiptId, txDigest, storeBlob } = await initech.admin.anchorOnChain({ receipt });
    for (const client of [anyone, globex.admin, initech.admin]) {
      expect(await verificationOf(client, receiptId)).toMatchObject({ verdict: "verified", receipt });
      for (const id of [receipt.answerId, storeBlob, txDigest])
        expect((await client.findAnchors({ id })).anchors.map(({ kind }) => kind)).toContain("ledger");
    }
    for (const key of [undefined, globex.adminKey]) {
      for (const blob of [storeBlob, ...blobs]) expect(await statusOf(`/v1/blobs/${blob}`, key)).toBe(200);
      expect(await statusOf(`/verify/${receiptId}?plain=1`, key)).toBe(200);
      expect(await statusOf(`/ledger/tx/${txDigest}`, key)).toBe(200);
      expect(await statusOf(`/api/tombstones/${memory.memoryId}`, key)).toBe(404);
      expect(await statusOf("/api/tombstones/%00", key)).toBe(400);
    }
    expect((await send(`${service.url}/verify?plain=1&q=${receipt.answerId}`)).text).toContain(receiptId);

    await initech.admin.forgetMemory({ memoryId: memory.memoryId }, {});
    for (const client of [anyone, globex.admin])
      expect((await client.getTombstone({ memoryId: memory.memoryId })).tombstone.memoryId).toBe(memory.memoryId);
  });

  test("read their own blobs and tombstones, whatever another tenant has published or forgotten of the same", async () => {
    const [older, younger] = [await createWorld("older"), await createWorld("younger")];
    const anyone = createClient({ baseUrl: service.url });
    const fact = { namespace: "diet", content: "The lighthouse keeper eats fish.", sourceAgent: "seed" };
    const statusOf = async (path: string, key?: string) =>
      (await send(`${service.url}${path}`, key === undefined ? {} : { headers: bearer(key) })).status;
    const anchored = async ({ admin, agentKey }: TenantWorld) => {
      const { memory } = await admin.capture(fact);
      const { receipt } = await clientWith(agentKey).chat({ query: "What does the lighthouse keeper eat?" });
      expect(receipt.usedMemories.map(({ memoryId }) => memoryId)).toContain(memory.memoryId);
      await admin.anchorOnChain({ receipt });
      return memory;
    };
    const memory = await anchored(older);
    const { memory: own } = await younger.admin.capture(fact);
    // A fact's blob has its time, so that another tenant has the same one only by an import.
    const { text } = await send(`${service.url}/api/export`, { headers: bearer(older.adminKey) });
    const keyId = JSON.parse(text.trim().split("\n").at(-1) ?? "").signature.keyId;
    const imported = await send(`${service.url}/api/import?key=${keyId}`, {
      method: "POST",
      headers: { ...bearer(younger.adminKey), "content-type": "application/x-ndjson" },
      body: text,
    });
    expect(imported.status, imported.text).toBe(200);
    expect(own.memoryId).not.toBe(memory.memoryId);

    // Who published it first has forgotten it: its own tombstone is public, and the copy of another is not.
    await older.admin.forgetMemory({ memoryId: memory.memoryId }, { reason: "first" });
    expect(await statusOf(`/v1/blobs/${memory.storeRef}`, younger.adminKey)).toBe(200);
    expect((await anyone.getTombstone({ memoryId: memory.memoryId })).tombstone.reason).toBe("first");
    await younger.admin.forgetMemory({ memoryId: memory.memoryId }, { reason: "second" });
    expect((await anyone.getTombstone({ memoryId: memory.memoryId })).tombstone.reason).toBe("first");
    const ofYounger = await younger.admin.getTombstone({ memoryId: memory.memoryId });
    expect(ofYounger.tombstone.reason).toBe("second");
  });

  test("forge no tombstone of what another has published and still has", async () => {
    const [forger, victim] = [await createWorld("forger"), await createWorld("victim")];
    const fact = { namespace: "diet", content: "The cellar holds forty barrels.", sourceAgent: "seed" };
    const { memory } = await victim.admin.capture(fact);
    const { receipt } = await clientWith(victim.agentKey).chat({ query: "How many barrels does the cellar hold?" });
    expect(receipt.usedMemories.map(({ memoryId }) => memoryId)).toContain(memory.memoryId);
    await victim.admin.anchorOnChain({ receipt });
    const { text } = await send(`${service.url}/api/export`, { headers: bearer(victim.adminKey) });
    const keyId = JSON.parse(text.trim().split("\n").at(-1) ?? "").signature.keyId;
    await send(`${service.url}/api/import?key=${keyId}`, {
      method: "POST",
      headers: { ...bearer(forger.adminKey), "content-type": "application/x-ndjson" },
      body: text,
    });
    const { memoryId } = memory;
    await forger.admin.forgetMemory({ memoryId }, { reason: "a lie" });
    for (const client of [createClient({ baseUrl: service.url }), victim.admin, clientWith(world("globex").adminKey)])
      await expect(client.getTombstone({ memoryId })).rejects.toMatchObject({ status: 404 });
    expect((await victim.admin.getMemory({ memoryId })).memory.content).toBe(fact.content);
  });
});
