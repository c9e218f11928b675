// Tells callers by their key, by a session that was opened with a key, or by a token of the identity provider. The
// records are read for every request, so that a key which was revoked on any replica is refused from then on.
import { PortcullisError } from "#core/errors.ts";
import { looksLikeApiKey, parseApiKey } from "#core/identity/api-key.ts";
import { ANONYMOUS, type Credential, type Principal } from "#core/identity/principal.ts";
import { parseRole } from "#core/identity/role.ts";
import type { KeyRecords, SessionRecords, StoredKey, TokenVerifier } from "#ports.ts";
import type { Authenticator } from "./authenticator.ts";
import { hashOf } from "./key-hash.ts";
import { accepts } from "./key-validity.ts";
import { lastUseWriter } from "./last-use.ts";
import { principalOfToken } from "./token-principal.ts";

export interface AuthenticatorParts {
  readonly records: { readonly keys: KeyRecords; readonly sessions: SessionRecords };
  /** Whether keys are taken, and sessions with them. */
  readonly keys: boolean;
  /** Absent when no identity provider is configured. */
  readonly tokens?: TokenVerifier | undefined;
  readonly now: () => Date;
}

export function createAuthenticator({ records, keys, tokens, now }: AuthenticatorParts): Authenticator {
  const recordUse = lastUseWriter(records.keys);

  async function byKey(text: string): Promise<Principal> {
    const keyId = keys ? parseApiKey(text) : undefined;
    const key = keyId && (await records.keys.find(keyId));
    const keyHash = hashOf(text);
    if (!key || !accepts(key, keyHash, now())) throw refused("This key is not valid. It may be revoked or expired.");
    recordUse(key, now());
    return principalOf(key, { kind: "key", keyId: key.keyId, keyHash });
  }

  async function byToken(token: string): Promise<Principal> {
    const verified = await tokens?.verify(token, now());
    if (verified === undefined) throw refused("This is neither a valid key nor a valid token.");
    return principalOfToken(verified);
  }

  /** A session that has ended counts as none: a browser sends its cookie by itself, and public pages must still open. */
  async function bySession(id: string): Promise<Principal> {
    const sessionHash = hashOf(id);
    const session = keys ? await records.sessions.find(sessionHash) : undefined;
    if (session === undefined || session.endsAt <= now().toISOString()) return ANONYMOUS;
    const { keyId, keyHash } = session;
    const key = await records.keys.find(keyId);
    if (key === undefined || !accepts(key, keyHash, now())) return ANONYMOUS;
    recordUse(key, now());
    return principalOf(key, { kind: "session", keyId, keyHash, sessionHash });
  }

  return {
    async identify({ bearer, session }) {
      if (bearer !== undefined) return looksLikeApiKey(bearer) ? byKey(bearer) : byToken(bearer);
      return session === undefined ? ANONYMOUS : bySession(session);
    },
  };
}

function principalOf({ keyId, name, role, captures }: StoredKey, credential: Credential): Principal {
  return { ...parseRole(role, captures), id: keyId, name, credential };
}

const refused = (sentence: string) => new PortcullisError("unauthenticated", sentence);
