import type { Role } from "./role.ts";

/** Who is calling. */
export type Principal = Role & {
  /** Names the identity: a key's id, or the subject of a token. Limits and logs are kept by it. */
  readonly id: string;
  /** What the change log shows. */
  readonly name: string;
};

/** The caller of a service without identities. It serves this machine only, and everybody on it is the admin. */
export const OPEN: Principal = { role: "admin", id: "open", name: "api" };

/** A caller who did not say who they are. */
export const ANONYMOUS: Principal = { role: "public", id: "anonymous", name: "anonymous" };
