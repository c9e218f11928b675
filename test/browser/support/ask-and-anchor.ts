import type { Service } from "#test/support/service.ts";

interface Question {
  readonly agentId?: string;
  readonly query?: string;
  readonly claimNamespaces?: string[];
}

/** Asks the service and anchors the receipt of the answer on the ledger. */
export async function askAndAnchor({ client }: Service, question: Question = {}) {
  const { agentId = "assistant", query = "What may I eat on Friday?", claimNamespaces } = question;
  const { answer, receipt } = await client.chat({ agentId, query });
  const anchor = await client.anchorOnChain({ receipt, ...(claimNamespaces && { claimNamespaces }) });
  return { answer, receipt, ...anchor };
}
