// Reads pure arguments as strictly as Sui does: BCS has one form for each value, and no bytes may follow it. The SDK is
// less strict. It ignores bytes after the end, and takes lengths in a longer form than necessary.

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

export const bool = exactly(readBool);
export const bytes = exactly(readBytes);
export const text = exactly(readText);
export const texts = exactly(readTexts);

function exactly<T>(read: Read<T>): PureReader<T> {
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

/** ULEB128. The limit on the size of arguments keeps every length within three bytes. */
function readLength(source: Source): number {
  let length = 0;
  for (let shift = 0; shift <= 14; shift += 7) {
    const [byte = 0] = take(source, 1);
    length |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      if (byte === 0 && shift > 0) throw new RangeError("a length in a longer form than necessary");
      return length;
    }
  }
  throw new RangeError("too long");
}
