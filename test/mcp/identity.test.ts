// Who may speak MCP, as whom, and how often.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canaryOf, createWorld, type World } from "#test/identity/world.ts";
import { keyedServiceForTest } from "#test/support/keyed-service.ts";
import { post, problemIn, send } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";

const ACCEPT = { accept: "application/json, text/event-stream" };

function rpc(url: string, headers: Record<string, string>, params: object = { name: "explain_access", arguments: {} }) {
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  return post(`${url}/mcp`, message, { ...ACCEPT, ...headers });
}

const resultIn = ({ text }: { text: string }) => JSON.parse(text).result;

describe("With identities,", () => {
  let world: World;
  let url: string;
  beforeAll(async () => {
    world = await createWorld();
    ({ url } = world.service);
  });
  afterAll(() => world.service.stop());

  const bearer = (key: string, agentId?: string) => ({
    authorization: `Bearer ${key}`,
    ...(agentId !== undefined && { "portcullis-agent": encodeURIComponent(agentId) }),
  });

  test("the agent is the key's, and only an admin names another", async () => {
    const { keys } = world;
    for (const [status, headers] of [
      [200, bearer(keys.agent)],
      [200, bearer(keys.agent, "assistant")],
      [403, bearer(keys.agent, "planner")],
      [400, bearer(keys.admin)],
      [200, bearer(keys.admin, "assistant")],
      [400, bearer(keys.admin, " ")],
      [400, { ...bearer(keys.admin), "portcullis-agent": "%zz" }],
      [403, bearer(keys.namespaceAdmin, "assistant")],
      [403, bearer(keys.auditor)],
      [403, bearer(keys.auditor, "assistant")],
      [401, bearer(keys.revoked)],
      [401, bearer(keys.expired, "assistant")],
      [401, {}],
      [401, { "portcullis-agent": "assistant" }],
    ] as const) {
      const answer = await rpc(url, headers);
      expect([headers, answer.status]).toEqual([headers, status]);
      if (status === 200) expect(resultIn(answer).structuredContent.agentId).toBe("assistant");
    }
  });

  test("an admin who acts as an agent has that agent's rights, on every route", async () => {
    const acting = bearer(world.keys.admin, "assistant");
    const { structuredContent } = resultIn(await rpc(url, acting));
    // It captures anywhere, as an admin does.
    expect(structuredContent).not.toHaveProperty("captures");
    const { memoryIds } = world;
    const memory = (id: string) => send(`${url}/api/memories/${id}`, { headers: acting });
    expect((await memory(memoryIds.finance)).status).toBe(404);
    expect((await memory(memoryIds.diet)).status).toBe(200);
    expect((await send(`${url}/api/memories`, { headers: acting })).text).not.toContain(canaryOf("finance"));
    expect((await send(`${url}/api/keys`, { headers: acting })).status).toBe(403);
    expect(
      (await post(`${url}/api/policy`, { agentId: "assistant", namespace: "finance", allowed: true }, acting)).status,
    ).toBe(403);
    const captured = await post(`${url}/api/memories`, { namespace: "garden", content: "A rose." }, acting);
    expect(JSON.parse(captured.text).memory.sourceAgent).toBe("assistant");
  });

  test("an Idempotency-Key that an admin used as one agent is another one as the next agent", async () => {
    const fact = { namespace: "garden", content: "A tulip." };
    const captureAs = async (agentId: string) => {
      const headers = { ...bearer(world.keys.admin, agentId), "idempotency-key": "tulip" };
      return JSON.parse((await post(`${url}/api/memories`, fact, headers)).text).memory.sourceAgent;
    };
    expect(await captureAs("assistant")).toBe("assistant");
    expect(await captureAs("planner")).toBe("planner");
  });

  test("a caller without a key is sent to no issuer where there is none, and the refusal is in the decision log", async () => {
    const refused = await rpc(url, bearer("portcullis_wrong"));
    expect(refused.headers["www-authenticate"]).toBe('Bearer realm="portcullis", error="invalid_token"');
    expect((await send(`${url}/.well-known/oauth-protected-resource/mcp`)).status).toBe(404);
    await rpc(url, bearer(world.keys.auditor));
    const decisions = await send(`${url}/api/decisions?limit=10`, { headers: bearer(world.keys.admin) });
    expect(JSON.parse(decisions.text).decisions).toContainEqual(
      expect.objectContaining({ route: "mcp", outcome: "refused", role: "auditor" }),
    );
  });

  test("a call is in the decision log as its route is", async () => {
    const { structuredContent } = resultIn(
      await rpc(url, bearer(world.keys.agent), { name: "recall", arguments: { query: "What is the secret?" } }),
    );
    const decisions = await send(`${url}/api/decisions?limit=10`, { headers: bearer(world.keys.agent) });
    expect(JSON.parse(decisions.text).decisions).toContainEqual(
      expect.objectContaining({ route: "recall", outcome: "answered", answerId: structuredContent.receipt.answerId }),
    );
  });

  test("a browser's session opens nothing here", async () => {
    const signedIn = await post(`${url}/api/session`, { key: world.keys.agent }, { origin: url });
    const cookie = String(signedIn.headers["set-cookie"]).split(";")[0] ?? "";
    expect((await rpc(url, { cookie, origin: url })).status).toBe(401);
  });
});

test("Without identities, the agent is named in the header, and nobody is sent to an issuer", async () => {
  const { url } = await serviceForTest();
  const unnamed = await rpc(url, {});
  expect([unnamed.status, unnamed.headers["www-authenticate"]]).toEqual([400, undefined]);
  expect(problemIn(unnamed).detail).toContain("Portcullis-Agent");
  const { structuredContent } = resultIn(await rpc(url, { "portcullis-agent": "companion" }));
  expect(structuredContent.agentId).toBe("companion");
  expect((await send(`${url}/.well-known/oauth-protected-resource/mcp`)).status).toBe(404);
});

test("Calls count as their routes do, and every message counts as a read", async () => {
  const environment = { LIMIT_ANSWERS_PER_MINUTE: "1", LIMIT_READS_PER_MINUTE: "4" };
  const { url, keyFor } = await keyedServiceForTest({ environment });
  const { key } = await keyFor("agent:assistant");
  const recall = () => rpc(url, { authorization: `Bearer ${key}` }, { name: "recall", arguments: { query: "dinner" } });
  expect(resultIn(await recall())).not.toHaveProperty("isError");
  const second = await recall();
  expect(resultIn(second)).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining("too-many-requests") }],
  });
  expect(second.headers["retry-after"]).toMatch(/^\d+$/);
  await recall();
  await recall();
  const refused = await recall();
  expect([refused.status, problemIn(refused).code]).toEqual([429, "too-many-requests"]);
});

test("Below a base path, the metadata name it", async () => {
  const environment = { BASE_PATH: "/memory", AUTH_ISSUER: "https://issuer.test", AUTH_AUDIENCE: "portcullis" };
  const { url, keyFor } = await keyedServiceForTest({ environment });
  const { key } = await keyFor("agent:assistant");
  expect((await rpc(`${url}/memory`, { authorization: `Bearer ${key}` })).status).toBe(200);
  const { headers } = await rpc(`${url}/memory`, {});
  const metadata = `${url}/memory/.well-known/oauth-protected-resource/mcp`;
  expect(headers["www-authenticate"]).toContain(`resource_metadata="${metadata}"`);
  for (const place of [metadata, `${url}/.well-known/oauth-protected-resource/memory/mcp`])
    expect(JSON.parse((await send(place)).text).resource).toBe(`${url}/memory/mcp`);
});
