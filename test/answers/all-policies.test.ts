// Policies over three agents and three namespaces, through every entry point, on every database, beside an oracle that
// knows nothing of how it is done.
import { describe, expect, onTestFinished, test } from "vitest";
import { policyFrom } from "#core/gate/policy.ts";
import { readPrompt } from "#core/prompt/prompt.ts";
import type { LanguageModel } from "#ports.ts";
import {
  AGENTS,
  ALL_POLICIES,
  type Expected,
  NAMESPACES,
  oracle,
  rulesOf,
  somePolicies,
} from "#test/entry-points/policies.ts";
import { databaseWithSchema } from "#test/support/postgres/databases.ts";
import { runs } from "#test/support/runs.ts";
import { serviceForTest } from "#test/support/service.ts";

const STAMP = { by: "test", at: "2026-01-01T00:00:00.000Z" };

const ENTRY_POINTS = {
  JSON: { path: "/api/chat", agents: AGENTS, accept: "application/json" },
  stream: { path: "/api/chat", agents: AGENTS, accept: "text/event-stream" },
  companion: { path: "/api/companion", agents: ["companion"], accept: "application/json" },
  recall: { path: "/api/recall", agents: AGENTS, accept: "application/json" },
} as const;

const DATABASES = {
  SQLite: { database: async () => ":memory:", policies: somePolicies(runs(ALL_POLICIES, 64)) },
  // The gate is the same, and only reads its policy elsewhere.
  PostgreSQL: {
    async database() {
      const { url, drop } = await databaseWithSchema();
      onTestFinished(drop);
      return url;
    },
    policies: somePolicies(runs(103, 16)),
  },
};

/** Says which namespaces it was told of. */
const parrot: LanguageModel = {
  name: "parrot",
  async complete(prompt, { onText }) {
    const text = `told:${namespacesOf(readPrompt(prompt).memories).join()}`;
    onText?.(text);
    return { text, model: "parrot" };
  },
};

const namespacesOf = (memories: readonly { readonly namespace: string }[]) =>
  [...new Set(memories.map(({ namespace }) => namespace))].sort();

describe.each(Object.entries(DATABASES))("on %s", (_, { database, policies }) => {
  test(`${policies.length} policies, through every entry point, are what the oracle says`, {
    timeout: 300_000,
  }, async () => {
    const start = async () => serviceForTest({ database: await database(), overrides: { model: parrot } });
    let { url, tenant } = await start();
    const memories = NAMESPACES.map((namespace, i) => ({
      memoryId: `mem_${i}`,
      storeRef: `ref_${i}`,
      namespace,
      content: `text of ${namespace}`,
      sourceAgent: "s",
      createdAt: STAMP.at,
      contentDigest: "",
    }));
    for (const [i, bits] of policies.entries()) {
      // A reset reads all receipts on record. A few services on empty databases are faster than one.
      if (i % 64 === 63) ({ url, tenant } = await start());
      const ids = memories.map((memory) => ({ ...memory, memoryId: `${memory.memoryId}_${bits}` }));
      await tenant.records.reset(ids, policyFrom(rulesOf(bits)), STAMP);
      const answers = Object.values(ENTRY_POINTS).flatMap(({ path, agents, accept }) =>
        agents.map(async (agentId) => {
          const expected = oracle(bits, agentId);
          const got = await ask(url, path, agentId, accept);
          expect(got, `policy ${bits}, ${agentId} at ${path} (${accept})`).toEqual(expected);
        }),
      );
      await Promise.all(answers);
    }
  });
});

/** What the prompt, the receipt and the answer, or the memories, agree on; an error where they do not. */
async function ask(url: string, path: string, agentId: string, accept: string): Promise<Expected> {
  const response = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", accept },
    body: JSON.stringify({ query: "What?", ...(path !== "/api/companion" && { agentId }) }),
  });
  const text = await response.text();
  // A busy machine may take longer than a request may wait to be begun.
  if (response.status === 503 && JSON.parse(text).code === "overloaded") return ask(url, path, agentId, accept);
  if (!response.ok) throw new Error(text);
  const { answer, memories, receipt } = accept === "text/event-stream" ? lastEvent(text) : JSON.parse(text);
  const used = namespacesOf(receipt.usedMemories);
  const told = memories ? namespacesOf(memories).join() : (/told:(\S*)/.exec(answer)?.[1] ?? "");
  if (told !== used.join()) throw new Error(`the agent was told of ${told}, and the receipt names ${used.join()}`);
  return { used, blocked: receipt.blockedNamespaces };
}

function lastEvent(text: string) {
  const [, data = ""] = /event: answer\ndata: (.*)/.exec(text) ?? [];
  return JSON.parse(data);
}
