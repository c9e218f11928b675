import type { Run } from "#cli/invocation.ts";
import { parseCount } from "#cli/shared/number-option.ts";
import { openClient } from "#cli/shared/service-client.ts";
import { textArgument } from "#cli/shared/text-argument.ts";
import { timeOption } from "#cli/shared/time-option.ts";
import { UsageError } from "#cli/usage-error.ts";

export const run: Run<"remember"> = async (invocation) => {
  const { values, print, say, json } = invocation;
  const { namespace, agent, supersedes, expires, ttl, "fact-key": key } = values;
  if (namespace === undefined) throw new UsageError("Name the namespace with --namespace.");
  if (expires !== undefined && ttl !== undefined) throw new UsageError("Give --expires or --ttl, and not both.");
  const content = await textArgument(invocation, "text");
  const { client, call } = await openClient(invocation);
  const { memory, similar = [] } = await client.capture(
    {
      namespace,
      content,
      ...(agent !== undefined && { sourceAgent: agent }),
      ...(key !== undefined && { key }),
      ...(supersedes !== undefined && { supersedes }),
      ...(expires !== undefined && { expiresAt: timeOption("--expires", expires).toISOString() }),
      ...(ttl !== undefined && { ttl: parseCount("--ttl", ttl) }),
    },
    call(),
  );
  if (values.json) return void (await json({ memory, ...(similar.length > 0 && { similar }) }));
  await print(memory.memoryId);
  if (similar.length > 0)
    await say(`Nearly the same is on record: ${similar.map(({ memoryId }) => memoryId).join(", ")}.`);
};
