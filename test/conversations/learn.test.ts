// POST /api/conversations: by the built-in rules, and by a model's stand-in on loopback.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Body } from "#contract/routes.ts";
import { keyedServiceForTest } from "#test/support/keyed-service.ts";
import { type OpenAiStandIn, startOpenAiStandIn } from "#test/support/openai-stand-in/openai-stand-in.ts";
import { isCommitted } from "#test/support/reference-encoding.ts";
import { type Service, serviceForTest } from "#test/support/service.ts";
import { waitFor } from "#test/support/wait-for.ts";

const AT = "2026-11-18T10:00:00Z";
const user = (content: string) => ({ role: "user" as const, content, at: AT });
const CHAT = [
  user("Hi! I'm allergic to peanuts."),
  { role: "assistant" as const, content: "Noted. You live in Rome, right?" },
  user("I moved to Porto. My flight to Lisbon leaves tomorrow. My password is hunter2."),
];

async function start(environment: Readonly<Record<string, string>> = {}): Promise<Service> {
  const service = await serviceForTest({ environment: { SEED: "none", ...environment } });
  const { client } = service;
  for (const namespace of ["health", "travel", "home"])
    await client.setAccess({ agentId: "a", namespace, allowed: true });
  await client.capture({ namespace: "safe", content: "The safe is allergic to canary4711.", sourceAgent: "s" });
  return service;
}

describe("By the built-in rules a conversation", () => {
  test("gives proposals with namespace, date and messages, stores nothing, and has a receipt that commits to all of it", async () => {
    const { client } = await start();
    const learned = await client.learn({
      agentId: "a",
      messages: CHAT,
      defaultNamespace: "home",
      conversationId: "c1",
    });
    const { proposals, extractor, receipt, opening } = learned;
    expect(proposals).toEqual([
      { content: "The user is allergic to peanuts.", namespace: "health", confidence: 0.9, derivedFrom: [0] },
      { content: "The user moved to Porto.", namespace: "home", confidence: 0.7, derivedFrom: [2] },
      {
        content: "The user's flight to Lisbon leaves on 2026-11-19.",
        namespace: "travel",
        confidence: 0.85,
        derivedFrom: [2],
        occurredAt: "2026-11-19",
      },
    ]);
    expect(extractor).toBe("portcullis-rules-1");
    expect(receipt).toMatchObject({
      blockedNamespaces: ["safe"],
      evidence: { kind: "answered", template: "extraction/1" },
    });
    expect(
      isCommitted({ receipt, opening }, "/question", JSON.stringify({ conversationId: "c1", messages: sorted(CHAT) })),
    ).toBe(true);
    expect(isCommitted({ receipt, opening }, "/answer", JSON.stringify(sorted(proposals)))).toBe(true);
    expect(await memoriesOf(client)).toEqual(["The safe is allergic to canary4711."]);
    const { question } = (await client.getReceipt({ answerId: receipt.answerId })) as { question?: string };
    expect(question).toBeUndefined();
  });

  test("is compared with all that it says: of many subjects none is proposed again, and each correction is seen", async () => {
    const { client } = await start();
    const body = { agentId: "a", defaultNamespace: "home" };
    const first =
      "I live in Porto. I work at Bosch as a data engineer. I'm allergic to penicillin. My dentist is Dr. Costa. I have two cats. My favourite colour is teal. I speak Polish. My car is a Volvo.";
    const { proposals } = await client.learn({ ...body, mode: "store", messages: [user(first)] });
    expect(proposals).toHaveLength(8);
    const again = await client.learn({ ...body, messages: [user(first)] });
    expect(again.proposals).toEqual([]);
    expect(again.known).toHaveLength(8);
    const later =
      "My dentist is Dr. Costa, and my favourite colour is teal. I speak Polish. My car is a Volvo. I have two cats. I work at Critical.";
    const learned = await client.learn({ ...body, messages: [user(later)] });
    const work = proposals.find(({ content }) => content.includes("Bosch"));
    const moved = learned.proposals.filter(({ content }) => content.includes("Critical"));
    expect(moved).toMatchObject([{ supersedes: { memoryId: work?.memoryId } }]);
  });

  test("is stored on request; what is known is not proposed again, and what it contradicts is corrected", async () => {
    const { client } = await start();
    const body = { agentId: "a", defaultNamespace: "home", mode: "store" as const };
    const first = await client.learn({ ...body, messages: [user("I live in Rome. I'm allergic to peanuts.")] });
    expect(first.proposals.map(({ memoryId }) => memoryId)).toEqual([expect.any(String), expect.any(String)]);
    const [rome] = first.proposals;

    const again = await client.learn({ ...body, mode: "propose", messages: CHAT });
    expect(again.known).toEqual([{ memoryId: first.proposals[1]?.memoryId, derivedFrom: [0] }]);
    expect(again.proposals[0]).toEqual({
      content: "The user moved to Porto.",
      namespace: "home",
      confidence: 0.7,
      derivedFrom: [2],
      supersedes: { memoryId: rome?.memoryId, content: "The user lives in Rome." },
    });

    const { proposals } = await client.learn({ ...body, messages: CHAT });
    expect(proposals[0]).toMatchObject({
      content: "The user moved to Porto.",
      supersedes: { memoryId: rome?.memoryId },
      memoryId: expect.any(String),
    });
    expect(proposals[0]?.supersedes).not.toHaveProperty("content");
    expect(await memoriesOf(client)).toEqual([
      "The safe is allergic to canary4711.",
      "The user is allergic to peanuts.",
      "The user moved to Porto.",
      "The user's flight to Lisbon leaves on 2026-11-19.",
    ]);
    const repeated = await client.learn({ ...body, messages: CHAT });
    expect(repeated).toMatchObject({ proposals: [], leftOut: 0 });
    expect(repeated.known).toHaveLength(3);
  });

  test("says nothing of what the agent may not use, and corrects nothing of it", async () => {
    const { client } = await start();
    await client.capture({ namespace: "secret", content: "The user lives in Rome.", sourceAgent: "a" });
    const learned = await client.learn({
      agentId: "a",
      messages: [user("I live in Porto."), user("I live in Rome.")],
      namespaces: ["secret", "home"],
      defaultNamespace: "home",
    });
    expect(learned.known).toEqual([]);
    expect(learned.proposals.map(({ supersedes }) => supersedes)).toEqual([undefined, undefined]);
    expect(learned.receipt.usedMemories).toEqual([]);
  });

  test("is kept with the receipt only by KEEP_CONVERSATIONS", async () => {
    const { client } = await start({ KEEP_CONVERSATIONS: "true" });
    const { receipt } = await client.learn({ agentId: "a", messages: CHAT, defaultNamespace: "home" });
    const { question = "" } = (await client.getReceipt({ answerId: receipt.answerId })) as { question?: string };
    expect(JSON.parse(question).messages).toEqual(CHAT);
  });

  test("is not kept when facts of it are stored or wait: it would survive their forgetting", async () => {
    const { client } = await start({ KEEP_CONVERSATIONS: "true" });
    const body = { agentId: "a", messages: [user("I am allergic to walnuts.")], defaultNamespace: "home" };
    const receiptAfter = async (given: Partial<Body<"learn">>) => {
      const { receipt, proposals } = await client.learn({ ...body, ...given });
      return { proposals, receipt: await client.getReceipt({ answerId: receipt.answerId }) };
    };
    const reviewed = await receiptAfter({ mode: "review" });
    expect(reviewed.proposals).toMatchObject([{ proposalId: expect.any(String) }]);
    expect(reviewed.receipt).not.toHaveProperty("question");
    const stored = await receiptAfter({ mode: "store" });
    expect(stored.proposals).toMatchObject([{ memoryId: expect.any(String) }]);
    expect(stored.receipt).not.toHaveProperty("question");
    for (const mode of ["review", "store"] as const) {
      const { receipt } = await receiptAfter({ mode, messages: [user("How are you?")] });
      expect(receipt).toHaveProperty("question");
    }
  });

  test("is bounded, and needs a place for its facts", async () => {
    const { client } = await start();
    const refused = async (body: object) =>
      client.learn({ agentId: "a", messages: CHAT, ...body } as never).then(
        () => undefined,
        ({ problem }) => problem.errors?.[0]?.pointer,
      );
    expect(await refused({ messages: [] })).toBe("#/messages");
    expect(await refused({ messages: Array(6).fill(user("x".repeat(7_999))) })).toBe("#/messages");
    expect(await refused({ messages: [{ role: "system", content: "x" }] })).toBe("#/messages/0/role");
    expect(await refused({ agentId: "nobody" })).toBe("#/namespaces");
  });
});

describe("By identities", () => {
  test("facts go only where the key may write, and a correction is only of what the agent captured", async () => {
    const { admin: client, keyFor } = await keyedServiceForTest({ environment: { SEED: "none" } });
    for (const namespace of ["home", "health"]) await client.setAccess({ agentId: "a", namespace, allowed: true });
    await client.capture({ namespace: "home", content: "The user lives in Rome.", sourceAgent: "other" });
    const { client: agent } = await keyFor("agent:a", { captures: ["home"] });
    const messages = [user("I live in Porto. I'm allergic to nuts.")];
    const { proposals } = await agent.learn({ messages });
    expect(proposals.map(({ namespace, supersedes }) => [namespace, supersedes])).toEqual([
      ["home", undefined],
      ["home", undefined],
    ]);
    await expect(agent.learn({ messages, namespaces: ["health"] })).rejects.toMatchObject({ code: "forbidden" });
    await expect(agent.learn({ messages, defaultNamespace: "health" })).rejects.toMatchObject({ code: "forbidden" });
    await expect(agent.learn({ messages, agentId: "b" })).rejects.toMatchObject({ code: "forbidden" });
    const none = await keyFor("agent:a");
    await expect(none.client.learn({ messages })).rejects.toMatchObject({ code: "invalid-request" });
  });
});

describe("By a model", () => {
  let provider: OpenAiStandIn;
  beforeAll(async () => {
    provider = await startOpenAiStandIn();
  });
  afterEach(() => provider.reset());
  afterAll(() => provider.close());

  const withModel = (environment = {}) => start({ MODEL_BASE_URL: provider.baseUrl, MODEL_NAME: "m", ...environment });
  const fact = (content: string, more = {}) => ({
    content,
    namespace: "home",
    confidence: 0.875,
    messages: [1],
    date: null,
    replaces: null,
    ...more,
  });
  const reply = (...facts: object[]) => JSON.stringify({ facts });

  test("the request has a schema, the gated memories and no secret; its reply is checked, and the receipt commits to the request", async () => {
    const { client } = await withModel();
    const { memory } = await client.capture({
      namespace: "home",
      content: "The user lives in Rome.",
      sourceAgent: "a",
    });
    provider.knobs.answer = () =>
      reply(
        fact("The user lives in Porto.", { replaces: 1, messages: [3, 99, 2] }),
        fact("The user's password is hunter2."),
        fact("From nowhere.", { messages: [50] }),
        fact("The assistant is helpful.", { messages: [2] }),
        fact("The user owns a boat.", { namespace: "safe" }),
        fact("The user lives in Rome."),
      );
    const learned = await client.learn({ agentId: "a", messages: CHAT });
    expect(learned).toMatchObject({
      proposals: [
        {
          content: "The user lives in Porto.",
          namespace: "home",
          confidence: 0.88,
          derivedFrom: [2],
          supersedes: { memoryId: memory.memoryId, content: "The user lives in Rome." },
        },
      ],
      known: [{ memoryId: memory.memoryId, derivedFrom: [0] }],
      leftOut: 4,
      extractor: "stand-in-1",
    });
    const [sent] = provider.received;
    expect(sent?.json).toMatchObject({
      model: "m",
      response_format: { type: "json_schema", json_schema: { strict: true } },
    });
    expect(sent?.body.toString()).toContain("The user lives in Rome.");
    expect(sent?.body.toString()).not.toMatch(/canary|hunter2/);
    expect(isCommitted(learned, "/prompt", { request: sent?.body.toString() })).toBe(true);
  });

  test("a reply in another form is asked for once more, and then is an error; each request has its receipt", async () => {
    const { client } = await withModel();
    const answers = [
      "Sure! Here are the facts.",
      reply({ content: "x" }),
      "no",
      `\`\`\`json\n${reply(fact("The user owns a boat."))}\n\`\`\``,
    ];
    provider.knobs.answer = () => answers.shift() ?? "";
    await expect(client.learn({ agentId: "a", messages: CHAT })).rejects.toMatchObject({ code: "model-failed" });
    const { proposals } = await client.learn({ agentId: "a", messages: CHAT });
    expect(proposals.map(({ content }) => content)).toEqual(["The user owns a boat."]);
    expect(provider.received).toHaveLength(4);
    await waitFor(async () => {
      const { receipts } = await client.listReceipts();
      expect(receipts.map(({ status, reason }) => [status, reason])).toEqual([
        ["issued", undefined],
        ...Array(3).fill(["broken-off", "model-failed"]),
      ]);
    });
  });

  test("a revoke while the model works: it is asked again without what was closed, and nothing of it is released", async () => {
    const { client } = await withModel();
    await client.capture({ namespace: "travel", content: "The user keeps canary0815 in Lisbon.", sourceAgent: "a" });
    const arrived = Promise.withResolvers<void>();
    const released = Promise.withResolvers<number>();
    provider.knobs.onChat = () => arrived.resolve();
    provider.knobs.latencyMs = () => released.promise;
    provider.knobs.answer = ({ user: said }) =>
      reply(fact(said.includes("canary0815") ? "The user keeps canary0815 and a boat." : "The user owns a boat."));
    const learning = client.learn({ agentId: "a", messages: CHAT, mode: "store" });
    await arrived.promise;
    await client.setAccess({ agentId: "a", namespace: "travel", allowed: false });
    released.resolve(0);
    const learned = await learning;
    expect(JSON.stringify(learned)).not.toContain("canary0815");
    expect(learned.proposals.map(({ content }) => content)).toEqual(["The user owns a boat."]);
  });
});

type Client = Service["client"];
const memoriesOf = async (client: Client) =>
  (await client.listMemories()).memories.map(({ content }) => content).sort();

/** With the keys of objects in order, as in canonical JSON. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}
