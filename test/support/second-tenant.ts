// A second tenant of a service, with the names of the first, all gates open, and canaries: texts and names that are nowhere
// else. Nothing that anybody gets in the first tenant may hold one.
import { randomBytes } from "node:crypto";
import { type Client, createClient } from "#contract/client/client.ts";
import type { Service } from "./start-service.ts";

export interface SecondTenant {
  readonly id: string;
  readonly adminKey: string;
  readonly admin: Client;
  /** Ids of records that it has not published. Whoever sends one may get it back. */
  readonly ids: Readonly<Record<"memoryId" | "answerId" | "storeRef" | "keyId" | "webhookId" | "proposalId", string>>;
  /** The canary of its texts. Not even the log has it. */
  readonly textCanary: string;
  /** Every canary of it that stands in the text. */
  tracesIn(text: string): string[];
}

interface Names {
  readonly agents: readonly string[];
  readonly namespaces: readonly string[];
}

const newCanary = (kind: string) => `canary${kind}${randomBytes(8).toString("hex")}`;

export async function addSecondTenant(service: Service, { agents, namespaces }: Names): Promise<SecondTenant> {
  const [id, textCanary, name] = [newCanary("tenant"), newCanary("text"), newCanary("name")];
  const { tenantAdministration } = service.tenant;
  await tenantAdministration.create(id);
  const { key: adminKey, record } = await tenantAdministration.createAdminKey(id, { name }, "test");
  const admin = createClient({ baseUrl: service.url, bearer: adminKey });
  const ids = await fill(admin, { agents: [...agents, name], namespaces: [...namespaces, name] }, textCanary);
  const canaries = [id, textCanary, name];
  const tracesIn = (text: string) => canaries.filter((canary) => text.includes(canary));
  const own = `${JSON.stringify(await admin.listMemories())}${JSON.stringify(await admin.getSession())}`;
  if (tracesIn(own).length < canaries.length) throw new Error("the second tenant does not give its own canaries");
  return { id, adminKey, admin, ids: { ...ids, keyId: record.keyId }, textCanary, tracesIn };
}

async function fill(admin: Client, { agents, namespaces }: Names, canary: string) {
  for (const namespace of namespaces) {
    const content = `The secret word of ${namespace} is ${canary}.`;
    await admin.capture({ namespace, content, sourceAgent: agents[0] ?? "s", key: "secret" });
  }
  const rules = agents.flatMap((agentId) => namespaces.map((namespace) => ({ agentId, namespace, allowed: true })));
  await admin.setAccessBatch({ rules });
  const query = "What is the secret word?";
  const answers = await Promise.all(agents.map((agentId) => admin.chat({ agentId, query })));
  const [answerId = "", published = ""] = answers.map(({ receipt }) => receipt.answerId);
  // What is anchored is public, and so is what it used.
  await admin.anchorOnChain({ answerId: published });
  const [namespace = "", sourceAgent = ""] = [namespaces[0], agents[0]];
  const { memory } = await admin.capture({ namespace, content: `Another word is ${canary}.`, sourceAgent });
  const { webhook } = await admin.createWebhook({ url: `https://${canary}.example.com/hook` });
  const messages = [{ role: "user" as const, content: "My dog is called Rex." }];
  const said = { messages, namespaces: [namespace], conversationId: canary };
  const learned = await admin.learn({ agentId: sourceAgent, ...said, mode: "review" });
  const [{ proposalId = "" } = {}] = learned.proposals;
  const { memoryId, storeRef } = memory;
  return { memoryId, storeRef, answerId, webhookId: webhook.webhookId, proposalId };
}
