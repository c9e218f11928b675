// What stays of a forgotten memory: that there was one, and who forgot it. No digest of the text: it would confirm guesses.
import { canonicalJson } from "./encoding/canonical-json.ts";

export interface Tombstone {
  readonly memoryId: string;
  readonly namespace: string;
  readonly cause: ForgetCause;
  /** In the words of whoever forgot it. */
  readonly reason?: string;
  readonly forgottenBy: string;
  readonly forgottenAt: string;
}

/** Somebody asked for it; its time was over; a reset; an open memory was captured again as an encrypted one. */
export const FORGET_CAUSES = ["forgotten", "expired", "reset", "encrypted"] as const;
export type ForgetCause = (typeof FORGET_CAUSES)[number];

export const LONGEST_REASON = 200;

const utf8 = new TextEncoder();
const SIGNED_PREFIX = "portcullis/tombstone/v1\0";

export function tombstoneBytes(tombstone: Tombstone): Uint8Array {
  const { cause, forgottenAt, forgottenBy, memoryId, namespace, reason } = tombstone;
  const signed = { cause, forgottenAt, forgottenBy, memoryId, namespace, reason };
  return utf8.encode(`${SIGNED_PREFIX}${canonicalJson(signed)}`);
}
