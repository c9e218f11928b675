// Reads bodies: JSON, NDJSON line by line, and a long body as it comes. Size, depth and time are bounded.

import { orAfter } from "#async/with-deadline.ts";
import { NDJSON_TYPE } from "#contract/media-types.ts";
import { depthOf, MOST_DEPTH } from "#core/encoding/json-depth.ts";
import { type Line, linesOf } from "#core/encoding/lines.ts";
import { readUpTo } from "#core/encoding/read-up-to.ts";
import { HttpError } from "#http/http-error.ts";

export const BODY_LIMIT = 64 * 1024;
/** For the whole body. A connection that needs longer for some kilobytes is not worth serving. */
const BODY_DEADLINE_MS = 30_000;
const utf8 = new TextDecoder("utf-8", { fatal: true });
const JSON_MEDIA_TYPE = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

/** The JSON value of the request's body; undefined for an empty body that may be left out. */
export async function readJson(
  request: Request,
  { optional = false, limit = BODY_LIMIT }: { readonly optional?: boolean; readonly limit?: number | undefined } = {},
): Promise<unknown> {
  const bytes = await orAfter(BODY_DEADLINE_MS, readBounded(request, limit).catch(bodyBrokeOff), undefined);
  if (bytes === undefined) throw bodyTooSlow();
  if (bytes.byteLength === 0 && optional) return undefined;
  if (bytes.byteLength === 0) throw new HttpError("malformed-json", "The body is empty; send a JSON object.");
  if (!JSON_MEDIA_TYPE.test(request.headers.get("content-type") ?? "")) {
    throw new HttpError("unsupported-media-type", "Send the body as JSON, with Content-Type: application/json.");
  }
  return parseJson(bytes);
}
function parseJson(bytes: ArrayBuffer | Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  if (depthOf(text) > MOST_DEPTH) {
    throw new HttpError("nesting-too-deep", `Objects and arrays may be nested at most ${MOST_DEPTH} deep.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the body, so the new error has neither that message nor a cause.
    throw new HttpError("malformed-json", "The body is not valid JSON.");
  }
}

const bodyTooSlow = (): HttpError => new HttpError("malformed-http", "The body took too long.");

async function readBounded(request: Request, limit: number): Promise<ArrayBuffer | Uint8Array> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > limit) throw tooLarge(limit);
  // The HTTP parser ends the body at the declared length.
  if (declared !== null) return request.arrayBuffer();
  const bytes = await readUpTo(limit, request.body);
  if (bytes === undefined) throw tooLarge(limit);
  return bytes;
}

function bodyBrokeOff(error: unknown): never {
  if (error instanceof HttpError) throw error;
  throw new HttpError("malformed-http", "The body broke off before its end. Send it again.", { cause: error });
}

const tooLarge = (limit: number): HttpError =>
  new HttpError("body-too-large", `The body may have at most ${limit / 1024} KiB.`);

function decodeUtf8(bytes: ArrayBuffer | Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new HttpError("malformed-json", "The body is not UTF-8.", { cause });
  }
}

// NDJSON. A line that does not fit is reported, and the next one is read.

const NDJSON_MEDIA_TYPE = /^application\/(?:x-)?ndjson\s*(?:;\s*charset="?utf-8"?\s*)?$/i;
const LINE_LIMIT = 64 * 1024;
/** How long the sender may be silent. */
const IDLE_DEADLINE_MS = 60_000;
/** How long all silences together may be, beyond those of a line of 1 Mbit/s: a body that trickles holds a place. */
const PATIENCE_MS = 30 * 60_000;
const BYTES_A_MS = 125;

/** `line` counts from 1, empty lines included. */
export type ParsedLine<T> = { readonly line: number } & ({ readonly value: T } | { readonly error: unknown });

interface LineFormat {
  /** Gives the value of a line, or throws. */
  readonly check: (json: unknown) => unknown;
  readonly maxLines: number;
}

/** The body of an NDJSON request as it comes, for one that is too long to be held. `what` is to be sent. */
export function readBodyChunks(request: Request, what = "an export"): AsyncIterable<Uint8Array> {
  if (!NDJSON_MEDIA_TYPE.test(request.headers.get("content-type") ?? ""))
    throw new HttpError("unsupported-media-type", `Send ${what}, with Content-Type: ${NDJSON_TYPE}.`);
  if (request.body === null) throw new HttpError("malformed-json", `The body is empty. Send ${what}.`);
  return chunksOf(request.body);
}

/** The lines of the body, without the empty ones. Lines beyond `maxLines` are not read; one error says so. */
export const readNdjson = (request: Request, format: LineFormat): AsyncIterable<ParsedLine<unknown>> =>
  parsedLines(readBodyChunks(request, "one JSON object a line"), format);

async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  let patience = PATIENCE_MS;
  try {
    for (;;) {
      const asked = performance.now();
      const read = await orAfter(Math.min(IDLE_DEADLINE_MS, patience), reader.read(), undefined);
      if (read === undefined) throw bodyTooSlow();
      if (read.done) return;
      patience += read.value.length / BYTES_A_MS - (performance.now() - asked);
      patience = Math.min(patience, PATIENCE_MS);
      yield read.value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

async function* parsedLines(
  chunks: AsyncIterable<Uint8Array>,
  { check, maxLines }: LineFormat,
): AsyncGenerator<ParsedLine<unknown>> {
  for await (const line of linesOf(chunks, LINE_LIMIT)) {
    if (line.number > maxLines) {
      const message = `An import takes at most ${maxLines.toLocaleString("en")} lines. Send the rest in another.`;
      yield { line: line.number, error: new HttpError("body-too-large", message) };
      return;
    }
    if (line.bytes === undefined || line.bytes.some(isNoSpace)) yield parsed(line, check);
  }
}

/** JSON's white space, apart from the line feed. */
const isNoSpace = (byte: number): boolean => byte !== 0x20 && byte !== 0x09 && byte !== 0x0d;

function parsed({ number: line, bytes }: Line, check: LineFormat["check"]): ParsedLine<unknown> {
  try {
    if (bytes === undefined) throw new HttpError("body-too-large", "A line may have at most 64 KiB.");
    return { line, value: check(parseJson(bytes)) };
  } catch (error) {
    const isMalformed = error instanceof HttpError && error.code === "malformed-json";
    return { line, error: isMalformed ? new HttpError(error.code, `Line ${line} is not valid JSON.`) : error };
  }
}
