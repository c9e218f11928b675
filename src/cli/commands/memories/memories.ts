// Captures, lists and forgets memories.
import { type Invocation, type Runs, UsageError } from "#cli/invocation.ts";
import { filterOptions, metadataOption, parseCount, textArgument, timeOption } from "#cli/shared/arguments.ts";
import { confirm } from "#cli/shared/confirm.ts";
import { listPages } from "#cli/shared/list-pages.ts";
import { type OpenedClient, openClient } from "#cli/shared/service-client.ts";
import { progressBar } from "#cli/terminal/progress-bar.ts";
import { whole } from "#cli/terminal/table.ts";
import type { Body } from "#contract/routes.ts";
import type { Memory } from "#core/memory.ts";

export const runs: Runs<"remember" | "memories" | "forget"> = {
  async remember(invocation) {
    const { values, print, say, json } = invocation;
    const { namespace, agent, supersedes, expires, ttl, occurred, metadata, "fact-key": key } = values;
    if (namespace === undefined) throw new UsageError("Name the namespace with --namespace.");
    if (expires !== undefined && ttl !== undefined) throw new UsageError("Give --expires or --ttl, and not both.");
    const content = await textArgument(invocation, "text");
    const { client, call } = await openClient(invocation);
    const { memory, similar = [] } = await client.capture(
      {
        namespace,
        content,
        sourceAgent: agent,
        key,
        supersedes,
        expiresAt: expires === undefined ? undefined : timeOption("--expires", expires).toISOString(),
        ttl: ttl === undefined ? undefined : parseCount("--ttl", ttl),
        occurredAt: occurred,
        metadata: metadata && metadataOption(metadata),
      },
      call(),
    );
    if (values.json) return void (await json({ memory, ...(similar.length > 0 && { similar }) }));
    await print(memory.memoryId);
    if (similar.length > 0)
      await say(`Nearly the same is on record: ${similar.map(({ memoryId }) => memoryId).join(", ")}.`);
  },

  async memories(invocation) {
    const [memoryId] = invocation.positionals;
    if (memoryId !== undefined) return showOne(invocation, memoryId);
    const { values } = invocation;
    const { namespace, search, before, "source-agent": sourceAgent, "view-as": viewAs } = values;
    const createdBefore = before === undefined ? undefined : timeOption("--before", before).toISOString();
    const superseded = values.superseded ? ("true" as const) : undefined;
    const named = { namespace, sourceAgent, q: search, viewAs, createdBefore, superseded };
    const filter = { ...named, ...filterOptions(values) };
    const { client, call } = await openClient(invocation);
    await listPages(invocation, {
      columns: COLUMNS,
      rowOf: ({ memoryId, namespace, sourceAgent, content }: Memory) => [memoryId, namespace, sourceAgent, content],
      page: async (query) => {
        const { memories, nextCursor } = await client.listMemories({ ...filter, ...query }, call());
        return { items: memories, nextCursor };
      },
    });
  },

  async forget(invocation) {
    const { values, positionals, print, json } = invocation;
    const wanted = wantedBy(values);
    const isFiltered = Object.values(wanted).some((value) => value !== undefined);
    if (isFiltered === positionals.length > 0)
      throw new UsageError(
        "Say what is to be forgotten: ids of memories, or --namespace, --source-agent, --before or another filter.",
      );
    const service = await openClient(invocation);
    const total = isFiltered
      ? (await forgetAll(service, { ...wanted, dryRun: true })).forgotten
      : await existing(service, positionals);
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
  },
};

const COLUMNS = [whole("MEMORY"), "NAMESPACE", "FROM", "TEXT"];

async function showOne(invocation: Invocation<"memories">, memoryId: string): Promise<undefined> {
  const { client, call } = await openClient(invocation);
  const { memory } = await client.getMemory({ memoryId }, call());
  if (invocation.values.json) return void (await invocation.json(memory));
  const { content, ...fields } = memory;
  const lines = Object.entries(fields).map(([name, value]) => {
    const text = typeof value === "object" ? JSON.stringify(value) : value;
    return `${name.padEnd(14)} ${text}`;
  });
  await invocation.print([...lines, "", content].join("\n"));
}

type Wanted = Omit<Body<"forgetMemories">, "reason" | "dryRun" | "cursor">;

function wantedBy(values: Invocation<"forget">["values"]): Wanted {
  const { namespace, before, "source-agent": sourceAgent } = values;
  return {
    namespace,
    sourceAgent,
    before: before === undefined ? undefined : timeOption("--before", before).toISOString(),
    ...filterOptions(values),
  };
}

async function forgetEach(invocation: Invocation<"forget">, { client, call }: OpenedClient): Promise<void> {
  const { positionals, values, json, print } = invocation;
  for (const memoryId of positionals) {
    const forgotten = await client.forgetMemory({ memoryId }, { reason: values.reason }, call());
    if (values.json) await json(forgotten);
    else await print(`${memoryId} was forgotten at ${forgotten.tombstone.forgottenAt}.${stays(forgotten)}`);
  }
}

function stays({ anchoredReceipts }: { readonly anchoredReceipts: number }): string {
  if (anchoredReceipts === 0) return "";
  return ` Public receipts quote what is forgotten ${anchoredReceipts} times. They stay public.`;
}

async function forgetMany(
  { values, err, say, json }: Invocation<"forget">,
  service: OpenedClient,
  wanted: Wanted,
  total: number,
): Promise<void> {
  const bar = progressBar(err, total);
  const { forgotten, anchoredReceipts } = await forgetAll(service, { ...wanted, reason: values.reason }, (count) =>
    bar.show(count, `${count} forgotten`),
  );
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

/** Call after call, to the last memory. */
async function forgetAll(
  { client, call }: OpenedClient,
  body: Body<"forgetMemories">,
  onStep: (forgotten: number) => void = () => undefined,
) {
  let [forgotten, anchoredReceipts] = [0, 0];
  let cursor: string | undefined;
  do {
    const step = await client.forgetMemories({ ...body, cursor }, call());
    forgotten += step.forgotten;
    anchoredReceipts += step.anchoredReceipts;
    cursor = step.nextCursor;
    onStep(forgotten);
  } while (cursor !== undefined);
  return { forgotten, anchoredReceipts };
}
