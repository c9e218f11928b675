// Over HTTP: names that look alike, names from before, parameters that a route does not have, and facts that come again.
import { describe, expect, test } from "vitest";
import type { Principal } from "#core/identity/principal.ts";
import { openAuthenticator } from "#service/identity/authenticator.ts";
import { readChanges } from "#test/support/read-changes.ts";
import { post, problemIn, send } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";

const FACT = { namespace: "garden", content: "The hydrangea needs acid soil.", sourceAgent: "gardener" };
const HEALTH_IN_CYRILLIC = "hеalth";

async function serviceFor(principal: Principal) {
  return serviceForTest({ overrides: { authenticator: { ...openAuthenticator, identify: async () => principal } } });
}

describe("A name that looks like another", () => {
  test("is a 409 for a new namespace, and nothing is stored as a blob", async () => {
    const { url, client, tenant } = await serviceForTest();
    const before = await tenant.records.blobTexts.count();
    const answer = await post(`${url}/api/memories`, { ...FACT, namespace: HEALTH_IN_CYRILLIC });
    expect([answer.status, problemIn(answer).code]).toEqual([409, "confusable-name"]);
    expect(problemIn(answer).detail).toContain("“health”");
    expect(await tenant.records.blobTexts.count()).toBe(before);
    expect((await client.capture({ ...FACT, namespace: "Health" })).memory.namespace).toBe("Health");
  });

  test("is told only to an admin by the name of the other", async () => {
    const agent = { role: "agent", agentId: "gardener", captures: [HEALTH_IN_CYRILLIC], id: "k", name: "g" } as const;
    const { url } = await serviceFor(agent);
    const fact = { ...FACT, namespace: HEALTH_IN_CYRILLIC };
    const answer = await post(`${url}/api/memories`, fact);
    expect([answer.status, problemIn(answer).code]).toEqual([409, "confusable-name"]);
    expect(answer.text).not.toContain("health");
    const headers = { "content-type": "application/x-ndjson" };
    const body = JSON.stringify(fact);
    const imported = await send(`${url}/api/memories/import`, { method: "POST", headers, body });
    expect(imported.text).toContain("confusable-name");
    expect(imported.text).not.toContain("“health”");
  });

  test("is told to an admin in an import, too", async () => {
    const { url } = await serviceForTest();
    const headers = { "content-type": "application/x-ndjson" };
    const body = JSON.stringify({ ...FACT, namespace: HEALTH_IN_CYRILLIC });
    expect((await send(`${url}/api/memories/import`, { method: "POST", headers, body })).text).toContain("“health”");
  });

  test("is a 409 when it would be allowed, and never when it is revoked", async () => {
    const { client } = await serviceForTest();
    const rule = { agentId: "аssistant", namespace: "health" };
    await expect(client.setAccess({ ...rule, allowed: true })).rejects.toMatchObject({ code: "confusable-name" });
    const before = await client.getPolicy();
    expect(await client.setAccess({ ...rule, allowed: false })).toEqual(before);
  });
});

describe("A name with an invisible character", () => {
  const old = { agentId: "ver\u200bger", namespace: "at\u00adtic" };

  test("is refused for something new", async () => {
    const { url } = await serviceForTest();
    for (const [path, body, pointer] of [
      ["/api/memories", { ...FACT, namespace: old.namespace }, "#/namespace"],
      ["/api/memories", { ...FACT, sourceAgent: old.agentId }, "#/sourceAgent"],
      ["/api/policy", { ...old, namespace: "x", allowed: true }, "#/agentId"],
      ["/api/policy", { ...old, agentId: "x", allowed: true }, "#/namespace"],
      ["/api/chat", { agentId: old.agentId, query: "?" }, "#/agentId"],
    ] as const) {
      const answer = await post(`${url}${path}`, body);
      expect(answer.status).toBe(400);
      expect(problemIn(answer).errors).toEqual([{ pointer, detail: "must not contain invisible characters" }]);
    }
  });

  test("that is on record is found, and can be revoked", async () => {
    const { url, client, tenant } = await serviceForTest();
    await tenant.records.policy.set({ ...old, allowed: true }, { by: "earlier version", at: "" });
    const { policy } = await client.setAccess({ ...old, allowed: false });
    expect(policy[old.agentId]).toEqual({ [old.namespace]: false });
    const query = new URLSearchParams({ namespace: old.namespace, viewAs: old.agentId });
    expect((await send(`${url}/api/memories?${query}`)).status).toBe(200);
  });
});

describe("A query parameter", () => {
  test("in another case is refused on every route that takes a query, and the error names the right one", async () => {
    const { url } = await serviceForTest();
    for (const path of ["/api/memories", "/api/receipts", "/api/policy/changes", "/api/ledger/transactions"]) {
      const answer = await send(`${url}${path}?LIMIT=1`);
      expect([path, answer.status]).toEqual([path, 400]);
      const detail = "is not a parameter of this route; did you mean limit?";
      expect(problemIn(answer).errors).toEqual([{ parameter: "LIMIT", detail }]);
    }
    const answer = await send(`${url}/api/memories?viewas=planner`);
    expect(answer.text).toContain("did you mean viewAs?");
    expect((await send(`${url}/api/memories?limit=1&limit=2`)).status).toBe(400);
  });
});

describe("The same fact again", () => {
  test("is the same memory, and the change feed has nothing new", async () => {
    const { client, tenant } = await serviceForTest();
    const { memory } = await client.capture(FACT);
    const before = await readChanges(tenant.records.changeFeed);
    const again = await Promise.all(Array.from({ length: 20 }, () => client.capture(FACT)));
    for (const reply of again) expect(reply).toEqual({ memory, similar: [] });
    expect(await readChanges(tenant.records.changeFeed)).toEqual(before);
  });

  test("in another namespace, or from another agent, is another memory", async () => {
    const { client } = await serviceForTest();
    const facts = [FACT, { ...FACT, namespace: "yard" }, { ...FACT, sourceAgent: "neighbour" }];
    const replies = await Promise.all(facts.map((fact) => client.capture(fact)));
    expect(new Set(replies.map(({ memory }) => memory.memoryId)).size).toBe(3);
  });

  test("in an import adds nothing: each line gets the memory on record", async () => {
    const { url, client } = await serviceForTest();
    const facts = Array.from({ length: 30 }, (_, i) => ({ ...FACT, content: `fact ${i % 10}` }));
    const headers = { "content-type": "application/x-ndjson" };
    const body = facts.map((fact) => JSON.stringify(fact)).join("\n");
    const importAll = async () =>
      (await send(`${url}/api/memories/import`, { method: "POST", headers, body })).text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).memory.memoryId as string);
    const first = await importAll();
    expect(new Set(first).size).toBe(10);
    const { memories } = await client.listMemories();
    expect(await importAll()).toEqual(first);
    expect(await client.listMemories()).toEqual({ memories });
  });
});
