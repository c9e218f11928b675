// Decoder of BCS, the binary format of Sui, for the types that receipts, gates and their envelopes have. It is strict: it refuses a length that is
// not in its shortest form, and bytes after the end.
import { bytesToHex } from "@noble/hashes/utils.js";
import { orUndefined } from "#core/defined.ts";

const ADDRESS_BYTES = 32;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export type BcsReader = ReturnType<typeof bcsReader>;

/** What `read` makes of all of the bytes. Undefined if it throws, or leaves some. */
export function decoded<T>(source: Uint8Array, read: (reader: BcsReader) => T): T | undefined {
  return orUndefined(() => {
    const reader = bcsReader(source);
    const value = read(reader);
    reader.end();
    return value;
  });
}

function bcsReader(source: Uint8Array) {
  let at = 0;

  function take(length: number): Uint8Array {
    if (length > source.length - at) throw new Error("the bytes end too early");
    at += length;
    return source.subarray(at - length, at);
  }
  const byte = (): number => take(1)[0] as number;

  /** ULEB128, up to 32 bits, in its shortest form. */
  function length(): number {
    let value = 0;
    for (let factor = 1; factor <= 2 ** 28; factor *= 128) {
      const next = byte();
      value += (next % 128) * factor;
      if (next >= 128) continue;
      if ((next === 0 && factor > 1) || value > 0xffff_ffff) break;
      return value;
    }
    throw new Error("not a length");
  }

  return {
    /** Of a vector; an enum's variant has the same form. */
    length,
    /** Hex, with 0x. */
    address: (): string => `0x${bytesToHex(take(ADDRESS_BYTES))}`,
    bool(): boolean {
      const value = byte();
      if (value > 1) throw new Error("not a boolean");
      return value === 1;
    },
    u64: (): bigint => take(8).reduceRight((value, next) => value * 256n + BigInt(next), 0n),
    bytes: (): Uint8Array => take(length()),
    string: (): string => utf8.decode(take(length())),
    // Elements are decoded one by one, so a length that exceeds the bytes fails at the last byte and allocates nothing.
    vector<T>(element: () => T, atMost = Number.POSITIVE_INFINITY): T[] {
      const list = [];
      const count = length();
      if (count > atMost) throw new Error("a vector that is too long");
      for (let left = count; left > 0; left--) list.push(element());
      return list;
    },
    end(): void {
      if (at !== source.length) throw new Error("bytes are left");
    },
  };
}
