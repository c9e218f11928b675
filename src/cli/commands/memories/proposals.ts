// Proposals that wait for somebody who governs their namespace.
import type { Runs } from "#cli/invocation.ts";
import { listPages } from "#cli/shared/list-pages.ts";
import { openClient } from "#cli/shared/service-client.ts";
import { whole } from "#cli/terminal/table.ts";

const COLUMNS = [whole("PROPOSAL"), "NAMESPACE", "AGENT", "FACT", "IN PLACE OF"];

export const runs: Runs<"proposals list" | "proposals accept" | "proposals decline"> = {
  "proposals list": (invocation) =>
    listPages(invocation, "listProposals", COLUMNS, ({ proposalId, namespace, agentId, content, supersedes }) => [
      ...[proposalId, namespace, agentId, content],
      supersedes?.content ?? "",
    ]),
  async "proposals accept"(invocation) {
    const { wanted, positionals, tell } = invocation;
    const { client } = await openClient(invocation);
    for (const proposalId of positionals) {
      const accepted = await client.acceptProposal({ proposalId }, wanted);
      await tell(accepted, { print: accepted.memory.memoryId });
    }
  },
  async "proposals decline"(invocation) {
    const { client } = await openClient(invocation);
    for (const proposalId of invocation.positionals)
      await invocation.tell(await client.declineProposal({ proposalId }, {}), { say: `${proposalId} is declined.` });
  },
};
