// Proposals that wait for somebody who governs their namespace.
import type { Runs } from "#cli/invocation.ts";
import { listPages } from "#cli/shared/list-pages.ts";
import { openClient } from "#cli/shared/service-client.ts";
import { whole } from "#cli/terminal/table.ts";

export const runs: Runs<"proposals list" | "proposals accept" | "proposals decline"> = {
  async "proposals list"(invocation) {
    const { client, call } = await openClient(invocation);
    const { namespace } = invocation.values;
    await listPages(invocation, {
      async page(query) {
        const page = await client.listProposals({ ...query, ...(namespace !== undefined && { namespace }) }, call());
        return { items: page.proposals, nextCursor: page.nextCursor };
      },
      columns: [whole("PROPOSAL"), "NAMESPACE", "AGENT", "FACT", "IN PLACE OF"],
      rowOf: ({ proposalId, namespace: place, agentId, content, supersedes }) => [
        proposalId,
        place,
        agentId,
        content,
        supersedes?.content ?? "",
      ],
    });
  },
  async "proposals accept"(invocation) {
    const { values, positionals, print, json } = invocation;
    const { client, call } = await openClient(invocation);
    for (const proposalId of positionals) {
      const edited = { content: values.content, namespace: values.namespace };
      const accepted = await client.acceptProposal({ proposalId }, edited, call());
      await (values.json ? json(accepted) : print(accepted.memory.memoryId));
    }
  },
  async "proposals decline"(invocation) {
    const { values, positionals, say, json } = invocation;
    const { client, call } = await openClient(invocation);
    for (const proposalId of positionals) {
      const declined = await client.declineProposal({ proposalId }, {}, call());
      await (values.json ? json(declined) : say(`${proposalId} is declined.`));
    }
  },
};
