// Rows of sealed memories, and the names under which the secrets of their keys are kept.
import type { Seal } from "#core/memory.ts";
import type { WrappedKey } from "#ports.ts";

export const SECRET_NAMES = "sealing-secret:";

export const secretNameOf = (keyId: string): string => `${SECRET_NAMES}${keyId}`;

export function toSecrets(rows: readonly { readonly name: string; readonly value: Uint8Array }[]) {
  return new Map(rows.map(({ name, value }) => [name.slice(SECRET_NAMES.length), value]));
}

export type WrappedRow = Pick<WrappedKey, "memoryId"> & Seal;

export const toWrappedKeys = (rows: readonly WrappedRow[]): WrappedKey[] =>
  rows.map(({ memoryId, keyId, wrappedKey, factHash }) => ({ memoryId, seal: { keyId, wrappedKey, factHash } }));
