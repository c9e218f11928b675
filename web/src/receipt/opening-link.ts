// An opening in an address: base64url of the raw DEFLATE (RFC 1951) of its canonical JSON. It stands in the fragment,
// which browsers send to no server.
import { LARGEST_OPENING, type OpeningDocument, openingText } from "#core/receipt/opening.ts";
import { AGENT, ANSWER, BLOCKED, FILTERS, PROMPT, QUESTION } from "#core/receipt/sealed-form.ts";

export async function writeFragment(opening: OpeningDocument): Promise<string> {
  const bytes = new TextEncoder().encode(openingText(opening));
  const packed = await readAll(through(bytes, new CompressionStream("deflate-raw")), Number.POSITIVE_INFINITY);
  const characters = Array.from(packed, (byte) => String.fromCharCode(byte));
  return btoa(characters.join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * The text of the opening in a fragment. One that cannot be read gives the empty text, which is no opening. No more is
 * unpacked than it takes to see that an opening is too large.
 */
export async function readFragment(fragment: string): Promise<string> {
  if (!/^[A-Za-z0-9_-]+$/.test(fragment)) return "";
  try {
    const packed = Uint8Array.from(atob(fragment.replaceAll("-", "+").replaceAll("_", "/")), (char) =>
      char.charCodeAt(0),
    );
    const bytes = await readAll(through(packed, new DecompressionStream("deflate-raw")), LARGEST_OPENING + 1);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return "";
  }
}

type Codec = CompressionStream | DecompressionStream;

const through = (bytes: Uint8Array<ArrayBuffer>, codec: Codec): ReadableStream<Uint8Array<ArrayBuffer>> =>
  new Blob([bytes]).stream().pipeThrough(codec as unknown as TransformStream<Uint8Array, Uint8Array<ArrayBuffer>>);

async function readAll(stream: ReadableStream<Uint8Array<ArrayBuffer>>, limit: number): Promise<Uint8Array> {
  const reader = stream.getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  while (length < limit) {
    const { done, value } = await reader.read();
    if (done) break;
    pieces.push(value);
    length += value.length;
  }
  // A cut text would not be UTF-8 any more, so the rest of its last piece stays.
  if (length >= limit) await reader.cancel();
  return new Uint8Array(await new Blob(pieces).arrayBuffer());
}

const NAMES: ReadonlyMap<string, string> = new Map([
  [AGENT, "Agent"],
  [BLOCKED, "Closed namespaces"],
  [QUESTION, "Question"],
  [FILTERS, "Filters"],
  [PROMPT, "Prompt"],
  [ANSWER, "Answer"],
]);

export function fieldName(path: string): readonly [name: string, part?: string] {
  const [, index, part] = /^\/usedMemories\/(\d+)\/(\w+)$/.exec(path) ?? [];
  if (index === undefined) return [NAMES.get(path) ?? path];
  return [`Memory ${Number(index) + 1}`, part === "snippet" ? "text" : "source and digest"];
}
