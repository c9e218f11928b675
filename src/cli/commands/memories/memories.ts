// Captures, lists and forgets memories, and decides on proposals, which wait for somebody who governs their namespace.
import { type Invocation, type Runs, textArgument, UsageError } from "#cli/invocation.ts";
import { confirm } from "#cli/shared/confirm.ts";
import { listPages } from "#cli/shared/list-pages.ts";
import { openClient } from "#cli/shared/service-client.ts";
import { progressBar } from "#cli/terminal/progress-bar.ts";
import { whole } from "#cli/terminal/table.ts";
import type { Client } from "#contract/client/client.ts";
import type { Body } from "#contract/routes.ts";

type Name = "remember" | "memories" | "forget" | `proposals ${"list" | "accept" | "decline"}`;

export const runs: Runs<Name> = {
  async remember(invocation) {
    const { wanted, tell } = invocation;
    const { namespace, expiresAt, ttl } = wanted;
    if (namespace === undefined) throw new UsageError("Name the namespace with --namespace.");
    if (expiresAt !== undefined && ttl !== undefined) throw new UsageError("Give --expires or --ttl, and not both.");
    const content = await textArgument(invocation, "text");
    const { client } = await openClient(invocation);
    const { memory, similar = [] } = await client.capture({ ...wanted, namespace, content });
    const print = memory.memoryId;
    if (similar.length === 0) return tell({ memory }, { print });
    const say = `Nearly the same is on record: ${similar.map(({ memoryId }) => memoryId).join(", ")}.`;
    return tell({ memory, similar }, { print, say });
  },

  async memories(invocation) {
    const [memoryId] = invocation.positionals;
    if (memoryId !== undefined) return showOne(invocation, memoryId);
    return listPages(invocation, "listMemories", COLUMNS, ({ memoryId, namespace, sourceAgent, content }) => [
      memoryId,
      namespace,
      sourceAgent,
      content,
    ]);
  },

  async forget(invocation) {
    const { positionals, wanted, err, tell } = invocation;
    const { dryRun, yes, reason, ...filter } = wanted;
    const isFiltered = Object.keys(filter).length > 0;
    if (isFiltered === positionals.length > 0)
      throw new UsageError(
        "Say what is to be forgotten: ids of memories, or --namespace, --source-agent, --before or another filter.",
      );
    const { client } = await openClient(invocation);
    const total = isFiltered
      ? (await forgetAll(client, { ...filter, dryRun: true })).forgotten
      : await existing(client, positionals);
    if (dryRun) return tell({ wouldForget: total }, { print: `${total} would be forgotten` });
    const question = `This forgets ${total === 1 ? "1 memory" : `${total} memories`} for good.`;
    if (!yes && !(await confirm(invocation, question))) {
      await invocation.say("Nothing was forgotten.");
      return 1;
    }
    if (isFiltered) {
      const bar = progressBar(err, total);
      const done = await forgetAll(client, { ...filter, reason }, (count) => bar.show(count, `${count} forgotten`));
      bar.clear();
      return tell(done, { say: [`${done.forgotten} forgotten`, ...stays(done)].join("\n") });
    }
    for (const memoryId of positionals) {
      const forgotten = await client.forgetMemory({ memoryId }, { reason });
      const print = `${memoryId} was forgotten at ${forgotten.tombstone.forgottenAt}.`;
      await tell(forgotten, { print: [print, ...stays(forgotten)].join(" ") });
    }
    return undefined;
  },

  "proposals list": (invocation) =>
    listPages(invocation, "listProposals", PROPOSALS, ({ proposalId, namespace, agentId, content, supersedes }) => [
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

const COLUMNS = [whole("MEMORY"), "NAMESPACE", "FROM", "TEXT"];
const PROPOSALS = [whole("PROPOSAL"), "NAMESPACE", "AGENT", "FACT", "IN PLACE OF"];

async function showOne(invocation: Invocation<"memories">, memoryId: string): Promise<undefined> {
  const { client } = await openClient(invocation);
  const { memory } = await client.getMemory({ memoryId });
  const { content, ...fields } = memory;
  const lines = Object.entries(fields).map(([name, value]) => {
    const text = typeof value === "object" ? JSON.stringify(value) : value;
    return `${name.padEnd(14)} ${text}`;
  });
  return invocation.tell(memory, { print: [...lines, "", content].join("\n") });
}

function stays({ anchoredReceipts }: { readonly anchoredReceipts: number }): string[] {
  if (anchoredReceipts === 0) return [];
  return [`Public receipts quote what is forgotten ${anchoredReceipts} times. They stay public.`];
}

/** Fails when one is not there, before any is forgotten. */
async function existing(client: Client, ids: readonly string[]): Promise<number> {
  for (const memoryId of ids) await client.getMemory({ memoryId });
  return ids.length;
}

async function forgetAll(
  client: Client,
  body: Body<"forgetMemories">,
  onStep: (forgotten: number) => void = () => undefined,
) {
  let [forgotten, anchoredReceipts] = [0, 0];
  let cursor: string | undefined;
  do {
    const step = await client.forgetMemories({ ...body, cursor });
    forgotten += step.forgotten;
    anchoredReceipts += step.anchoredReceipts;
    cursor = step.nextCursor;
    onStep(forgotten);
  } while (cursor !== undefined);
  return { forgotten, anchoredReceipts };
}
