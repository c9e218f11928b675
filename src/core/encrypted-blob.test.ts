import { expect, test } from "vitest";
import { parseEncryptionKey } from "./encrypted-blob.ts";

const bytes = Uint8Array.from({ length: 32 }, (_, i) => 255 - i * 3);

test("a key is read from hex, base64 and base64url", () => {
  const buffer = Buffer.from(bytes);
  const texts = (["hex", "base64", "base64url"] as const).map((encoding) => buffer.toString(encoding));
  for (const text of [...texts, buffer.toString("hex").toUpperCase()]) expect(parseEncryptionKey(text)).toEqual(bytes);
});

test("what has another length or other characters is no key", () => {
  const hex = Buffer.from(bytes).toString("hex");
  const base64 = Buffer.from(bytes).toString("base64");
  for (const text of ["", "secret", hex.slice(1), `${hex}0`, base64.slice(2), `${base64}A`, `${base64.slice(0, 42)}!=`])
    expect(parseEncryptionKey(text)).toBeUndefined();
});
