// npm run forget: forgets many memories of a running service, with a progress bar.
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { createClient } from "#contract/client/client.ts";
import { configurationError } from "#core/errors.ts";
import { progressBar, runCommand } from "./terminal.ts";
import { parseTime } from "./time-option.ts";

const HELP = `Forgets memories: for good, and everywhere. Signed tombstones stay, and receipts that were anchored in the open form.

  npm run forget -- [--namespace <name>] [--source-agent <agent>] [--before <time>] [--reason <text>] [--dry-run]
                    [--url http://127.0.0.1:3000] [--key-file <path>]

  --namespace      only memories of this namespace
  --source-agent   only what this agent captured
  --before         only what was captured before this day or time: 2026-01-31, or 2026-01-31T12:00:00Z
  --reason         kept in the tombstones: do not quote what is forgotten
  --dry-run        counts what would be forgotten, and forgets nothing
  --key-file       a file that holds a key, for a service that has identities

At least one of the first three is needed. A run that was interrupted goes on when it is started again.
Exits with 1 when something failed.`;

interface Wanted {
  readonly namespace?: string;
  readonly sourceAgent?: string;
  readonly before?: string;
}

await runCommand("forget", 1, async () => {
  const { values } = parseArgs({
    options: {
      namespace: { type: "string" },
      "source-agent": { type: "string" },
      before: { type: "string" },
      reason: { type: "string" },
      "dry-run": { type: "boolean" },
      url: { type: "string", default: "http://127.0.0.1:3000" },
      "key-file": { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return void process.stdout.write(`${HELP}\n`);
  const { namespace, before, reason, url, "source-agent": sourceAgent, "key-file": keyFile } = values;
  const wanted: Wanted = {
    ...(namespace !== undefined && { namespace }),
    ...(sourceAgent !== undefined && { sourceAgent }),
    ...(before !== undefined && { before: timeOf(before) }),
  };
  if (Object.keys(wanted).length === 0)
    throw configurationError("Say what is to be forgotten: --namespace, --source-agent or --before. --help shows how.");
  const bearer = keyFile === undefined ? undefined : (await readFile(keyFile, "utf8")).trim();
  const client = createClient({ baseUrl: url.replace(/\/$/, ""), bearer });
  const total = await count(client, wanted);
  if (values["dry-run"]) return void process.stdout.write(`${total} would be forgotten\n`);
  await forget(client, { ...wanted, ...(reason !== undefined && { reason }) }, total);
});

type Client = ReturnType<typeof createClient>;

async function forget(client: Client, wanted: Wanted & { readonly reason?: string }, total: number): Promise<void> {
  const bar = progressBar(total);
  let [forgotten, anchored] = [0, 0];
  for (let done = false; !done; ) {
    const step = await client.forgetMemories(wanted);
    forgotten += step.forgotten;
    anchored += step.anchoredReceipts;
    done = step.done;
    bar.show(forgotten, `${forgotten} forgotten`);
  }
  bar.print(`${forgotten} forgotten`);
  if (anchored > 0)
    bar.print(`They are quoted ${anchored} times in receipts that were anchored in the open form. These stay.`);
}

/** Current and superseded ones. */
async function count(client: Client, { namespace, sourceAgent, before }: Wanted): Promise<number> {
  const filter = {
    limit: 1_000,
    ...(namespace !== undefined && { namespace }),
    ...(sourceAgent !== undefined && { sourceAgent }),
    ...(before !== undefined && { createdBefore: before }),
  };
  let total = 0;
  for (const superseded of ["false", "true"] as const)
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const page = await client.listMemories({ ...filter, superseded, ...(cursor !== undefined && { cursor }) });
      total += page.memories.length;
      cursor = page.nextCursor;
    }
  return total;
}

function timeOf(text: string): string {
  const time = parseTime(text);
  if (time === undefined)
    throw configurationError("--before is a day or a time, as 2026-01-31 or 2026-01-31T12:00:00Z.");
  return time.toISOString();
}
