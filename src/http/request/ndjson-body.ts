// Reads an NDJSON body line by line, as it comes. A line that does not fit is reported, and the next one is read.
import { orAfter } from "#async/with-deadline.ts";
import { NDJSON_TYPE } from "#contract/media-types.ts";
import { HttpError } from "#http/http-error.ts";
import { bodyTooSlow, parseJson } from "./json-body.ts";

const MEDIA_TYPE = /^application\/(?:x-)?ndjson\s*(?:;\s*charset="?utf-8"?\s*)?$/i;
const LINE_LIMIT = 64 * 1024;
/** How long the sender may be silent. */
export const IDLE_DEADLINE_MS = 60_000;
const LINE_FEED = 0x0a;

/** `line` counts from 1, empty lines included. */
export type ParsedLine<T> = { readonly line: number } & ({ readonly value: T } | { readonly error: unknown });

interface LineFormat {
  /** Gives the value of a line, or throws. */
  readonly check: (json: unknown) => unknown;
  readonly maxLines: number;
}

/** The lines of the body, without the empty ones. Lines beyond `maxLines` are not read; one error says so. */
export function readNdjson(request: Request, format: LineFormat): AsyncIterable<ParsedLine<unknown>> {
  if (!isNdjson(request)) {
    throw new HttpError("unsupported-media-type", `Send one JSON object a line, with Content-Type: ${NDJSON_TYPE}.`);
  }
  if (request.body === null) throw new HttpError("malformed-json", "The body is empty; send one fact a line.");
  return parsedLines(request.body, format);
}

export const isNdjson = (request: Request): boolean => MEDIA_TYPE.test(request.headers.get("content-type") ?? "");

async function* parsedLines(
  body: ReadableStream<Uint8Array>,
  { check, maxLines }: LineFormat,
): AsyncGenerator<ParsedLine<unknown>> {
  for await (const line of linesOf(body)) {
    if (line.line > maxLines) {
      const message = `An import takes at most ${maxLines.toLocaleString("en")} lines; send the rest in another.`;
      yield { line: line.line, error: new HttpError("body-too-large", message) };
      return;
    }
    if (line.bytes === undefined || line.bytes.some(isNoSpace)) yield parsed(line, check);
  }
}

/** JSON's white space, apart from the line feed. */
const isNoSpace = (byte: number): boolean => byte !== 0x20 && byte !== 0x09 && byte !== 0x0d;

function parsed({ line, bytes }: Line, check: LineFormat["check"]): ParsedLine<unknown> {
  try {
    if (bytes === undefined) throw new HttpError("body-too-large", "A line may have at most 64 KiB.");
    return { line, value: check(parseJson(bytes)) };
  } catch (error) {
    const isMalformed = error instanceof HttpError && error.code === "malformed-json";
    return { line, error: isMalformed ? new HttpError(error.code, `Line ${line} is not valid JSON.`) : error };
  }
}

interface Line {
  readonly line: number;
  /** Undefined when the line is longer than the limit: its bytes were dropped as they came. */
  readonly bytes: Uint8Array | undefined;
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Line> {
  const reader = body.getReader();
  let [line, size] = [1, 0];
  let chunks: Uint8Array[] = [];

  function append(chunk: Uint8Array): void {
    size += chunk.length;
    if (size > LINE_LIMIT) chunks = [];
    else chunks.push(chunk);
  }

  function finish(): Line {
    const finished = { line, bytes: size > LINE_LIMIT ? undefined : Buffer.concat(chunks) };
    [line, size, chunks] = [line + 1, 0, []];
    return finished;
  }

  try {
    for (;;) {
      const read = await orAfter(IDLE_DEADLINE_MS, reader.read(), undefined);
      if (read === undefined) throw bodyTooSlow();
      if (read.done) break;
      const { value } = read;
      let from = 0;
      for (let to = value.indexOf(LINE_FEED); to !== -1; to = value.indexOf(LINE_FEED, from)) {
        append(value.subarray(from, to));
        yield finish();
        from = to + 1;
      }
      append(value.subarray(from));
    }
    if (size > 0) yield finish();
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
