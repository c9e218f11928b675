// Webhooks of a real service, to a real receiver on loopback.
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { isPublicAddress, webhookSender } from "#adapters/webhooks/webhook-sender.ts";
import { createClient } from "#contract/client/client.ts";
import { signatureOf } from "#service/events/webhook-secrets.ts";
import { deliverWebhooks } from "#service/events/webhooks.ts";
import { createKey } from "#service/identity/keys.ts";
import { AGENTS, ALL_POLICIES, NAMESPACES, rulesOf, somePolicies } from "#test/entry-points/policies.ts";
import { runs } from "#test/support/runs.ts";
import { serviceForTest } from "#test/support/service.ts";

interface Received {
  readonly id: string;
  readonly body: string;
  readonly isSigned: boolean;
}

/** Answers with the next of these statuses, and then with 204. */
async function receiver(...statuses: number[]) {
  const received: Received[] = [];
  let secret = "";
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts).toString();
    const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature } = request.headers;
    const key = Buffer.from(secret.slice("whsec_".length), "base64");
    const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
    received.push({ id: String(id), body, isSigned: signature === `v1,${expected}` });
    response.writeHead(statuses.shift() ?? 204, { location: "http://127.0.0.1/elsewhere" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/hook`;
  return {
    url,
    received,
    use(made: string) {
      secret = made;
    },
  };
}

const FACT = { namespace: "garden", content: "The roses bloom in June.", sourceAgent: "app" };
const ENVIRONMENT = { SEED: "none", WEBHOOK_TARGETS: "any" };
const MANY = "1000000";
const UNLIMITED = { LIMIT_ANSWERS_PER_MINUTE: MANY, LIMIT_WRITES_PER_MINUTE: MANY };
const { signal } = new AbortController();

async function start(environment: Readonly<Record<string, string>> = ENVIRONMENT) {
  let clock = Date.now();
  const service = await serviceForTest({ environment, overrides: { now: () => new Date(clock) } });
  return {
    ...service,
    deliver: () => deliverWebhooks(service.tenant, signal),
    pass(ms: number) {
      clock += ms;
    },
  };
}

describe("A webhook", () => {
  test("gets the events from then on, signed, of the kinds that it asked for, without any text", async () => {
    const { client, deliver } = await start();
    await client.capture({ ...FACT, content: "Before." });
    const { url, received, use } = await receiver();
    const { webhook, secret } = await client.createWebhook({ url, kinds: ["memory-captured"] });
    use(secret);
    const { memory } = await client.capture(FACT);
    await client.setAccess({ agentId: "planner", namespace: "garden", allowed: true });
    await deliver();
    expect(received.map(({ body, isSigned }) => [JSON.parse(body), isSigned])).toEqual([
      [
        {
          type: "memory-captured",
          timestamp: memory.createdAt,
          data: { at: memory.createdAt, memoryId: memory.memoryId, namespace: "garden", sourceAgent: "app" },
        },
        true,
      ],
    ]);
    await deliver();
    expect(received).toHaveLength(1);
    const { deliveries } = await client.listDeliveries({ webhookId: webhook.webhookId });
    expect(deliveries).toMatchObject([
      { kind: "memory-captured", attempt: 1, status: 204, messageId: received[0]?.id },
    ]);
  });

  test("is made once for an Idempotency-Key, and its secret shown once", async () => {
    const { url, client } = await start();
    const post = () =>
      fetch(`${url}/api/webhooks`, {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": "once" },
        body: JSON.stringify({ url: "http://127.0.0.1:9/hook" }),
      });
    expect((await post()).status).toBe(200);
    const again = await post();
    expect(again.status).toBe(409);
    expect(await again.json()).toMatchObject({ code: "already-created" });
    expect((await client.listWebhooks()).webhooks).toHaveLength(1);
  });

  test("gets a message again under the same id, later and later, and in order; a redirect is not followed", async () => {
    const { client, deliver, pass } = await start();
    const { url, received, use } = await receiver(500, 302);
    const { webhook, secret } = await client.createWebhook({ url });
    use(secret);
    await client.capture(FACT);
    await client.capture({ ...FACT, content: "The tulips in April." });
    await deliver();
    await deliver();
    expect(received, "it waits").toHaveLength(1);
    pass(5_000);
    await deliver();
    pass(5_000 / 2 - 1);
    await deliver();
    expect(received, "it waits longer").toHaveLength(2);
    pass(10_000);
    await deliver();
    const kinds = received.map(({ id, body, isSigned }) => [id, JSON.parse(body).data.memoryId, isSigned]);
    expect(kinds).toHaveLength(4);
    expect([kinds[1], kinds[2]]).toEqual([kinds[0], kinds[0]]);
    expect(kinds[3]?.[0]).not.toBe(kinds[0]?.[0]);
    const { deliveries } = await client.listDeliveries({ webhookId: webhook.webhookId });
    expect(deliveries.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 204],
      [3, 204],
      [2, 302],
      [1, 500],
    ]);
    expect((await client.listWebhooks()).webhooks).toMatchObject([{ failures: 0 }]);
  });

  test("that is removed gets nothing more", async () => {
    const { client, deliver } = await start();
    const { url, received } = await receiver();
    const { webhook } = await client.createWebhook({ url });
    await client.removeWebhook({ webhookId: webhook.webhookId });
    await client.capture(FACT);
    await deliver();
    expect([received, (await client.listWebhooks()).webhooks]).toEqual([[], []]);
    await expect(client.listDeliveries({ webhookId: webhook.webhookId })).rejects.toMatchObject({ code: "not-found" });
  });

  test("of an admin of namespaces gets what happens in these, and ends with the key", async () => {
    const service = await start({ ...ENVIRONMENT, AUTH: "keys" });
    const { tenant, url: baseUrl, deliver } = service;
    const as = async (role: string) => {
      const { key, record } = await createKey(tenant, { name: role, role }, "test");
      return { client: createClient({ baseUrl, bearer: key }), keyId: record.keyId };
    };
    const [admin, diet] = [await as("admin"), await as("admin:diet")];
    const { url, received, use } = await receiver();
    const { webhook, secret } = await diet.client.createWebhook({ url });
    use(secret);
    await admin.client.capture(FACT);
    const { memory } = await admin.client.capture({ ...FACT, namespace: "diet" });
    await deliver();
    expect(received.map(({ body }) => JSON.parse(body).data.memoryId)).toEqual([memory.memoryId]);
    const other = await as("admin:garden");
    expect((await other.client.listWebhooks()).webhooks).toEqual([]);
    await expect(other.client.removeWebhook({ webhookId: webhook.webhookId })).rejects.toMatchObject({ status: 404 });
    await admin.client.revokeKey({ keyId: diet.keyId });
    await admin.client.capture({ ...FACT, namespace: "diet", content: "No salt." });
    await deliver();
    expect(received).toHaveLength(1);
    expect((await admin.client.listWebhooks()).webhooks[0]?.endedAt).toBeDefined();
  });

  test("gets nothing of other namespaces, and no text, whatever the policy lets agents use", async () => {
    const { tenant, url: baseUrl, deliver } = await start({ ...ENVIRONMENT, AUTH: "keys", ...UNLIMITED });
    const as = async (role: string) =>
      createClient({ baseUrl, bearer: (await createKey(tenant, { name: role, role }, "test")).key });
    const admin = await as("admin");
    const agents = await Promise.all(AGENTS.map((agent) => as(`agent:${agent}`)));
    const [all, own] = [await receiver(), await receiver()];
    all.use((await admin.createWebhook({ url: all.url })).secret);
    own.use((await (await as("admin:space-x")).createWebhook({ url: own.url })).secret);
    const policies = somePolicies(runs(ALL_POLICIES, 8));
    for (const policy of policies) {
      await admin.setAccessBatch({
        rules: rulesOf(policy).map(({ namespace, ...rule }) => ({ ...rule, namespace: `space-${namespace}` })),
      });
      for (const name of NAMESPACES)
        await admin.capture({ namespace: `space-${name}`, content: `secret ${name} of ${policy}`, sourceAgent: "app" });
      for (const agent of agents) await agent.chat({ query: "Which secret is there?" });
      await deliver();
    }
    const kinds = (received: readonly Received[]) =>
      received.map(({ body }) => JSON.parse(body)).filter(({ type }) => type === "memory-captured").length;
    expect([kinds(own.received), kinds(all.received)]).toEqual([policies.length, NAMESPACES.length * policies.length]);
    expect(own.received.filter(({ body }) => /space-[^x]/.test(body))).toEqual([]);
    expect([...own.received, ...all.received].filter(({ body }) => /secret/i.test(body))).toEqual([]);
    expect(all.received.filter(({ body }) => body.includes("receipt-issued"))).not.toEqual([]);
  });

  test("goes to no address inside the own network, whatever it is called, unless that is allowed", async () => {
    const { client } = await start({ SEED: "none" });
    for (const url of [
      "http://example.com/",
      "https://127.0.0.1/",
      "https://[::1]/",
      "https://localhost/",
      "https://10.1.2.3/",
      "https://u:p@example.com/",
      "ftp://example.com/",
      "no",
    ])
      await expect(client.createWebhook({ url }), url).rejects.toMatchObject({ status: 400 });
    const { send } = webhookSender({ targets: "public" });
    const message = { headers: {}, body: "{}" };
    // A name that the machine itself resolves to its loopback address.
    await expect(send({ ...message, url: "https://ip6-localhost/" }, signal)).rejects.toThrow();
    const publicAddresses = ["8.8.8.8", "2606:4700::1111"].map(isPublicAddress);
    const others = [
      "::ffff:127.0.0.1",
      "::127.0.0.1",
      "64:ff9b::7f00:1",
      "fe80::1",
      "fc00::1",
      "2002:7f00:1::",
      "169.254.169.254",
      "100.64.0.1",
      "224.0.0.1",
    ];
    expect([publicAddresses, others.filter(isPublicAddress)]).toEqual([[true, true], []]);
  });
});

test("A signature is that of the specification's example", () => {
  const message = {
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    timestamp: "1614265330",
    body: '{"test": 2432232314}',
  };
  const secret = Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64");
  expect(signatureOf(secret, message)).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
});
