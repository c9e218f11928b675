import { setImmediate as nextTurn } from "node:timers/promises";
import { streamingDigest } from "#core/encoding/digest.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { FactFilter } from "#core/memories/fact-filter.ts";
import { type ExportHeader, type ExportKind, type ExportRecord, exportBytes } from "#core/transfer/export-format.ts";
import type { Call } from "#service/call.ts";
import { type Quoted, readBehindFence } from "#service/policy/fenced-read.ts";
import type { Tenant } from "#service/tenant.ts";

/** What is wanted of all that the caller may read. A field that is left out lets all pass. */
export interface ExportFilter extends FactFilter {
  readonly namespace?: string | undefined;
  /** Encrypted memories as plain text. Only admins get them otherwise. */
  readonly decrypt?: boolean;
}

/** Admins get encrypted memories, and seeds of their receipts, as they are stored. The others read them decrypted. */
export const readingTenant = ({ tenant, principal, filter }: ExportScope): Tenant =>
  principal.role === "admin" && !filter.decrypt ? { ...tenant, records: tenant.stored } : tenant;

export interface ExportScope {
  readonly tenant: Tenant;
  readonly call: Call;
  readonly principal: Principal;
  readonly filter: ExportFilter;
  readonly writer: ExportWriter;
}

export interface ExportPage<Position> {
  readonly records: readonly ExportRecord[];
  readonly quoted: readonly Quoted[];
  readonly next?: Position | undefined;
}

/** Writes page after page behind the fence. A page is read again when the fence does not let it pass. */
export async function writePages<Position>(
  { tenant, principal, writer }: ExportScope,
  read: (from: Position | undefined) => Promise<ExportPage<Position>>,
): Promise<void> {
  let from: Position | undefined;
  do {
    const load = async () => {
      const page = await read(from);
      return { value: page, quoted: page.quoted };
    };
    await readBehindFence(tenant, principal, load, ({ records, next }, lost) => {
      from = next;
      return writer.records(records, lost);
    });
    // A client that reads fast would otherwise keep all others waiting: reads of SQLite, and writes that the operating
    // system takes at once, never wait for the event loop. Not behind the fence, which others wait for.
    await nextTurn();
  } while (from !== undefined && !writer.isClosed());
}

// Writes the lines of an export: hashes and counts them, and signs the whole at the end.
export interface ExportSink {
  /** Resolves when the caller has taken the text. `lost` is the signal of a `FencedAction`. */
  write(text: string, lost?: AbortSignal): Promise<void>;
  isClosed(): boolean;
}

type ExportWriter = ReturnType<typeof createExportWriter>;

export function createExportWriter({ signer, records }: Pick<Tenant, "signer" | "records">, sink: ExportSink) {
  const digest = streamingDigest();
  const counts = new Map<ExportKind, number>();

  async function send(text: string, lost?: AbortSignal): Promise<void> {
    digest.update(Buffer.from(text));
    await sink.write(text, lost);
  }

  return {
    isClosed: sink.isClosed,
    header: (header: ExportHeader) => send(lineOf(header)),

    async records(page: readonly ExportRecord[], lost?: AbortSignal): Promise<void> {
      if (page.length === 0) return;
      for (const { kind } of page) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      await send(page.map(lineOf).join(""), lost);
    },

    async trailer(): Promise<void> {
      const signed = { counts: Object.fromEntries(counts), digest: digest.hex() };
      const { keyId, value } = await signer.signBytes(exportBytes(signed));
      const key = (await records.signingKeys.list()).find((each) => each.keyId === keyId);
      const publicKey = Buffer.from(key?.publicKey ?? []).toString("hex");
      await sink.write(lineOf({ portcullis: "end", ...signed, signature: { keyId, publicKey, value } }));
    },
  };
}

const lineOf = (value: object): string => `${JSON.stringify(value)}\n`;
