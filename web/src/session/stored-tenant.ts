// The tenant that somebody chose to act in, kept in this browser for all its tabs, as the session is.
import { TENANT_ID } from "#core/identity/tenant.ts";
import { BASE_PATH } from "#web/lib/address.ts";

/** One service may be at several paths of one origin. */
const STORAGE_KEY = `tenant:${BASE_PATH}`;

/** Undefined if nobody chose one, or if something else is in its place: storage is shared with every page of the origin. */
export function storedTenant(): string | undefined {
  try {
    const stored = localStorage.getItem(STORAGE_KEY);
    return stored !== null && TENANT_ID.test(stored) ? stored : undefined;
  } catch {
    return undefined;
  }
}

export function storeTenant(tenant: string | undefined): void {
  try {
    if (tenant === undefined) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, tenant);
  } catch {
    // The browser refuses storage: the choice lasts until the page is closed.
  }
}
