const KEY_BYTES = 32;

/** A key of 32 bytes, written as 64 hex digits or as base64. Undefined when it is not one. */
export function parseSealKey(text: string): Uint8Array | undefined {
  if (/^[0-9a-f]{64}$/i.test(text))
    return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  if (!/^[\w+/-]{43}=?$/.test(text)) return undefined;
  const base64 = text.replaceAll("-", "+").replaceAll("_", "/").replace("=", "");
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  return bytes.length === KEY_BYTES ? bytes : undefined;
}
