import type { Run } from "#cli/invocation.ts";
import { openClient } from "#cli/shared/service-client.ts";
import { safeLine } from "#cli/terminal/safe-text.ts";
import { toned } from "#cli/terminal/table.ts";
import type { Reply } from "#contract/routes.ts";

export const run: Run<"events"> = async (invocation) => {
  const { values, out, json, signal } = invocation;
  const { client, call } = await openClient(invocation);
  // The feed tries again for ever. A service that is not there at all, or refuses the key, is told at once.
  await client.getService(call());
  for await (const event of client.listenToEvents({ signal, lastEventId: values.after })) {
    if (values.json) await json(event);
    else {
      const { time, name, rest } = partsOf(event);
      await out.write(`${toned(out, "quiet", time)}  ${toned(out, "strong", name.padEnd(18))}  ${rest}\n`);
    }
  }
  signal.throwIfAborted();
  return undefined;
};

function partsOf({ name, data }: Reply<"listenToEvents">): { time: string; name: string; rest: string } {
  const { at = "", ...fields } = data;
  const rest = Object.entries(fields).map(([field, value]) => `${field}=${value}`);
  return { time: safeLine(at.slice(0, 19)), name: safeLine(name), rest: safeLine(rest.join(" ")) };
}
