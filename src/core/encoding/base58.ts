// Base58 with Bitcoin's alphabet, in which Sui writes digests.
const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BASE = 58n;

export function base58(bytes: Uint8Array): string {
  let value = bytes.reduce((number, byte) => number * 256n + BigInt(byte), 0n);
  let digits = "";
  for (; value > 0n; value /= BASE) digits = ALPHABET.charAt(Number(value % BASE)) + digits;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return "1".repeat(zeros === -1 ? bytes.length : zeros) + digits;
}
