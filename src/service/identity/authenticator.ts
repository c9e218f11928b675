import { OPEN, type Principal } from "#core/identity/principal.ts";

/** What a request brings to say who is calling. */
export interface Credentials {
  /** A key or a token, from `Authorization: Bearer`. */
  readonly bearer?: string | undefined;
  /** The id of a session, from its cookie. */
  readonly session?: string | undefined;
}

export interface Authenticator {
  /**
   * Who is calling. Rejects with `unauthenticated` for a bearer that does not hold: it never counts as none, and a session
   * does not stand in for it. A session that has ended counts as none.
   */
  identify(credentials: Credentials): Promise<Principal>;
}

/** No identity is configured: the service serves this machine only, and every caller is the admin. */
export const openAuthenticator: Authenticator = {
  identify: async () => OPEN,
};
