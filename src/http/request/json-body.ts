// Bytes from outside to a JSON value: bounded in size and depth, UTF-8, JSON and nothing else.
import { HttpError } from "#http/http-error.ts";
import { inTime } from "./in-time.ts";

const BODY_LIMIT = 64 * 1024;
const DEEPEST = 32;
/** A body of this size takes no longer over any line that is worth serving. */
const PATIENCE_MS = 30_000;
const JSON_TYPE = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

/** The JSON value of the request's body; undefined when there is no body and there need not be one. */
export async function readJson(request: Request, { optional = false } = {}): Promise<unknown> {
  const bytes = await inTime(readBounded(request), PATIENCE_MS).catch(brokenOff);
  if (bytes.byteLength === 0 && optional) return undefined;
  if (bytes.byteLength === 0) throw new HttpError("malformed-json", "The body is empty; send a JSON object.");
  if (!JSON_TYPE.test(request.headers.get("content-type") ?? "")) {
    throw new HttpError("unsupported-media-type", "Send the body as JSON, with Content-Type: application/json.");
  }
  return parseJson(bytes);
}

/** The value that the bytes are the JSON of. */
export function parseJson(bytes: ArrayBuffer | Uint8Array): unknown {
  return parse(decode(bytes));
}

async function readBounded(request: Request): Promise<ArrayBuffer | Uint8Array> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > BODY_LIMIT) throw tooLarge();
  // With a declared length, the HTTP parser lets no more than that through.
  if (declared !== null) return request.arrayBuffer();
  if (request.body === null) return new Uint8Array();

  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > BODY_LIMIT) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function brokenOff(error: unknown): never {
  if (error instanceof HttpError) throw error;
  throw new HttpError("malformed-http", "The body broke off before its end.", { cause: error });
}

function tooLarge(): HttpError {
  return new HttpError("body-too-large", `The body may have at most ${BODY_LIMIT / 1024} KiB.`);
}

function decode(bytes: ArrayBuffer | Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new HttpError("malformed-json", "The body is not UTF-8.", { cause });
  }
}

function parse(text: string): unknown {
  if (depthOf(text) > DEEPEST) {
    throw new HttpError("nesting-too-deep", `Objects and arrays may be nested at most ${DEEPEST} deep.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the body, so neither it nor the cause goes any further.
    throw new HttpError("malformed-json", "The body is not well-formed JSON.");
  }
}

/** How deep the brackets go, strings left aside; found before parsing, so that nothing recurses into a hostile body. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (inString) {
      if (character === BACKSLASH) i++;
      else if (character === QUOTE) inString = false;
    } else if (character === QUOTE) inString = true;
    else if (character === OPEN_BRACE || character === OPEN_BRACKET) deepest = Math.max(deepest, ++depth);
    else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) depth--;
  }
  return deepest;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
