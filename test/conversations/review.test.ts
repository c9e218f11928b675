// Proposals that wait for somebody who governs their namespace.
import { describe, expect, onTestFinished, test } from "vitest";
import type { Client } from "#contract/client/client.ts";
import { CLIENTS } from "#test/mcp/clients.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { type KeyedService, keyedServiceForTest } from "#test/support/keyed-service.ts";
import { portcullis } from "#test/support/portcullis.ts";
import { serviceForTest } from "#test/support/service.ts";

const AT = "2026-11-18T10:00:00Z";
const user = (content: string) => ({ role: "user" as const, content, at: AT });

async function start(database?: string, environment: Readonly<Record<string, string>> = {}) {
  const service = await keyedServiceForTest({
    environment: { SEED: "none", ...environment },
    ...(database !== undefined && { database }),
  });
  for (const namespace of ["home", "health"]) await service.admin.setAccess({ agentId: "a", namespace, allowed: true });
  const agent = (await service.keyFor("agent:a", { captures: ["home", "health"] })).client;
  const learn = (content: string, more: object = {}) =>
    agent.learn({ messages: [user(content)], mode: "review", namespaces: ["home"], ...more });
  return { ...service, agent, learn };
}

const listed = async (client: Client, query: object = {}) =>
  (await client.listProposals(query)).proposals.map(({ content }) => content);
const memoriesOf = async (client: Client) =>
  (await client.listMemories()).memories.map(({ content }) => content).sort();
const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    ({ code }) => code,
  );
const reviewer = async ({ keyFor }: Pick<KeyedService, "keyFor">, namespace: string) =>
  (await keyFor(`admin:${namespace}`)).client;

describe.for(["sqlite", "postgres"] as const)("On %s a proposal", (kind) => {
  const open = async (environment?: Readonly<Record<string, string>>) =>
    start(kind === "postgres" ? (await databaseForTest()).url : undefined, environment);

  test("waits, once however often it is said, and is seen by those who govern its namespace", async () => {
    const { admin, agent, learn, ...service } = await open();
    const { proposals, receipt } = await learn("I live in Rome.", { conversationId: "c1" });
    const [first] = proposals;
    expect(first).toMatchObject({ content: "The user lives in Rome.", proposalId: expect.stringMatching(/^prop_/) });
    const again = await learn("I live in Rome. I'm allergic to peanuts.");
    expect(again.proposals[0]?.proposalId).toBe(first?.proposalId);
    expect(await memoriesOf(admin)).toEqual([]);

    const { proposals: waiting } = await admin.listProposals();
    expect(waiting[1]).toEqual({
      proposalId: first?.proposalId,
      content: "The user lives in Rome.",
      namespace: "home",
      confidence: 0.85,
      derivedFrom: [0],
      agentId: "a",
      conversationId: "c1",
      answerId: receipt.answerId,
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    });
    const pages = [];
    for (let cursor: string | undefined; pages.length < 3; ) {
      const page = await admin.listProposals({ limit: 1, ...(cursor !== undefined && { cursor }) });
      pages.push(page.proposals.map(({ content }) => content));
      if (page.nextCursor === undefined) break;
      cursor = page.nextCursor;
    }
    expect(pages).toEqual([["The user is allergic to peanuts."], ["The user lives in Rome."]]);

    const [own, other] = [await reviewer(service, "home"), await reviewer(service, "garden")];
    expect(await listed(own)).toHaveLength(2);
    expect(await listed(own, { namespace: "health" })).toEqual([]);
    expect(await listed(other)).toEqual([]);
    expect(await codeOf(agent.listProposals())).toBe("forbidden");
    const { proposalId = "" } = first ?? {};
    expect(await codeOf(other.acceptProposal({ proposalId }, {}))).toBe("not-found");
    expect(await codeOf(other.declineProposal({ proposalId }))).toBe("not-found");
    expect(await codeOf(own.acceptProposal({ proposalId }, { namespace: "garden" }))).toBe("forbidden");
    expect(await listed(own)).toHaveLength(2);
  });

  test("that is accepted becomes a memory of its agent, as it is or edited, and takes the place of what is current", async () => {
    const { admin, agent, learn } = await open();
    const { memory: rome } = await agent.capture({ namespace: "home", content: "The user lives in Rome." });
    const { proposals } = await learn("I moved to Porto.");
    const { proposals: further } = await learn("I moved to Faro.");
    expect(further[0]?.supersedes).toMatchObject({ memoryId: rome.memoryId });
    const [porto = "", faro = ""] = [...proposals, ...further].map(({ proposalId }) => proposalId);
    const { memory } = await admin.acceptProposal(
      { proposalId: porto },
      { content: "The user moved to Porto, Portugal." },
    );
    expect(memory).toMatchObject({
      content: "The user moved to Porto, Portugal.",
      namespace: "home",
      sourceAgent: "a",
      supersedes: rome.memoryId,
    });
    // Both texts side by side, as they are now.
    expect((await admin.listProposals()).proposals[0]?.supersedes).toEqual({
      memoryId: memory.memoryId,
      content: "The user moved to Porto, Portugal.",
    });
    expect((await admin.acceptProposal({ proposalId: faro }, {})).memory.supersedes).toBe(memory.memoryId);
    expect(await memoriesOf(admin)).toEqual(["The user moved to Faro."]);
    expect(await listed(admin)).toEqual([]);

    const moved = await learn("I have a dog.");
    const dog = { proposalId: moved.proposals[0]?.proposalId ?? "" };
    expect((await admin.acceptProposal(dog, { namespace: "health" })).memory.namespace).toBe("health");
  });

  test("is decided once: a repeat gets the same memory, and another reviewer is told so", async () => {
    const { admin, learn, ...service } = await open();
    const reviewers = await Promise.all([1, 2, 3, 4].map(() => reviewer(service, "home")));
    const { proposals } = await learn("I live in Rome. I have a dog.");
    const [rome = "", dog = ""] = proposals.map(({ proposalId }) => proposalId);
    const accepted = await Promise.allSettled(
      reviewers.map((each, i) =>
        each.acceptProposal({ proposalId: rome }, { content: `The user lives in Rome ${i}.` }),
      ),
    );
    const [winner, ...others] = accepted.flatMap(({ status }, i) => (status === "fulfilled" ? [i] : []));
    expect(others).toEqual([]);
    expect(await memoriesOf(admin)).toEqual([`The user lives in Rome ${winner}.`]);
    const first = reviewers[winner ?? 0] as Client;
    const { memory } = await first.acceptProposal({ proposalId: rome }, {});
    expect(memory.content).toBe(`The user lives in Rome ${winner}.`);
    expect(await codeOf(admin.acceptProposal({ proposalId: rome }, {}))).toBe("already-decided");
    expect(await codeOf(first.declineProposal({ proposalId: rome }))).toBe("already-decided");

    const both = await Promise.all([
      codeOf(admin.acceptProposal({ proposalId: dog }, {})),
      codeOf(first.declineProposal({ proposalId: dog })),
    ]);
    expect(both.filter((code) => code === "already-decided")).toHaveLength(1);
    expect(await memoriesOf(admin)).toHaveLength(both[0] === undefined ? 2 : 1);
    await admin.forgetMemory({ memoryId: memory.memoryId });
    expect(await codeOf(first.acceptProposal({ proposalId: rome }, {}))).toBe("not-found");
  });

  test("that was declined is not proposed again in any mode, by the same agent, in whatever words of the same fact", async () => {
    const { admin, agent, learn, ...service } = await open();
    const { proposals } = await learn("I have a dog. I live in Rome.");
    const dog = proposals.find(({ content }) => content.includes("dog"))?.proposalId ?? "";
    await admin.declineProposal({ proposalId: dog });
    expect(await listed(admin)).toEqual(["The user lives in Rome."]);
    for (const mode of ["review", "propose", "store"] as const) {
      const again = await learn("I have a DOG!", { mode });
      expect([again.proposals, again.leftOut]).toEqual([[], 1]);
    }
    const [moved] = (await learn("I moved to Berlin.", { namespaces: ["health"] })).proposals;
    await admin.declineProposal({ proposalId: moved?.proposalId ?? "" });
    for (const [said, leftOut] of [
      ["I live in Berlin now.", 1],
      ["I don't live in Berlin.", 0],
      ["I live in Bern.", 0],
    ] as const)
      expect((await learn(said, { namespaces: ["health"], mode: "propose" })).leftOut).toBe(leftOut);
    expect([await listed(admin), await memoriesOf(admin)]).toEqual([["The user lives in Rome."], []]);
    expect((await learn("I have a dog.", { namespaces: ["health"] })).proposals).toHaveLength(1);
    await admin.setAccess({ agentId: "b", namespace: "home", allowed: true });
    const other = (await service.keyFor("agent:b", { captures: ["home"] })).client;
    const { proposals: others } = await other.learn({ messages: [user("I have a dog.")], namespaces: ["home"] });
    expect(others).toHaveLength(1);
    await agent.capture({ namespace: "home", content: "The user has a dog." });
    expect(await memoriesOf(admin)).toEqual(["The user has a dog."]);
  });

  test("goes with what its extractor was shown, and with its namespace, its agent and a reset", async () => {
    const { admin, agent, learn } = await open();
    const { memory } = await agent.capture({ namespace: "home", content: "The user lives in Rome." });
    await learn("I moved to Porto.");
    expect(await listed(admin)).toHaveLength(1);
    await admin.forgetMemory({ memoryId: memory.memoryId });
    expect(await listed(admin)).toEqual([]);

    await learn("I have a dog.");
    await learn("I'm allergic to nuts.", { namespaces: ["health"] });
    await admin.forgetMemories({ namespace: "home", dryRun: true });
    expect(await listed(admin)).toHaveLength(2);
    await admin.forgetMemories({ namespace: "home" });
    expect(await listed(admin)).toEqual(["The user is allergic to nuts."]);
    await admin.forgetMemories({ sourceAgent: "another" });
    expect(await listed(admin)).toHaveLength(1);
    await agent.forgetMemories({ namespace: "health" });
    expect(await listed(admin)).toEqual([]);
  });

  test("is told of in events and in the decision log, without its text", async () => {
    const { admin, learn, ...service } = await open();
    const own = await reviewer(service, "home");
    const { proposals, receipt } = await learn("I live in Rome. I have a dog.");
    const [rome = "", dog = ""] = proposals.map(({ proposalId }) => proposalId);
    const { memory } = await own.acceptProposal({ proposalId: rome }, {});
    await admin.declineProposal({ proposalId: dog });
    const { events } = service.tenant.records;
    const all = await events.after({ after: 0, limit: 100 });
    const told = all.filter(({ kind: each }) => each.startsWith("proposal-"));
    expect(told.map((event) => [event.kind, "proposalId" in event && event.proposalId])).toEqual([
      ["proposal-waiting", rome],
      ["proposal-waiting", dog],
      ["proposal-accepted", rome],
      ["proposal-declined", dog],
    ]);
    expect(JSON.stringify(told)).not.toMatch(/Rome|dog/);
    const { decisions } = await admin.listDecisions({ limit: 2 });
    expect(decisions).toMatchObject([
      { route: "declineProposal", outcome: "changed", namespace: "home", details: { proposalId: dog } },
      {
        route: "acceptProposal",
        outcome: "captured",
        role: "namespace-admin",
        memoryId: memory.memoryId,
        answerId: receipt.answerId,
        details: { proposalId: rome, derivedFrom: [0] },
      },
    ]);
  });

  test("is encrypted where there is a key, and one that is not leaves a namespace that will be", async () => {
    const { admin, learn, tenant } = await open({ ENCRYPTION_KEY: "c4".repeat(32) });
    await admin.putNamespace({ name: "home" }, { encrypted: true });
    await learn("I live in Rome.");
    const { proposals } = await tenant.stored.proposals.page({ limit: 10 });
    expect(proposals).toMatchObject([{ encrypted: true }]);
    expect(JSON.stringify(proposals)).not.toContain("Rome");
    const { memory } = await admin.acceptProposal({ proposalId: proposals[0]?.proposalId ?? "" }, {});
    expect(memory).toMatchObject({ content: "The user lives in Rome.", encrypted: true });

    await learn("I have a dog.", { namespaces: ["health"] });
    const [dog] = (await tenant.records.proposals.page({ limit: 1 })).proposals;
    await tenant.stored.proposals.add([{ ...dog, proposalId: "prop_0" } as never], { shown: [], most: 9 });
    await admin.putNamespace({ name: "health" }, { encrypted: true });
    expect((await tenant.stored.proposals.page({ limit: 9 })).proposals).toMatchObject([{ encrypted: true }]);
    const refused = tenant.stored.proposals.add([{ ...dog, proposalId: "prop_1" } as never], { shown: [], most: 9 });
    expect(await codeOf(refused)).toBe("encryption-key-missing");
  });
});

test.for(["the SDK over HTTP", "the SDK over a process"])(
  "With %s, the admin of a namespace has tools to review, and no others",
  async (name) => {
    const { keyFor, url, learn, admin } = await start();
    const { key } = await keyFor("admin:home");
    const host = await CLIENTS[name]?.({ url, key });
    if (host === undefined) throw new Error("There is no such client.");
    onTestFinished(() => host.close());
    expect((await host.listTools()).tools.map((each) => each.name)).toEqual(["list_proposals", "decide_proposal"]);
    const { proposals } = await learn("I live in Rome. I have a dog.");
    const [rome, dog] = proposals.map(({ proposalId }) => proposalId);
    const text = async (...call: Parameters<typeof host.callTool>) => (await host.callTool(...call)).content[0]?.text;
    expect(await text("list_proposals")).toContain(`- [${rome}] (home, by a) The user lives in Rome.`);
    expect(await text("decide_proposal", { proposalId: dog, decision: "decline" })).toBe(`Declined ${dog}.`);
    const edited = { proposalId: rome, decision: "accept", content: "The user lives in Rome, Italy." };
    expect(await text("decide_proposal", edited)).toMatch(/^Stored in home as mem_/);
    expect(await memoriesOf(admin)).toEqual(["The user lives in Rome, Italy."]);
    expect(await host.callTool("recall", { query: "Rome" })).toMatchObject({ isError: true });
  },
);

test("The command line lists, accepts and declines", async () => {
  const { url, admin, adminKey, learn } = await start();
  const run = (...args: string[]) => portcullis(args, { url, key: adminKey });
  const { proposals } = await learn("I live in Rome. I have a dog.");
  const [rome = "", dog = ""] = proposals.map(({ proposalId }) => proposalId);
  expect((await run("proposals", "list", "--namespace", "home")).out).toContain(
    `${rome}\thome\ta\tThe user lives in Rome.`,
  );
  const accepted = await run("proposals", "accept", rome, "--content", "The user lives in Rome, Italy.");
  expect(accepted).toMatchObject({ code: 0, out: expect.stringMatching(/^mem_\w+\n$/) });
  expect(await run("proposals", "decline", dog)).toMatchObject({ code: 0, err: `${dog} is declined.\n` });
  expect(await run("proposals", "decline", rome)).toMatchObject({ code: 1, err: expect.stringContaining("decided") });
  expect(await memoriesOf(admin)).toEqual(["The user lives in Rome, Italy."]);
});

test("A reset removes what waits", async () => {
  const { client } = await serviceForTest();
  const messages = [user("I live in Rome.")];
  await client.learn({ agentId: "assistant", messages, namespaces: ["diet"], mode: "review" });
  expect(await listed(client)).toHaveLength(1);
  await client.resetDemo();
  expect(await listed(client)).toEqual([]);
});
