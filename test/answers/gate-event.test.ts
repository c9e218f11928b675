// The event that an answer's stream begins with: what passed the gate, and what is closed.
import { describe, expect, test } from "vitest";
import type { GateEvent } from "#contract/routes.ts";
import { promptFrom } from "#core/prompt/prompt.ts";
import { isPromptTemplate } from "#core/prompt/template.ts";
import type { LanguageModel } from "#ports.ts";
import { keyedServiceForTest } from "#test/support/keyed-service.ts";
import { eventsIn, post } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";

const EVENTS = { accept: "text/event-stream" };
const DINNER = { agentId: "planner", query: "What about dinner on Friday?" };

/** Answers with the memories that it was given. It waits for the test before each answer. */
function modelThat(during: (call: number) => Promise<void> = async () => undefined) {
  const prompts: { readonly system: string; readonly user: string }[] = [];
  const model: LanguageModel = {
    name: "stand-in",
    async complete({ system, user }, { fence, onText, signal }) {
      await fence(() => void prompts.push({ system, user }));
      onText?.("word ");
      await during(prompts.length);
      signal?.throwIfAborted();
      return { text: "word ", model: "stand-in" };
    },
  };
  return { model, prompts };
}

describe("the stream of an answer", () => {
  test.for([
    ["/api/chat", DINNER],
    ["/api/companion", { query: DINNER.query }],
  ] as const)("%s: begins with the memories of the prompt and the closed namespaces", async ([path, body]) => {
    const { url } = await serviceForTest({ overrides: { model: modelThat().model } });
    const events = eventsIn((await post(`${url}${path}`, body, EVENTS)).text);
    expect(events.map(({ name }) => name)).toEqual(["gate", "token", "answer"]);
    const [gate, answer] = [events[0]?.data, events.at(-1)?.data] as [GateEvent, { receipt: Receipt }];
    const { receipt } = answer;
    expect(gate.memories.map(({ memoryId, namespace, contentDigest }) => [memoryId, namespace, contentDigest])).toEqual(
      receipt.usedMemories.map(({ memoryId, namespace, contentDigest }) => [memoryId, namespace, contentDigest]),
    );
    expect(gate.memories.length).toBeGreaterThan(0);
    expect(gate.blockedNamespaces).toEqual(receipt.blockedNamespaces);
    expect(gate).toMatchObject({
      answerId: receipt.answerId,
      policyVersion: receipt.evidence.policyVersion,
      template: receipt.evidence.template,
    });
  });

  test("tells the exact bytes of the prompt, which are those that left", async () => {
    const { model, prompts } = modelThat();
    const { client } = await serviceForTest({ overrides: { model }, environment: { PROMPT_CHARACTERS: "4000" } });
    const { memory } = await client.capture({
      namespace: "diet",
      content: "<long> “text”, ".repeat(300),
      sourceAgent: "s",
      occurredAt: "2026-05-07T23:30:00-02:00",
    });
    await client.updateMemory(memory, { pinned: true });
    const gates: GateEvent[] = [];
    await client.chat(DINNER, { onText: () => undefined, onGate: (gate) => gates.push(gate) });
    const [{ template, memories, createdAt } = { template: null, memories: [], createdAt: "" }] = gates;
    expect(memories.some(({ cut, date }) => cut === true && date === "2026-05-08")).toBe(true);
    if (template === null || !isPromptTemplate(template)) throw new Error("the event names no template");
    expect([promptFrom(template, memories, { question: DINNER.query, createdAt })]).toEqual(prompts);
  });

  test("has another gate event after a restart, without what was withdrawn", async () => {
    let revoke: () => Promise<unknown> = async () => undefined;
    const { model } = modelThat(async (call) => {
      if (call === 1) await revoke();
    });
    const { client, url } = await serviceForTest({ overrides: { model } });
    revoke = () => client.setAccess({ agentId: DINNER.agentId, namespace: "diet", allowed: false });
    const events = eventsIn((await post(`${url}/api/chat`, DINNER, EVENTS)).text);
    const names = events.map(({ name }) => name).filter((name) => name !== "token");
    expect(names).toEqual(["gate", "restart", "gate", "answer"]);
    const [before, now] = events
      .filter(({ name }) => name === "gate")
      .map(({ data }) => data) as unknown as GateEvent[];
    const namespaces = (gate: GateEvent | undefined) => gate?.memories.map(({ namespace }) => namespace);
    expect(namespaces(before)).toContain("diet");
    expect(namespaces(now)).not.toContain("diet");
    expect(now?.blockedNamespaces).toContain("diet");
    expect(now?.policyVersion).toBe((before?.policyVersion ?? 0) + 1);
  });

  test("begins with a gate event of no memories when the companion has nothing left to use", async () => {
    const { client, url } = await serviceForTest();
    const { policy } = await client.getPolicy();
    for (const namespace of Object.keys(policy.companion ?? {}))
      await client.setAccess({ agentId: "companion", namespace, allowed: false });
    const events = eventsIn((await post(`${url}/api/companion`, { query: "Tired?" }, EVENTS)).text);
    expect(events.map(({ name }) => name)).toEqual(["gate", "token", "answer"]);
    expect(events[0]?.data).toMatchObject({
      memories: [],
      template: null,
      blockedNamespaces: expect.arrayContaining(["health"]),
    });
  });
});

interface Receipt {
  readonly answerId: string;
  readonly usedMemories: readonly { memoryId: string; namespace: string; contentDigest: string }[];
  readonly blockedNamespaces: readonly string[];
  readonly evidence: { readonly policyVersion: number; readonly template: string };
}

describe("the size of a closed namespace", () => {
  test("is told to an admin, for each, whatever the question, and to no agent", async () => {
    const { url, admin, keyFor } = await keyedServiceForTest();
    const { byNamespace } = (await admin.getOverview()).memories;
    const gateFor = async (bearer: string, query: string, headers = {}) => {
      const sent = { ...EVENTS, authorization: `Bearer ${bearer}`, ...headers };
      const { text } = await post(`${url}/api/chat`, { agentId: "planner", query }, sent);
      return eventsIn(text)[0]?.data as unknown as GateEvent;
    };
    const key = await keyFor("admin");
    for (const query of ["What about dinner?", "How much is saved?"]) {
      const { blockedNamespaces, blockedSizes } = await gateFor(key.key, query);
      expect(blockedNamespaces.length).toBeGreaterThan(1);
      expect(blockedSizes).toEqual(
        blockedNamespaces.map((namespace) => ({
          namespace,
          memories: byNamespace.find((each) => each.namespace === namespace)?.count,
        })),
      );
    }
    const planner = await keyFor("agent:planner");
    expect(await gateFor(planner.key, "What about dinner?")).not.toHaveProperty("blockedSizes");
    // An admin who acts as an agent gets what the agent gets.
    expect(await gateFor(key.key, "Dinner?", { "portcullis-agent": "planner" })).not.toHaveProperty("blockedSizes");
  });
});
