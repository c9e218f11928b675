import type { Run } from "#cli/invocation.ts";
import { parseCount } from "#cli/shared/number-option.ts";
import { receiptSummary } from "#cli/shared/receipt-summary.ts";
import { openClient } from "#cli/shared/service-client.ts";
import { textArgument } from "#cli/shared/text-argument.ts";
import { table } from "#cli/terminal/table.ts";

const COLUMNS = [
  { title: "MEMORY", isWhole: true },
  { title: "NAMESPACE" },
  { title: "SCORE" },
  { title: "TEXT" },
] as const;

export const run: Run<"recall"> = async (invocation) => {
  const { values, out, say, json } = invocation;
  const query = await textArgument(invocation, "question");
  const limit = values.limit === undefined ? {} : { limit: parseCount("--limit", values.limit) };
  const agent = values.agent === undefined ? {} : { agentId: values.agent };
  const { client, call } = await openClient(invocation);
  const recalled = await client.recall({ ...agent, query, ...limit }, call());
  if (values.json) return void (await json(recalled));
  const rows = recalled.memories.map(({ memoryId, namespace, score, content }) => [
    memoryId,
    namespace,
    score.toFixed(3),
    content,
  ]);
  await table(out, COLUMNS).add(rows);
  if (recalled.receipt !== undefined) await say(receiptSummary(recalled.receipt));
  if (recalled.omittedCount !== undefined) await say(`${recalled.omittedCount} more were too long to be given.`);
};
