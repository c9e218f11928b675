import type { Invocation, Run } from "#cli/invocation.ts";
import { receiptSummary } from "#cli/shared/receipt-summary.ts";
import { openClient } from "#cli/shared/service-client.ts";
import { textArgument } from "#cli/shared/text-argument.ts";
import { safeText } from "#cli/terminal/safe-text.ts";
import { UsageError } from "#cli/usage-error.ts";
import type { Reply } from "#contract/routes.ts";

export const run: Run<"chat"> = async (invocation) => {
  const { values, out, print, say, json } = invocation;
  if (values.companion && values.agent !== undefined)
    throw new UsageError("The companion is an agent of its own. Leave --agent out.");
  const query = await textArgument(invocation, "question");
  const isStreamed = out.isTerminal && !values.json;
  const answered = await ask(invocation, query, isStreamed);
  if (values.json) return void (await json(answered));
  if (isStreamed) await out.write("\n");
  else await print(answered.answer);
  await say(receiptSummary(answered.receipt));
};

async function ask(invocation: Invocation<"chat">, query: string, isStreamed: boolean): Promise<Reply<"chat">> {
  const { values, out, say } = invocation;
  const { client, call } = await openClient(invocation);
  // The client calls back without waiting. The pieces are written one after the other.
  let written: Promise<unknown> = Promise.resolve();
  const onText = (piece: string) => {
    written = written.then(() => out.write(safeText(piece)));
    // It rejects below.
    written.catch(() => undefined);
  };
  const onRestart = () => {
    written = written.then(() => say("\n(The policy changed. The answer begins again.)"));
    written.catch(() => undefined);
  };
  const options = isStreamed ? { ...call(), onText, onRestart } : call();
  const agent = values.agent === undefined ? {} : { agentId: values.agent };
  const answered = await (values.companion
    ? client.companion({ query }, options)
    : client.chat({ ...agent, query }, options));
  await written;
  return answered;
}
