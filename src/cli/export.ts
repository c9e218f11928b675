// npm run export: writes everything that the caller may read of a running service to a file.
import { open, readFile, rm } from "node:fs/promises";
import { parseArgs } from "node:util";
import { type Client, createClient } from "#contract/client/client.ts";
import { configurationError } from "#core/errors.ts";
import { lastLineOf, lineCounter, runCommand } from "./terminal.ts";

const HELP = `Exports everything that the caller may read: memories, policy, receipts and decisions, one a line, signed.

  npm run export -- [--out <file.ndjson>] [--namespace <name>] [--source-agent <agent>] [--open]
                    [--url http://127.0.0.1:3000] [--key-file <path>]

  --out            the file to write, which must not exist; standard output without it
  --namespace      only what is in this namespace
  --source-agent   only what this agent captured, was allowed and was answered: one person's data
  --open           sealed memories as plain text, for an admin to read; such an export cannot be imported
  --key-file       a file that holds a key, for a service that has identities

An admin's export has everything but the keys that sign and the keys of callers. What is on a local ledger is in a
backup (npm run backup) and not in an export. Exits with 1 when the export is not complete.`;

await runCommand("export", 1, async () => {
  const { values } = parseArgs({
    options: {
      out: { type: "string" },
      namespace: { type: "string" },
      "source-agent": { type: "string" },
      open: { type: "boolean" },
      url: { type: "string", default: "http://127.0.0.1:3000" },
      "key-file": { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return void process.stdout.write(`${HELP}\n`);
  const { namespace, out, url, "source-agent": sourceAgent, "key-file": keyFile } = values;
  const bearer = keyFile === undefined ? undefined : (await readFile(keyFile, "utf8")).trim();
  const client = createClient({ baseUrl: url.replace(/\/$/, ""), bearer });
  const query = {
    ...(namespace !== undefined && { namespace }),
    ...(sourceAgent !== undefined && { sourceAgent }),
    ...(values.open && { open: "true" as const }),
  };
  await (out === undefined ? writeTo(client, query, toStandardOutput) : exportToFile(client, query, out));
});

type ExportQuery = Parameters<Client["exportRecords"]>[0];
type Write = (bytes: Uint8Array) => Promise<unknown>;

/** It holds what only its owner should read. A file that is not complete is removed. */
async function exportToFile(client: Client, query: ExportQuery, path: string): Promise<void> {
  const file = await open(path, "wx", 0o600).catch((error) => {
    if (error.code !== "EEXIST") throw error;
    throw configurationError(`${path} exists. Name a file that does not.`);
  });
  try {
    await writeTo(client, query, (bytes) => file.writeFile(bytes));
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

async function writeTo(client: Client, query: ExportQuery, write: Write): Promise<void> {
  const body = await client.exportRecords(query);
  const lines = lineCounter("records");
  let last: Uint8Array = new Uint8Array();
  for await (const bytes of body ?? []) {
    await write(bytes);
    lines.count(bytes);
    last = lastLineOf(last, bytes);
  }
  const trailer = Buffer.from(last).toString("utf8");
  if (!trailer.startsWith('{"portcullis":"end",')) throw new Error("The export broke off. Export again.");
  const { signature } = JSON.parse(trailer) as { readonly signature: { readonly keyId: string } };
  // Header and trailer are no records.
  lines.end((count) => `${count - 2} records, signed with the key ${signature.keyId}`);
}

function toStandardOutput(bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
