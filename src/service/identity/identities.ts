import { forbidden } from "#core/identity/permissions.ts";

/** How callers say who they are. */
export interface Identities {
  /** With keys of this service, and sessions of its app. */
  readonly keys: boolean;
  /** With tokens of this issuer, for this audience. */
  readonly tokens?: { readonly issuer: string; readonly audience: string };
}

/** While everybody is an admin, nobody may make a key that would still be good when that ends. */
export function checkTakesKeys(identities: Identities | undefined): void {
  if (identities?.keys !== true) throw forbidden("This service takes no keys. The operator can set AUTH=keys.");
}
