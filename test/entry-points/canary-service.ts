// A service with identities and one memory in each namespace. The memory holds the namespace's canary: a word that is
// nowhere else. The service's model says everything that it was told. A second tenant has the same names, and canaries too.
import { randomBytes } from "node:crypto";
import { builtInCompletions } from "#adapters/model/built-in/built-in-completions.ts";
import { policyFrom } from "#core/gate/policy.ts";
import { type Prompt, readPrompt } from "#core/prompt/prompt.ts";
import type { LanguageModel } from "#ports.ts";
import { addSecondTenant, type SecondTenant } from "#test/support/second-tenant.ts";
import { startKeyedService } from "#test/support/start-keyed-service.ts";
import { AGENTS, NAMESPACES, rulesOf } from "./policies.ts";

const STAMP = { by: "test", at: "2026-01-01T00:00:00.000Z" };

const everythingIn = (prompt: Prompt) => ({
  text: readPrompt(prompt)
    .memories.map(({ content }) => content)
    .join("\n"),
});

const parrot: LanguageModel = {
  name: "parrot",
  async complete(prompt, { onText }) {
    const { text } = everythingIn(prompt);
    onText?.(text);
    return { text, model: "parrot" };
  },
  completions: builtInCompletions("parrot", everythingIn, (lines) => {
    const told = lines.map((line) => JSON.parse(line).content).join(" ");
    const fact = { content: `Lanterns, kangaroos and marmalade: ${told}`, namespace: "notes", confidence: 1 };
    return { facts: [{ ...fact, messages: [1], date: null, replaces: null }] };
  }),
};

const MANY = "1000000";
const LIMITS = { LIMIT_ANSWERS_PER_MINUTE: MANY, LIMIT_READS_PER_MINUTE: MANY, LIMIT_WRITES_PER_MINUTE: MANY };

export interface CanaryService {
  readonly url: string;
  /** The key of each agent. It captures into `notes` alone, where nothing is. */
  readonly keys: ReadonlyMap<string, string>;
  /** The canary of each namespace. */
  readonly canaries: ReadonlyMap<string, string>;
  readonly second: SecondTenant;
  /** Puts the policy in force, with memories that were never asked for. */
  enforce(policy: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startCanaryService(): Promise<CanaryService> {
  const service = await startKeyedService({ environment: { SEED: "none", ...LIMITS }, overrides: { model: parrot } });
  const keys = new Map<string, string>();
  for (const agent of AGENTS) keys.set(agent, (await service.keyFor(`agent:${agent}`, { captures: ["notes"] })).key);
  const canaries = new Map(NAMESPACES.map((name) => [name, `canary${randomBytes(8).toString("hex")}`]));
  return {
    url: service.url,
    keys,
    canaries,
    second: await addSecondTenant(service, { agents: AGENTS, namespaces: NAMESPACES }),
    async enforce(policy) {
      const memories = NAMESPACES.map((namespace) => ({
        memoryId: `mem_${namespace}_${policy}`,
        storeRef: `ref_${namespace}`,
        namespace,
        content: `The secret word is ${canaries.get(namespace)}.`,
        sourceAgent: "s",
        createdAt: STAMP.at,
        contentDigest: "",
      }));
      await service.tenant.records.reset(memories, policyFrom(rulesOf(policy)), STAMP);
    },
    stop: service.stop,
  };
}
