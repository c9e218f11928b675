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

/** Somebody asked for it; its time was over; a reset; an open memory was captured again as a sealed one. */
export type ForgetCause = "forgotten" | "expired" | "reset" | "sealed";

/** In UTF-16 code units. */
export const LONGEST_REASON = 200;

const utf8 = new TextEncoder();
const SIGNED_PREFIX = "portcullis/tombstone/v1\0";

/** The bytes that the service signs. */
export function tombstoneBytes({
  memoryId,
  namespace,
  cause,
  reason,
  forgottenBy,
  forgottenAt,
}: Tombstone): Uint8Array {
  const signed = { cause, forgottenAt, forgottenBy, memoryId, namespace, ...(reason !== undefined && { reason }) };
  return utf8.encode(`${SIGNED_PREFIX}${canonicalJson(signed)}`);
}
