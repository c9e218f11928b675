import type { Invocation, Run } from "#cli/invocation.ts";
import { confirm } from "#cli/shared/confirm.ts";
import { type OpenedClient, openClient } from "#cli/shared/service-client.ts";
import { timeOption } from "#cli/shared/time-option.ts";
import { progressBar } from "#cli/terminal/progress-bar.ts";
import { UsageError } from "#cli/usage-error.ts";

interface Wanted {
  readonly namespace?: string;
  readonly sourceAgent?: string;
  readonly before?: string;
}

export const run: Run<"forget"> = async (invocation) => {
  const { values, positionals, print, json } = invocation;
  const wanted = wantedBy(values);
  const isFiltered = Object.keys(wanted).length > 0;
  if (isFiltered === positionals.length > 0)
    throw new UsageError("Say what is to be forgotten: ids of memories, or --namespace, --source-agent or --before.");
  const service = await openClient(invocation);
  const total = await (isFiltered ? count(service, wanted) : existing(service, positionals));
  if (values["dry-run"]) {
    if (values.json) await json({ wouldForget: total });
    else await print(`${total} would be forgotten`);
    return undefined;
  }
  const isMeant =
    values.yes ||
    (await confirm(invocation, `This forgets ${total === 1 ? "1 memory" : `${total} memories`} for good.`));
  if (!isMeant) {
    await invocation.say("Nothing was forgotten.");
    return 1;
  }
  await (isFiltered ? forgetMany(invocation, service, wanted, total) : forgetEach(invocation, service));
  return undefined;
};

function wantedBy(values: Invocation<"forget">["values"]): Wanted {
  const { namespace, before, "source-agent": sourceAgent } = values;
  return {
    ...(namespace !== undefined && { namespace }),
    ...(sourceAgent !== undefined && { sourceAgent }),
    ...(before !== undefined && { before: timeOption("--before", before).toISOString() }),
  };
}

async function forgetEach(invocation: Invocation<"forget">, { client, call }: OpenedClient): Promise<void> {
  const { positionals, values, json, print } = invocation;
  for (const memoryId of positionals) {
    const forgotten = await client.forgetMemory(
      { memoryId },
      values.reason === undefined ? {} : { reason: values.reason },
      call(),
    );
    if (values.json) await json(forgotten);
    else await print(`${memoryId} is forgotten since ${forgotten.tombstone.forgottenAt}.${stays(forgotten)}`);
  }
}

function stays({ anchoredReceipts }: { readonly anchoredReceipts: number }): string {
  if (anchoredReceipts === 0) return "";
  return ` Public receipts quote what is forgotten ${anchoredReceipts} times. They stay public.`;
}

async function forgetMany(
  { values, err, say, json }: Invocation<"forget">,
  { client, call }: OpenedClient,
  wanted: Wanted,
  total: number,
): Promise<void> {
  const bar = progressBar(err, total);
  const body = { ...wanted, ...(values.reason !== undefined && { reason: values.reason }) };
  let [forgotten, anchoredReceipts] = [0, 0];
  let cursor: string | undefined;
  do {
    const step = await client.forgetMemories({ ...body, ...(cursor !== undefined && { cursor }) }, call());
    forgotten += step.forgotten;
    anchoredReceipts += step.anchoredReceipts;
    cursor = step.nextCursor;
    bar.show(forgotten, `${forgotten} forgotten`);
  } while (cursor !== undefined);
  bar.clear();
  if (values.json) return json({ forgotten, anchoredReceipts });
  await say(`${forgotten} forgotten`);
  if (anchoredReceipts > 0) await say(stays({ anchoredReceipts }).trim());
}

/** Fails when one is not there, before any is forgotten. */
async function existing({ client, call }: OpenedClient, ids: readonly string[]): Promise<number> {
  for (const memoryId of ids) await client.getMemory({ memoryId }, call());
  return ids.length;
}

/** Current and superseded ones. */
async function count({ client, call }: OpenedClient, { namespace, sourceAgent, before }: Wanted): Promise<number> {
  const filter = {
    limit: 1_000,
    ...(namespace !== undefined && { namespace }),
    ...(sourceAgent !== undefined && { sourceAgent }),
    ...(before !== undefined && { createdBefore: before }),
  };
  let total = 0;
  for (const superseded of ["false", "true"] as const)
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const query = { ...filter, superseded, ...(cursor !== undefined && { cursor }) };
      const page = await client.listMemories(query, call());
      total += page.memories.length;
      cursor = page.nextCursor;
    }
  return total;
}
