import type { Invocation, Run } from "#cli/invocation.ts";
import { listPages } from "#cli/shared/list-pages.ts";
import { openClient } from "#cli/shared/service-client.ts";
import type { Cell } from "#cli/terminal/table.ts";
import type { Reply } from "#contract/routes.ts";

const COLUMNS = [
  { title: "ANSWER", isWhole: true },
  { title: "AGENT" },
  { title: "WHEN", isWhole: true },
  { title: "STATUS", isWhole: true },
  { title: "USED", isWhole: true },
  { title: "ANCHOR", isWhole: true },
] as const;

type Entry = Reply<"getReceipt">;

export const run: Run<"receipts"> = async (invocation) => {
  const [answerId] = invocation.positionals;
  if (answerId !== undefined) return showOne(invocation, answerId);
  const { agent, namespace, anchored, status } = invocation.values;
  // The parser takes only the choices of the table.
  const filter = {
    ...(agent !== undefined && { agentId: agent }),
    ...(namespace !== undefined && { namespace }),
    ...(anchored !== undefined && { anchored: anchored as "yes" | "no" }),
    ...(status !== undefined && { status: status as Entry["status"] }),
  };
  const { client, call } = await openClient(invocation);
  await listPages(invocation, {
    columns: COLUMNS,
    rowOf,
    page: async (query) => {
      const { receipts, nextCursor } = await client.listReceipts({ ...filter, ...query }, call());
      return { items: receipts, nextCursor };
    },
  });
  return undefined;
};

function rowOf({ receipt, status, anchor, chain }: Entry): Cell[] {
  const { answerId, agentId, createdAt, usedMemories } = receipt;
  const place = chain.length > 0 ? "ledger" : anchor === null ? "no" : "blob";
  return [
    answerId,
    agentId,
    `${createdAt.slice(0, 10)} ${createdAt.slice(11, 16)}`,
    status === "broken-off" ? { text: status, tone: "bad" } : status,
    String(usedMemories.length),
    place === "no" ? { text: place, tone: "quiet" } : { text: place, tone: "good" },
  ];
}

async function showOne(invocation: Invocation<"receipts">, answerId: string): Promise<undefined> {
  const { client, call } = await openClient(invocation);
  const entry = await client.getReceipt({ answerId }, call());
  if (invocation.values.json) return void (await invocation.json(entry));
  const { receipt, status, reason, anchor, chain } = entry;
  const { agentId, createdAt, usedMemories, blockedNamespaces, blockedCount, evidence } = receipt;
  const blocked = blockedCount === undefined ? "" : `, … (${blockedCount} in all)`;
  const lines = [
    `answer    ${answerId}`,
    `agent     ${agentId}`,
    `when      ${createdAt}`,
    `status    ${status}${reason === undefined ? "" : ` (${reason})`}`,
    `model     ${evidence.model ?? "none was asked"}`,
    `policy    version ${evidence.policyVersion}`,
    `blocked   ${blockedNamespaces.length === 0 ? "nothing" : `${blockedNamespaces.join(", ")}${blocked}`}`,
    `used      ${usedMemories.length === 0 ? "nothing" : ""}`.trimEnd(),
    ...usedMemories.map(
      ({ memoryId, namespace, snippet = "(not shown)" }) =>
        `  ${memoryId}  ${namespace}: ${snippet.replaceAll("\n", " ")}`,
    ),
    `blob      ${anchor === null ? "not stored" : anchor.blobId}`,
    ...chain.map(({ receiptId, anchoredAt }) => `ledger    ${receiptId}, ${anchoredAt}`),
  ];
  await invocation.print(lines.join("\n"));
}
