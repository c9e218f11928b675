// What tests of exports share.
import { generateKeyPairSync, sign } from "node:crypto";
import { text } from "node:stream/consumers";
import type { Client } from "#contract/client/client.ts";
import type { Query, Reply } from "#contract/routes.ts";
import { streamingDigest } from "#core/encoding/digest.ts";
import { keyIdOf } from "#core/receipt/signature.ts";
import { type ExportHeader, type ExportRecord, type ExportTrailer, exportBytes } from "#core/transfer/export-format.ts";
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

/** The lines before a trailer, signed by a stranger: what anybody can make. `key` is the id of the stranger's key. */
export function signedByStranger(lines: readonly string[]): { readonly text: string; readonly key: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const bytes = Buffer.from(publicKey.export({ format: "jwk" }).x ?? "", "base64url");
  const body = lines.map((line) => `${line}\n`).join("");
  const digest = streamingDigest();
  digest.update(Buffer.from(body));
  const kinds = lines.slice(1).map((line) => /"kind":"([\w-]+)"/.exec(line)?.[1] ?? "memory");
  const counts = Object.fromEntries(
    [...Map.groupBy(kinds, (kind) => kind)].map(([kind, { length }]): [string, number] => [kind, length]),
  );
  const signed = { counts, digest: digest.hex() };
  const key = keyIdOf(bytes);
  const value = sign(null, exportBytes(signed), privateKey).toString("base64url");
  const signature = { keyId: key, publicKey: bytes.toString("hex"), value };
  return { text: `${body}${JSON.stringify({ portcullis: "end", ...signed, signature })}\n`, key };
}
