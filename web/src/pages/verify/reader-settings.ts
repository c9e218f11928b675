// What the reader has decided, kept in this browser: a full node of their own, and the package, gate and keys that they
// trust. The service never learns of it.
import { orUndefined } from "#core/defined.ts";
import type { TrustedIds } from "#core/verify/observation.ts";
import { parseUrl } from "#web/lib/address.ts";
import { readStored, storeValue } from "#web/lib/storage.ts";

export interface ReaderSettings {
  readonly fullNode?: string | undefined;
  readonly trusted?: TrustedIds | undefined;
  /** Which logs and whose cosignatures, as text (C2SP tlog-policy). */
  readonly witnesses?: string | undefined;
}

/** One service may be at several paths of one origin. */
const storageKey = (basePath: string): string => `verify:${basePath}`;

export const readSettings = (basePath: string): ReaderSettings =>
  settingsFrom(orUndefined(() => JSON.parse(readStored(storageKey(basePath)) ?? "{}")));

export const writeSettings = (basePath: string, settings: ReaderSettings): void =>
  storeValue(storageKey(basePath), JSON.stringify(settings));

/** Nothing but what fits: storage is shared with every page of this origin. */
function settingsFrom(value: unknown): ReaderSettings {
  const { fullNode, trusted, witnesses } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const { packageId, gateId, keyIds } = (trusted ?? {}) as Readonly<Record<string, unknown>>;
  const node = typeof fullNode === "string" ? nodeUrl(fullNode) : undefined;
  const known = {
    ...(typeof packageId === "string" && { packageId }),
    ...(typeof gateId === "string" && { gateId }),
    ...(Array.isArray(keyIds) && { keyIds: keyIds.filter((keyId) => typeof keyId === "string") }),
  };
  return {
    ...(node !== undefined && { fullNode: node }),
    ...(typeof witnesses === "string" && { witnesses }),
    ...(Object.keys(known).length > 0 && { trusted: known }),
  };
}

/** The base URL of a full node, or undefined if the text is none. */
export function nodeUrl(text: string): string | undefined {
  const url = parseUrl(text.trim());
  return url !== undefined && /^https?:$/.test(url.protocol) ? url.href.replace(/\/$/, "") : undefined;
}
