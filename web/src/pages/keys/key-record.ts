import type { Reply } from "#contract/routes.ts";
import { parseRole } from "#core/identity/role.ts";
import { roleInWords } from "#web/session/role-text.ts";

export type IssuedKey = Reply<"createKey">;
export type KeyRecord = IssuedKey["record"];

export type KeyState = "active" | "expired" | "revoked";

export function stateOf({ revokedAt, expiresAt }: KeyRecord, now = Date.now()): KeyState {
  if (revokedAt !== undefined) return "revoked";
  return expiresAt !== undefined && Date.parse(expiresAt) <= now ? "expired" : "active";
}

/** The role in words; as it was recorded when a later version wrote it. */
export function roleOf({ role, captures }: KeyRecord): string {
  try {
    return roleInWords(parseRole(role, captures));
  } catch {
    return role;
  }
}
