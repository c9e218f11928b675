// The beginning of every story of the verifier: an agent asks, and the answer's receipt is anchored.
import type { Service } from "#test/support/service.ts";

interface Asked {
  readonly agentId?: string;
  readonly query?: string;
  readonly claimNamespaces?: string[];
}

export async function askAndAnchor({ client }: Service, asked: Asked = {}) {
  const { agentId = "assistant", query = "What may I eat on Friday?", claimNamespaces } = asked;
  const { answer, receipt } = await client.chat({ agentId, query });
  const anchored = await client.anchorOnChain({ receipt, ...(claimNamespaces && { claimNamespaces }) });
  return { answer, receipt, ...anchored };
}
