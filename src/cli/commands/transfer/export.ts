// Writes everything that the caller may read of a service to a file, or to standard output.
import { open, rm } from "node:fs/promises";
import type { Invocation, Run } from "#cli/invocation.ts";
import { openClient } from "#cli/shared/service-client.ts";
import { lineCounter } from "#cli/terminal/progress-bar.ts";
import { safeJson } from "#cli/terminal/safe-text.ts";
import { configurationError } from "#core/errors.ts";
import { lastLineOf } from "./last-line.ts";

type Write = (bytes: Uint8Array) => Promise<unknown>;

export const run: Run<"export"> = async (invocation) => {
  const { values, out, say, json } = invocation;
  const { records, keyId } = await (values.out === undefined
    ? writeTo(invocation, standardOutput(invocation))
    : toFile(invocation, values.out));
  // Without a file, standard output has the export and nothing else.
  if (values.json && values.out !== undefined) await json({ file: values.out, records, keyId });
  else if (!out.isTerminal || values.out !== undefined) await say(`${records} records, signed with the key ${keyId}`);
  return undefined;
};

/** A pipe gets the bytes that were signed. A terminal gets the same JSON with what could mislead it escaped. */
function standardOutput({ out }: Invocation<"export">): Write {
  if (!out.isTerminal) return (bytes) => out.write(bytes);
  const utf8 = new TextDecoder();
  return (bytes) => out.write(safeJson(utf8.decode(bytes, { stream: true })));
}

/** It holds what only its owner should read. A file that is not complete is removed. */
async function toFile(invocation: Invocation<"export">, path: string): Promise<Written> {
  const file = await open(path, "wx", 0o600).catch((error) => {
    if (error.code !== "EEXIST") throw error;
    throw configurationError(`${path} exists. Name a file that does not.`);
  });
  try {
    const written = await writeTo(invocation, (bytes) => file.writeFile(bytes));
    await file.sync();
    return written;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

interface Written {
  readonly records: number;
  readonly keyId: string;
}

async function writeTo(invocation: Invocation<"export">, write: Write): Promise<Written> {
  const { values, err, out, signal } = invocation;
  const { client } = await openClient(invocation);
  const { namespace, "source-agent": sourceAgent } = values;
  const query = {
    ...(namespace !== undefined && { namespace }),
    ...(sourceAgent !== undefined && { sourceAgent }),
    ...(values.open && { open: "true" as const }),
  };
  const body = await client.exportRecords(query, { signal });
  const isShown = values.out !== undefined || !out.isTerminal;
  const lines = lineCounter(isShown ? err : { ...err, isTerminal: false }, "records");
  let last: Uint8Array = new Uint8Array();
  for await (const bytes of body ?? []) {
    await write(bytes);
    lines.count(bytes);
    last = lastLineOf(last, bytes);
  }
  const count = lines.end();
  const trailer = Buffer.from(last).toString("utf8");
  if (!trailer.startsWith('{"portcullis":"end",')) throw new Error("The export broke off. Export again.");
  const { signature } = JSON.parse(trailer) as { readonly signature: { readonly keyId: string } };
  // Header and trailer are no records.
  return { records: count - 2, keyId: signature.keyId };
}
