// API keys: `portcullis_`, then in base62 the key's id, a secret of 192 bits, and a checksum, in the manner of GitHub's
// tokens. Secret scanners find a key by its prefix and its checksum. A mistyped key is refused before any look-up.

/** Of the random bytes that a key is made of. */
export const KEY_ID_BYTES = 8;
export const SECRET_BYTES = 24;

const PREFIX = "portcullis_";
const ID_PREFIX = "key_";
// The fewest digits that hold as many bits.
const ID_DIGITS = 11;
const SECRET_DIGITS = 33;
const CHECKSUM_DIGITS = 6;
const KEY = new RegExp(`^${PREFIX}([0-9A-Za-z]{${ID_DIGITS}})[0-9A-Za-z]{${SECRET_DIGITS + CHECKSUM_DIGITS}}$`);
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** The id of a key, such as `key_0Fk3…`. It is no secret. */
export const keyIdOf = (random: Uint8Array): string => ID_PREFIX + base62(numberOf(random), ID_DIGITS);

/** The text of a key, for its holder. */
export function formatApiKey(keyId: string, secret: Uint8Array): string {
  const body = PREFIX + keyId.slice(ID_PREFIX.length) + base62(numberOf(secret), SECRET_DIGITS);
  return body + checksum(body);
}

/** Whether a text is meant as a key. Nothing else that callers send begins so. */
export const looksLikeApiKey = (text: string): boolean => text.startsWith(PREFIX);

/** The id of the key that a text is; undefined when it is none. */
export function parseApiKey(text: string): string | undefined {
  const id = KEY.exec(text)?.[1];
  const body = text.slice(0, -CHECKSUM_DIGITS);
  if (id === undefined || checksum(body) !== text.slice(-CHECKSUM_DIGITS)) return undefined;
  return ID_PREFIX + id;
}

const checksum = (body: string): string => base62(BigInt(crc32(body)), CHECKSUM_DIGITS);

function numberOf(bytes: Uint8Array): bigint {
  return bytes.reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);
}

function base62(number: bigint, digits: number): string {
  let text = "";
  for (let rest = number; text.length < digits; rest /= 62n) text = DIGITS[Number(rest % 62n)] + text;
  return text;
}

/** CRC-32 as in ISO 3309, of ASCII text. It finds every change of a single character. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let i = 0; i < text.length; i++) {
    crc ^= text.charCodeAt(i);
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
