// What tests of exports share.
import { text } from "node:stream/consumers";
import type { Client } from "#contract/client/client.ts";
import type { Query, Reply } from "#contract/routes.ts";
import type { ExportHeader, ExportRecord, ExportTrailer } from "#core/transfer/export-format.ts";
import { fsck } from "#service/operations/fsck/fsck.ts";

export interface Exported {
  readonly text: string;
  readonly header: ExportHeader;
  readonly records: readonly ExportRecord[];
  readonly trailer: ExportTrailer;
}

export async function exportOf(client: Client, query: Query<"exportRecords"> = {}): Promise<Exported> {
  const body = await client.exportRecords(query);
  if (body === null) throw new Error("the export has no body");
  return read(await text(body));
}

export function read(exported: string): Exported {
  const lines = exported.trimEnd().split("\n");
  const values = lines.map((line) => JSON.parse(line));
  return { text: exported, header: values[0], records: values.slice(1, -1), trailer: values.at(-1) };
}

export async function importInto(
  client: Client,
  exported: string,
  query: Query<"importRecords"> = {},
): Promise<NonNullable<Reply<"importRecords">["outcome"]>> {
  for await (const { outcome } of client.importRecords(new Blob([exported]), query)) if (outcome) return outcome;
  throw new Error("the import has no outcome");
}

/** What fsck finds wrong. */
export async function differencesIn({ tenant }: { tenant: Parameters<typeof fsck>[0] }): Promise<string[]> {
  const found: string[] = [];
  await fsck(tenant, { onDifference: ({ about, id, detail }) => found.push(`${about} ${id}: ${detail}`) });
  return found;
}
