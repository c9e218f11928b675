// Input that looks wrong and is valid: unknown fields of a receipt, names that objects inherit, duplicate keys, a missing
// body where none is needed.
import { describe, expect, test } from "vitest";
import { GOOD_BODIES, RECEIPT } from "#test/support/bodies.ts";
import { sortedJson } from "#test/support/reference-encoding.ts";
import { post, send } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";

const ODD_NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf", "prototype", "toJSON", "0"];

describe.for(ODD_NAMES)("The name %s is an ordinary name:", (name) => {
  const content = `The word of the day is quokka${ODD_NAMES.indexOf(name)}.`;
  const fact = { namespace: name, content, sourceAgent: name };
  const ask = { agentId: name, query: "What is the word of the day?" };

  test("an agent with it is allowed nothing until the policy allows it", async () => {
    const { client } = await serviceForTest();
    await client.capture(fact);
    const { receipt } = await client.chat(ask);
    expect(receipt).toMatchObject({ agentId: name, usedMemories: [] });
    expect(receipt.blockedNamespaces).toEqual([name, "diet", "finance", "fitness", "health", "travel", "work"].sort());
  });

  test("it is unchanged in capture, policy, chat, receipt and list", async () => {
    const { client, url } = await serviceForTest();
    const { memory } = await client.capture(fact);
    expect(memory).toMatchObject(fact);
    const { policy } = await client.setAccess({ agentId: name, namespace: name, allowed: true });
    expect(Object.hasOwn(policy, name)).toBe(true);
    expect(Object.entries(policy[name] ?? {})).toEqual([[name, true]]);
    expect((await send(`${url}/api/policy`)).text).toContain(`"${name}":{"${name}":true}`);

    const { answer, receipt } = await client.chat(ask);
    expect(answer).toContain(content);
    expect(receipt.usedMemories).toMatchObject([{ namespace: name, verified: true, intact: true }]);
    expect(receipt.blockedNamespaces).not.toContain(name);
    expect((await client.listMemories({ limit: 1 })).memories).toEqual([memory]);
    expect(await client.anchorReceipt({ receipt })).toMatchObject({ verified: true });
  });

  test("it can be revoked, and a reset removes it", async () => {
    const { client } = await serviceForTest();
    await client.capture(fact);
    await client.setAccess({ agentId: name, namespace: name, allowed: true });
    const { policy } = await client.setAccess({ agentId: name, namespace: name, allowed: false });
    expect(Object.entries(policy[name] ?? {})).toEqual([[name, false]]);
    expect((await client.chat(ask)).receipt.usedMemories).toEqual([]);
    await client.resetDemo();
    expect(Object.hasOwn((await client.getPolicy()).policy, name)).toBe(false);
  });

  test("the companion names it when it was revoked", async () => {
    const { client } = await serviceForTest();
    for (const allowed of [true, false]) await client.setAccess({ agentId: "companion", namespace: name, allowed });
    expect((await client.companion({ query: "Hello?" })).answer).toContain(`You have closed ${name} to me`);
  });
});

test("Unknown fields in a receipt are kept in its anchored bytes, whatever they are called", async () => {
  const { url } = await serviceForTest();
  const odd =
    '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"nested":{"__proto__":[{"toJSON":{}}],"z":1},"toJSON":"text"';
  const used =
    '{"__proto__":null,"authorized":true,"namespace":"diet","snippet":"Fish.","storeRef":"b","toJSON":[],"verified":false}';
  const receipt = `{${odd},${JSON.stringify({ ...RECEIPT, usedMemories: [] }).slice(1)}`.replace(
    '"usedMemories":[]',
    `"usedMemories":[${used}]`,
  );
  const answer = await post(`${url}/api/anchor`, `{"receipt":${receipt}}`);
  expect(answer.status).toBe(200);
  const { blobId } = JSON.parse(answer.text);
  const expected =
    '{"__proto__":{"polluted":true},"agentId":"assistant","answerId":"ans_from_elsewhere","blockedNamespaces":["health"],' +
    '"constructor":{"prototype":{"polluted":true}},"createdAt":"2026-05-01T10:00:00Z",' +
    `"nested":{"__proto__":[{"toJSON":{}}],"z":1},"toJSON":"text","usedMemories":[${used}]}`;
  expect((await send(`${url}/v1/blobs/${blobId}`)).text).toBe(expected);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test("A receipt of another service, with fields of its own and none of ours, can be anchored", async () => {
  const { client, url } = await serviceForTest();
  const receipt = { ...RECEIPT, createdAt: "2026-05-01T12:00:00+02:00", é: "ü", "€": 1.5, emoji: "🌿", none: null };
  const { blobId, verified } = await client.anchorReceipt({ receipt });
  expect(verified).toBe(true);
  expect((await send(`${url}/v1/blobs/${blobId}`)).text).toBe(sortedJson(receipt));
});

test("Of duplicate keys in a body the last one counts", async () => {
  const { client, url } = await serviceForTest();
  const body = '{"agentId":"nobody","agentId":"assistant","namespace":"diet","allowed":true,"allowed":false}';
  expect((await post(`${url}/api/policy`, body)).status).toBe(200);
  const { policy } = await client.getPolicy();
  expect(policy.assistant?.diet).toBe(false);
  expect(policy).not.toHaveProperty("nobody");
});

test.for([
  ["no body and no type", {}],
  ["an empty body of no declared length", { body: [] }],
  ["an empty body", { body: "" }],
  ["an empty body of type JSON", { body: "", headers: { "content-type": "application/json" } }],
  ["an empty body of another type", { body: "", headers: { "content-type": "text/plain" } }],
  ["an empty object", { body: "{}", headers: { "content-type": "application/json" } }],
] as const)("Reset accepts %s", async ([, sent]) => {
  const { client, url } = await serviceForTest();
  await client.capture(GOOD_BODIES["/api/memories"]);
  const { status, text } = await send(`${url}/api/reset`, { method: "POST", ...sent });
  expect(status).toBe(200);
  expect(JSON.parse(text)).toEqual({ ok: true });
  expect((await client.listMemories()).memories).toHaveLength(14);
});

test("An unknown agent is allowed nothing, and every namespace is blocked for it", async () => {
  const { client } = await serviceForTest();
  const { answer, receipt } = await client.chat({ agentId: "stranger", query: "Tell me about the peanut allergy." });
  expect(receipt.usedMemories).toEqual([]);
  expect(receipt.blockedNamespaces).toEqual(["diet", "finance", "fitness", "health", "travel", "work"]);
  expect(answer).not.toContain("peanut");
  expect((await client.getPolicy()).policy).not.toHaveProperty("stranger");
});

test("Names are exact: another case or spelling is another name", async () => {
  const { client } = await serviceForTest();
  for (const agentId of ["Assistant", "assistant.", "аssistant"]) {
    const { receipt } = await client.chat({ agentId, query: "dinner" });
    expect(receipt).toMatchObject({ agentId, usedMemories: [] });
  }
});

test("Texts of the maximum length, with line ends, and names of 64 characters are stored unchanged", async () => {
  const { client } = await serviceForTest();
  const name = "🌿".repeat(64);
  const content = `\tline one\r\nline two\n${"🌿".repeat(7_900)}`;
  const { memory } = await client.capture({ namespace: name, content, sourceAgent: name });
  expect(memory).toMatchObject({ namespace: name, content, sourceAgent: name });
  await client.setAccess({ agentId: name, namespace: name, allowed: true });
  const { receipt } = await client.chat({ agentId: name, query: "é".repeat(4_000) });
  expect(receipt.usedMemories).toMatchObject([{ namespace: name, verified: true, intact: true }]);
  expect(receipt.usedMemories[0]?.snippet.isWellFormed()).toBe(true);
});
