// Reads a JSON body. Its size, its depth and the time it takes are bounded, and it must be UTF-8.
import { orAfter } from "#async/with-deadline.ts";
import { HttpError } from "#http/http-error.ts";

const BODY_LIMIT = 64 * 1024;
const MAX_DEPTH = 32;
/** For the whole body. A connection that needs longer for some kilobytes is not worth serving. */
const BODY_DEADLINE_MS = 30_000;
const utf8 = new TextDecoder("utf-8", { fatal: true });
const MEDIA_TYPE = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

/** The JSON value of the request's body; undefined for an empty body that may be left out. */
export async function readJson(
  request: Request,
  { optional = false, limit = BODY_LIMIT }: { readonly optional?: boolean; readonly limit?: number | undefined } = {},
): Promise<unknown> {
  const bytes = await orAfter(BODY_DEADLINE_MS, readBounded(request, limit).catch(bodyBrokeOff), undefined);
  if (bytes === undefined) throw bodyTooSlow();
  if (bytes.byteLength === 0 && optional) return undefined;
  if (bytes.byteLength === 0) throw new HttpError("malformed-json", "The body is empty; send a JSON object.");
  if (!MEDIA_TYPE.test(request.headers.get("content-type") ?? "")) {
    throw new HttpError("unsupported-media-type", "Send the body as JSON, with Content-Type: application/json.");
  }
  return parseJson(bytes);
}

/** Parses UTF-8 bytes as JSON. */
export function parseJson(bytes: ArrayBuffer | Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  if (depthOf(text) > MAX_DEPTH) {
    throw new HttpError("nesting-too-deep", `Objects and arrays may be nested at most ${MAX_DEPTH} deep.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the body, so the new error has neither that message nor a cause.
    throw new HttpError("malformed-json", "The body is not valid JSON.");
  }
}

export function bodyTooSlow(): HttpError {
  return new HttpError("malformed-http", "The body takes too long.");
}

async function readBounded(request: Request, limit: number): Promise<ArrayBuffer | Uint8Array> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > limit) throw tooLarge(limit);
  // The HTTP parser ends the body at the declared length.
  if (declared !== null) return request.arrayBuffer();
  if (request.body === null) return new Uint8Array();

  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > limit) throw tooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function bodyBrokeOff(error: unknown): never {
  if (error instanceof HttpError) throw error;
  throw new HttpError("malformed-http", "The body broke off before its end.", { cause: error });
}

function tooLarge(limit: number): HttpError {
  return new HttpError("body-too-large", `The body may have at most ${limit / 1024} KiB.`);
}

function decodeUtf8(bytes: ArrayBuffer | Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch (cause) {
    throw new HttpError("malformed-json", "The body is not UTF-8.", { cause });
  }
}

/** How deep the brackets outside strings are nested. Measured before parsing, so that no code recurses into a hostile body. */
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
