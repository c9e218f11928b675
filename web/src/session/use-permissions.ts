import { type Permissions, permissionsOf } from "./permissions.ts";
import { type Session, useSessionState } from "./session.ts";

/** Derived once for each session: a page may have hundreds of links that ask. */
const derived = new WeakMap<Session, Permissions>();
const OF_NOBODY = permissionsOf(undefined);

export function usePermissions(): Permissions {
  const { session } = useSessionState();
  if (session === undefined) return OF_NOBODY;
  const permissions = derived.get(session) ?? permissionsOf(session);
  derived.set(session, permissions);
  return permissions;
}
