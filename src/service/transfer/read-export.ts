// Reads an export that is spooled. Its shape, digest and signature are checked before anything of it is used.
import { getOrInsert } from "#core/collections/get-or-insert.ts";
import { orUndefined } from "#core/defined.ts";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { streamingDigest } from "#core/encoding/digest.ts";
import { depthOf, MOST_DEPTH } from "#core/encoding/json-depth.ts";
import { type Line, linesOf } from "#core/encoding/lines.ts";
import { PortcullisError } from "#core/errors.ts";
import { isSignatureBy, keyIdOf } from "#core/receipt/signature.ts";
import * as format from "#core/transfer/export-format.ts";
import { keysFault, recordFault } from "#core/transfer/record-faults.ts";
import type { SpoolFile } from "#ports.ts";

/** Each gives the line, or what is wrong with a value that is no such line. */
export interface ExportReader {
  header(value: unknown): ReadLine<format.ExportHeader>;
  record(value: unknown): ReadLine<format.ExportRecord>;
  trailer(value: unknown): ReadLine<format.ExportTrailer>;
}

interface ReadLine<T> {
  readonly data?: T | undefined;
  readonly faults?: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[] | undefined;
}

/** Memories that are history are a section of their own. */
export type Section = format.ExportKind | "history";

export interface Chunk {
  readonly offset: number;
  readonly length: number;
  readonly lines: number;
}

export interface CheckedExport {
  readonly header: format.ExportHeader;
  readonly sections: ReadonlyMap<Section, readonly Chunk[]>;
  readonly total: number;
}

/** One chunk is one transaction, and SQLite blocks the process meanwhile. */
const CHUNK_LINES = 100;
const CHUNK_BYTES = 256 * 1024;

/** `isTrusted` says whether a key may have signed it. */
export async function checkExport(
  file: SpoolFile,
  reader: ExportReader,
  isTrusted: (keyId: string) => boolean,
): Promise<CheckedExport> {
  const digest = streamingDigest();
  const sections = new Map<Section, Chunk[]>();
  const counts = new Map<format.ExportKind, number>();
  let header: format.ExportHeader | undefined;
  let total = 0;
  let last: WholeLine | undefined;

  /** Every line but the last one, which must be the trailer. */
  function take(line: WholeLine): void {
    digest.update(line.bytes);
    digest.update(LINE_FEED);
    if (header === undefined) {
      const { data, faults } = reader.header(jsonOf(line));
      const fault = data && keysFault(data.keys);
      if (data === undefined || fault) throw damaged(line, "is not the header of an export", fault ? [fault] : faults);
      header = data;
      return;
    }
    const { data: record, faults } = reader.record(jsonOf(line));
    if (record === undefined) throw damaged(line, "is not a record of an export", faults);
    if (record.kind === "memory" && record.memory.encrypted && record.memory.encryption === undefined)
      throw new PortcullisError("export-not-importable", OPENED);
    const fault = recordFault(record);
    if (fault !== undefined) throw damaged(line, "is not a record of an export", [fault]);
    counts.set(record.kind, (counts.get(record.kind) ?? 0) + 1);
    total += 1;
    appendTo(sections, sectionOf(record), line);
  }

  for await (const line of wholeLines(file)) {
    if (last !== undefined) take(last);
    last = line;
  }
  const trailer = last && reader.trailer(jsonOf(last)).data;
  if (header === undefined || trailer === undefined) throw new PortcullisError("export-incomplete", INCOMPLETE);
  checkTrailer(trailer, { digest: digest.hex(), counts: Object.fromEntries(counts) }, isTrusted);
  return { header, sections, total };
}

const OPENED =
  "The export holds encrypted memories as plain text, for somebody to read. Import an admin's export that was made without decrypt=true.";
const INCOMPLETE = "The file has no trailer: it is no export, or is incomplete. Export again.";

function checkTrailer(
  trailer: format.ExportTrailer,
  found: { readonly digest: string; readonly counts: format.ExportCounts },
  isTrusted: (keyId: string) => boolean,
): void {
  const { keyId, value } = trailer.signature;
  const publicKey = Buffer.from(trailer.signature.publicKey, "hex");
  const isKey = keyIdOf(publicKey) === keyId;
  const isSame = trailer.digest === found.digest && canonicalJson(trailer.counts) === canonicalJson(found.counts);
  if (!isSame || !isKey || !isSignatureBy(value, format.exportBytes(trailer), publicKey))
    throw new PortcullisError("export-damaged", "The export was changed after it was signed. Nothing was recorded.");
  if (isTrusted(keyId)) return;
  const message = `The export was signed with the key ${keyId}, which this service does not know. If that is the key of the service that you exported from, name it: --trust-key ${keyId}, or ?key=${keyId}.`;
  throw new PortcullisError("export-key-unknown", message);
}

function sectionOf(record: format.ExportRecord): Section {
  return record.kind === "memory" && record.memory.supersededBy !== undefined ? "history" : record.kind;
}

function appendTo(sections: Map<Section, Chunk[]>, section: Section, { offset, bytes }: WholeLine): void {
  const length = bytes.length + LINE_FEED.length;
  const chunks = getOrInsert(sections, section, () => []);
  const open = chunks.at(-1);
  const isNext = open !== undefined && open.offset + open.length === offset;
  if (isNext && open.lines < CHUNK_LINES && open.length < CHUNK_BYTES)
    chunks[chunks.length - 1] = { ...open, length: open.length + length, lines: open.lines + 1 };
  else chunks.push({ offset, length, lines: 1 });
}

/** The records of a chunk. They were checked before, and the check changes nothing of them. */
export async function recordsIn(file: SpoolFile, chunk: Chunk): Promise<format.ExportRecord[]> {
  const lines = Buffer.from(await file.read(chunk))
    .toString("utf8")
    .split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}

function jsonOf({ bytes }: WholeLine): unknown {
  const text = Buffer.from(bytes).toString("utf8");
  return depthOf(text) > MOST_DEPTH ? undefined : orUndefined(() => JSON.parse(text));
}

function damaged(
  { number }: Pick<Line, "number">,
  what: string,
  [fault]: ReadLine<unknown>["faults"] = [],
): PortcullisError {
  const why = fault === undefined ? "" : `: ${fault.path.join(".") || "it"} ${fault.message}`;
  return new PortcullisError("export-damaged", `Line ${number} ${what}${why}. Nothing was recorded.`);
}

const LINE_FEED = Buffer.from("\n");
/** Lines of one block are checked without a pause. */
const BLOCK = 64 * 1024;
/** An anchored receipt is the longest record. */
const LONGEST_LINE = 8 * 1024 * 1024;

type WholeLine = Line & { readonly bytes: Uint8Array };

async function* wholeLines(file: SpoolFile): AsyncGenerator<WholeLine> {
  for await (const { bytes, ...line } of linesOf(blocksOf(file), LONGEST_LINE)) {
    if (bytes === undefined) throw damaged(line, "is too long for an export");
    yield { ...line, bytes };
  }
}

async function* blocksOf(file: SpoolFile): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < file.size(); offset += BLOCK) yield file.read({ offset, length: BLOCK });
}
