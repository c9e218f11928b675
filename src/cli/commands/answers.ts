// Asks a service.
import { type Invocation, type Runs, textArgument, UsageError } from "#cli/invocation.ts";
import { openClient } from "#cli/shared/service-client.ts";
import { safeText } from "#cli/terminal/safe-text.ts";
import { table, whole } from "#cli/terminal/table.ts";
import type { Reply } from "#contract/routes.ts";

export const runs: Runs<"chat" | "recall" | "explain"> = {
  async chat(invocation) {
    const { values, wanted, out, tell } = invocation;
    const { companion, ...narrowed } = wanted;
    if (companion && Object.keys(narrowed).length > 0)
      throw new UsageError(
        "The companion is an agent of its own, and takes no filters. Leave --agent and filters out.",
      );
    const query = await textArgument(invocation, "question");
    const isStreamed = out.isTerminal && !values.json;
    const answered = await ask(invocation, query, isStreamed);
    if (isStreamed) await out.write("\n");
    const say = receiptSummary(answered.receipt);
    return tell(answered, isStreamed ? { say } : { print: answered.answer, say });
  },

  async recall(invocation) {
    const { values, wanted, out, say, json } = invocation;
    const query = await textArgument(invocation, "question");
    const { client } = await openClient(invocation);
    const recalled = await client.recall({ ...wanted, query });
    if (values.json) return json(recalled);
    const rows = recalled.memories.map(({ memoryId, namespace, relevance, content }) => [
      memoryId,
      namespace,
      relevance.toFixed(2),
      content,
    ]);
    await table(out, COLUMNS).add(rows);
    if (recalled.receipt !== undefined) await say(receiptSummary(recalled.receipt));
    if (recalled.omittedCount !== undefined) await say(`${recalled.omittedCount} more were too long to be given.`);
  },

  async explain(invocation) {
    const { values, wanted, out, say, json } = invocation;
    const { agentId } = wanted;
    if (agentId === undefined) throw new UsageError("Name the agent: --agent <id>.");
    const query = await textArgument(invocation, "question");
    const { client } = await openClient(invocation);
    const explained = await client.explain({ ...wanted, agentId, query });
    if (values.json) return json(explained);
    const rows = explained.memories.map(
      ({ fate, rank, gate, memoryId, namespace, terms = [], why = {}, snippet = "" }) => [
        rank === undefined ? "" : String(rank),
        gate === undefined ? fate : `${fate} (${gate})`,
        memoryId,
        namespace,
        [
          ...terms.map(({ term, weight }) => `${term} ${weight}`),
          ...(why.meaning === undefined ? [] : [`meaning ${why.meaning}`]),
          ...(["date", "neighbour", "pinned", "newest"] as const).filter((reason) => why[reason]),
        ].join(", "),
        snippet,
      ],
    );
    await table(out, ["RANK", "FATE", whole("MEMORY"), "NAMESPACE", "WHY", "TEXT"]).add(rows);
    if (explained.incomplete) await say("Only the namespaces that this key administers were looked at.");
  },
};

async function ask(invocation: Invocation<"chat">, query: string, isStreamed: boolean): Promise<Reply<"chat">> {
  const { wanted, out, say } = invocation;
  const { companion, ...narrowed } = wanted;
  const { client } = await openClient(invocation);
  // The client calls back without waiting. The pieces are written one after the other.
  let written: Promise<unknown> = Promise.resolve();
  const write = (step: () => Promise<unknown>) => {
    written = written.then(step);
    // It rejects below.
    written.catch(() => undefined);
  };
  const listener = {
    onText: (piece: string) => write(() => out.write(safeText(piece))),
    onRestart: () => write(() => say("\n(The policy changed. The answer begins again.)")),
  };
  const options = isStreamed ? listener : {};
  const answered = await (companion
    ? client.companion({ query }, options)
    : client.chat({ ...narrowed, query }, options));
  await written;
  return answered;
}

const COLUMNS = [whole("MEMORY"), "NAMESPACE", "RELEVANCE", "TEXT"];

type Receipt = NonNullable<Reply<"recall">["receipt"]>;

function receiptSummary({ answerId, usedMemories, blockedNamespaces, blockedCount }: Receipt): string {
  const used = [...new Set(usedMemories.map(({ namespace }) => namespace))];
  const memories = usedMemories.length === 1 ? "1 memory" : `${usedMemories.length} memories`;
  const from = used.length === 0 ? "" : ` of ${used.join(", ")}`;
  const more = blockedCount === undefined ? "" : ` and more, ${blockedCount} in all`;
  const blocked = blockedNamespaces.length === 0 ? "nothing" : `${blockedNamespaces.join(", ")}${more}`;
  return `Receipt ${answerId}: used ${memories}${from}; closed: ${blocked}.`;
}
