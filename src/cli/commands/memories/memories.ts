import type { Invocation, Run } from "#cli/invocation.ts";
import { listPages } from "#cli/shared/list-pages.ts";
import { openClient } from "#cli/shared/service-client.ts";
import { timeOption } from "#cli/shared/time-option.ts";
import type { Memory } from "#core/memory.ts";

const COLUMNS = [
  { title: "MEMORY", isWhole: true },
  { title: "NAMESPACE" },
  { title: "FROM" },
  { title: "TEXT" },
] as const;

export const run: Run<"memories"> = async (invocation) => {
  const [memoryId] = invocation.positionals;
  if (memoryId !== undefined) return showOne(invocation, memoryId);
  const { values } = invocation;
  const { namespace, search, before, "source-agent": sourceAgent, "view-as": viewAs } = values;
  const filter = {
    ...(namespace !== undefined && { namespace }),
    ...(sourceAgent !== undefined && { sourceAgent }),
    ...(search !== undefined && { q: search }),
    ...(viewAs !== undefined && { viewAs }),
    ...(before !== undefined && { createdBefore: timeOption("--before", before).toISOString() }),
    ...(values.superseded && { superseded: "true" as const }),
  };
  const { client, call } = await openClient(invocation);
  await listPages(invocation, {
    columns: COLUMNS,
    rowOf: ({ memoryId, namespace, sourceAgent, content }: Memory) => [memoryId, namespace, sourceAgent, content],
    page: async (query) => {
      const { memories, nextCursor } = await client.listMemories({ ...filter, ...query }, call());
      return { items: memories, nextCursor };
    },
  });
  return undefined;
};

async function showOne(invocation: Invocation<"memories">, memoryId: string): Promise<undefined> {
  const { client, call } = await openClient(invocation);
  const { memory } = await client.getMemory({ memoryId }, call());
  if (invocation.values.json) return void (await invocation.json(memory));
  const { content, ...fields } = memory;
  const lines = Object.entries(fields).map(([name, value]) => `${name.padEnd(14)} ${value}`);
  await invocation.print([...lines, "", content].join("\n"));
}
