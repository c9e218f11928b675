// Writes the lines of an export: hashes and counts them, and signs the whole at the end.
import { streamingDigest } from "#core/encoding/digest.ts";
import { type ExportHeader, type ExportKind, type ExportRecord, exportBytes } from "#core/transfer/export-format.ts";
import type { Deps } from "#service/deps.ts";

/** Where the text of an export goes. */
export interface ExportSink {
  /** Resolves when the caller has taken the text. `lost` is the signal of a `FencedAction`. */
  write(text: string, lost?: AbortSignal): Promise<void>;
  /** The caller is gone. */
  isClosed(): boolean;
}

export type ExportWriter = ReturnType<typeof createExportWriter>;

export function createExportWriter({ signer, records }: Pick<Deps, "signer" | "records">, sink: ExportSink) {
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
