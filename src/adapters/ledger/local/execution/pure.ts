// Reads pure arguments as strictly as Sui does: BCS has one form for each value, and nothing may follow it. (The SDK
// leaves bytes behind the end alone, and takes lengths that are written longer than they need be.)

/** Undefined when the bytes are not exactly one value. */
export type PureReader<T> = (bytes: Uint8Array) => T | undefined;

type Read<T> = (source: Source) => T;

interface Source {
  readonly bytes: Uint8Array;
  at: number;
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const readBool: Read<boolean> = (source) => {
  const [byte = 2] = take(source, 1);
  if (byte > 1) throw new RangeError("neither true nor false");
  return byte === 1;
};
const readBytes: Read<Uint8Array> = (source) => take(source, readLength(source)).slice();
const readText: Read<string> = (source) => utf8.decode(take(source, readLength(source)));
const readTexts: Read<string[]> = (source) => Array.from({ length: readLength(source) }, () => readText(source));

export const bool = whole(readBool);
export const bytes = whole(readBytes);
export const text = whole(readText);
export const texts = whole(readTexts);

function whole<T>(read: Read<T>): PureReader<T> {
  return (bytes) => {
    const source = { bytes, at: 0 };
    try {
      const value = read(source);
      return source.at === bytes.length ? value : undefined;
    } catch {
      return undefined;
    }
  };
}

function take(source: Source, length: number): Uint8Array {
  const end = source.at + length;
  if (end > source.bytes.length) throw new RangeError("not enough bytes");
  const taken = source.bytes.subarray(source.at, end);
  source.at = end;
  return taken;
}

/** ULEB128. No argument is so long that it would take more than three bytes. */
function readLength(source: Source): number {
  let length = 0;
  for (let shift = 0; shift <= 14; shift += 7) {
    const [byte = 0] = take(source, 1);
    length |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      if (byte === 0 && shift > 0) throw new RangeError("a length that is written too long");
      return length;
    }
  }
  throw new RangeError("too long");
}
