// Positions in the logs, for callers who must not count what happens elsewhere: a sequence counts the events of all
// agents. So a position is one block of AES under a key that all replicas share. It also holds a time: a position
// expires by its own age, and not because newer events displaced it, which would tell that there were any.
import { createCipheriv, createDecipheriv, randomInt } from "node:crypto";
import type { WriteOnceValues } from "#ports.ts";
import { sharedSecret } from "./ids.ts";

export interface Position {
  readonly sequence: number;
  readonly atMs: number;
}

export type OpaquePositions = ReturnType<typeof positionsWith>;

const LOGS = { events: 1, decisions: 2 } as const;
type LogName = keyof typeof LOGS;
const BLOCK = 16;
/** Where the parts of a block begin: the log, three zeros, the time in seconds, the sequence, a random byte. */
const [TIME, SEQUENCE, NONCE] = [4, 9, 15];

export function opaquePositions(values: WriteOnceValues): () => Promise<OpaquePositions> {
  const key = sharedSecret(values, "position-key", BLOCK);
  return async () => positionsWith(await key());
}

export function positionsWith(key: Uint8Array) {
  return {
    /** A new text each time, also for the same position. */
    encode(log: LogName, { sequence, atMs }: Position): string {
      const block = Buffer.alloc(BLOCK);
      block.writeUInt8(LOGS[log]);
      block.writeUIntBE(Math.max(0, Math.floor(atMs / 1_000)), TIME, SEQUENCE - TIME);
      block.writeUIntBE(sequence, SEQUENCE, NONCE - SEQUENCE);
      block.writeUInt8(randomInt(256), NONCE);
      const cipher = createCipheriv("aes-128-ecb", key, null).setAutoPadding(false);
      return Buffer.concat([cipher.update(block), cipher.final()]).toString("base64url");
    },
    /** Undefined for a text that no replica made for this log. */
    decode(log: LogName, text: string): Position | undefined {
      if (!/^[\w-]{22}$/.test(text)) return undefined;
      const decipher = createDecipheriv("aes-128-ecb", key, null).setAutoPadding(false);
      const block = Buffer.concat([decipher.update(Buffer.from(text, "base64url")), decipher.final()]);
      if (block.readUInt32BE() !== LOGS[log] * 2 ** 24) return undefined;
      return {
        atMs: block.readUIntBE(TIME, SEQUENCE - TIME) * 1_000,
        sequence: block.readUIntBE(SEQUENCE, NONCE - SEQUENCE),
      };
    },
  };
}
