import type { Role } from "./role.ts";

/** Who is calling. */
export type Principal = Role & {
  /** Names the identity: a key's id, or the subject of a token. Limits and logs are kept by it. */
  readonly id: string;
  /** What the change log shows. */
  readonly name: string;
  /** What the caller showed. Absent without identities. */
  readonly credential?: Credential;
  /** Of an agent that an admin acts as (acting-as.ts): its `captures` do not count. */
  readonly capturesAnywhere?: true;
};

/** What a caller showed to say who they are. It holds no secret: hashes only. Streams are cut when it ends. */
export type Credential =
  | { readonly kind: "key"; readonly keyId: string; readonly keyHash: string }
  /** A session stands for the key that it was opened with. */
  | { readonly kind: "session"; readonly keyId: string; readonly keyHash: string; readonly sessionHash: string }
  | { readonly kind: "token"; readonly expiresAt: string };

/** The caller of a service without identities. It serves this machine only, and everybody on it is the admin. */
export const OPEN: Principal = { role: "admin", id: "open", name: "api" };

/** A caller who did not say who they are. */
export const ANONYMOUS: Principal = { role: "public", id: "anonymous", name: "anonymous" };
