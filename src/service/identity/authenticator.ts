import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { digestOf } from "#core/encoding/digest.ts";
import { nameFault } from "#core/encoding/text-validation.ts";
import { PortcullisError } from "#core/errors.ts";
import { looksLikeApiKey, parseApiKey, roleOfClaims } from "#core/identity/credentials.ts";
import { forbidden } from "#core/identity/permissions.ts";
import { ANONYMOUS, type Credential, OPEN, type Principal, parseRole } from "#core/identity/principal.ts";
import { DEFAULT_TENANT } from "#core/identity/tenant.ts";
import type * as ports from "#ports.ts";
import { sharedSecret } from "#service/ids.ts";
import { accepts, hashOf } from "./keys.ts";

/** What a request brings to say who is calling. */
export interface Credentials {
  /** A key or a token, from `Authorization: Bearer`. */
  readonly bearer?: string | undefined;
  /** The id of a session, from its cookie. */
  readonly session?: string | undefined;
}

export interface Authenticator {
  /** A bearer that does not hold is refused, whatever the session. An ended session counts as none. */
  identify(credentials: Credentials): Promise<Principal>;
}

/** No identity is configured: the service serves this machine only, and every caller is the admin. */
export const openAuthenticator: Authenticator = { identify: async () => OPEN };
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

// The records are read for every request, so that a key which was revoked on any replica is refused from then on.

interface AuthenticatorParts {
  readonly records: {
    readonly keys: ports.KeyRecords;
    readonly sessions: ports.SessionRecords;
    readonly writeOnce: ports.WriteOnceValues;
    readonly tenants: Pick<ports.TenantRecords, "find">;
  };
  /** Whether keys are taken, and sessions with them. */
  readonly keys: boolean;
  /** Absent when no identity provider is configured. */
  readonly tokens?: ports.TokenVerifier | undefined;
  readonly now: () => Date;
}

export function createAuthenticator({ records, keys, tokens, now }: AuthenticatorParts): Authenticator {
  const ids = createSessionIds(records.writeOnce);
  const recordUse = lastUseWriter(records.keys);

  async function byKey(text: string): Promise<Principal> {
    const keyId = keys ? parseApiKey(text) : undefined;
    const key = keyId && (await records.keys.find(keyId));
    const keyHash = hashOf(text);
    if (!key || !accepts(key, keyHash, now())) throw refused("This key is not valid. It may be revoked or expired.");
    refuseSuspended(key.tenant);
    recordUse(key, now());
    return principalOf(key, { kind: "key", keyId: key.keyId, keyHash });
  }

  async function byToken(token: string): Promise<Principal> {
    const verified = await tokens?.verify(token, now());
    if (verified === undefined) throw refused("This is neither a valid key nor a valid token.");
    const principal = principalOfToken(verified);
    const tenant = await tenantOfClaim(records.tenants, verified.claims.tenant);
    if (tenant !== undefined && principal.role === "operator")
      throw forbidden("The role and the tenant in this token contradict each other: an operator has none.");
    return { ...principal, ...(tenant && { tenant }) };
  }

  /** A session that has ended counts as none: a browser sends its cookie by itself, and public pages must still open. */
  async function bySession(id: string): Promise<Principal> {
    if (!keys || !(await ids.wasIssued(id))) return ANONYMOUS;
    const sessionHash = hashOf(id);
    const session = await records.sessions.find(sessionHash);
    if (session === undefined || session.endsAt <= now().toISOString()) return ANONYMOUS;
    const { keyId, keyHash } = session;
    const key = await records.keys.find(keyId);
    if (key === undefined || !accepts(key, keyHash, now()) || key.tenant?.suspendedAt !== undefined) return ANONYMOUS;
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

function principalOf({ keyId, name, role, captures, tenant }: ports.StoredKey, credential: Credential): Principal {
  // Whoever may write keys of a tenant must not make an operator.
  if (role === "operator" && tenant !== undefined) throw refused("This key is not valid. It belongs to a tenant.");
  return { ...parseRole(role, captures), id: keyId, name, credential, tenant: tenant ? refOf(tenant) : "any" };
}

/** Its quotas have the limits of requests in them. */
export const refOf = ({ number, id, quotas }: Pick<ports.TenantRecord, "number" | "id" | "quotas">) => ({
  number,
  id,
  quotas,
});

/** The tenant that a token names; undefined if it names none. */
async function tenantOfClaim(tenants: Pick<ports.TenantRecords, "find">, claim: unknown): Promise<Principal["tenant"]> {
  if (claim === undefined) return undefined;
  const tenant = typeof claim === "string" ? await tenants.find(claim) : undefined;
  if (tenant === undefined) throw forbidden("This token names a tenant that does not exist.");
  refuseSuspended(tenant);
  return refOf(tenant);
}

export function refuseSuspended(tenant: Pick<ports.TenantRecord, "suspendedAt"> | undefined): void {
  if (tenant?.suspendedAt !== undefined) throw forbidden("This tenant is suspended.");
}

const refused = (sentence: string) => new PortcullisError("unauthenticated", sentence);

// When keys were last used, to the minute. Written beside the requests: they neither wait for it nor fail with it.

const PRECISION_MS = 60_000;

/** Records a use of a key, unless one of the last minute is on record or being written. */
function lastUseWriter(keys: Pick<ports.KeyRecords, "used">): (key: ports.StoredKey, now: Date) => void {
  const inFlight = new Set<string>();
  return ({ keyId, lastUsedAt }, now) => {
    const unlessAfter = new Date(now.getTime() - PRECISION_MS).toISOString();
    if (inFlight.has(keyId) || (lastUsedAt !== undefined && lastUsedAt > unlessAfter)) return;
    inFlight.add(keyId);
    keys
      .used(keyId, now.toISOString(), unlessAfter)
      .catch(() => undefined)
      .finally(() => inFlight.delete(keyId));
  };
}

/** 128 bits of the digest tell any two subjects apart. */
const ID_DIGITS = 32;

/** The caller that a token names. Throws `forbidden` when its claims name no role. */
function principalOfToken({ issuer, subject, expiresAt, claims }: ports.VerifiedToken): Principal {
  const id = `token:${digestOf([issuer, subject]).slice(0, ID_DIGITS)}`;
  const name = nameFault(subject) === undefined ? subject : id;
  return { ...roleOfClaims(claims), id, name, credential: { kind: "token", expiresAt } };
}

// Ids of sessions carry a tag (HMAC), so that an id which was never given costs no read of the records.

const SECRET_BYTES = 32;
const RANDOM_BYTES = 16;
const TAG_BYTES = 16;

export type SessionIds = ReturnType<typeof createSessionIds>;

export function createSessionIds(values: ports.WriteOnceValues) {
  const secret = sharedSecret(values, "session-secret", SECRET_BYTES);
  const tagOf = async (random: Uint8Array) =>
    createHmac("sha256", await secret())
      .update(random)
      .digest()
      .subarray(0, TAG_BYTES);
  return {
    async issue(): Promise<string> {
      const random = randomBytes(RANDOM_BYTES);
      return Buffer.concat([random, await tagOf(random)]).toString("base64url");
    },
    /** Whether some process gave this id. Its session may have ended. */
    async wasIssued(id: string): Promise<boolean> {
      const bytes = Buffer.from(id, "base64url");
      if (bytes.length !== RANDOM_BYTES + TAG_BYTES) return false;
      return timingSafeEqual(await tagOf(bytes.subarray(0, RANDOM_BYTES)), bytes.subarray(RANDOM_BYTES));
    },
  };
}

// Sessions of the app: the cookie holds a random id and never the key. One ends with its key, or after twelve hours.

interface SessionParts {
  readonly records: { readonly sessions: ports.SessionRecords };
  readonly sessionIds: SessionIds;
  readonly authenticator: Authenticator;
  readonly identities?: Identities | undefined;
  readonly now: () => Date;
}

export const SESSION_SECONDS = 12 * 3_600;
/** A person has a few browsers. More are forgotten, the oldest first. */
const MOST_SESSIONS_OF_A_KEY = 20;

/** Opens a session with a key, whose id is for the cookie, and ends the caller's earlier one. */
export async function signIn(tenant: SessionParts, key: string, earlier: Principal) {
  checkTakesKeys(tenant.identities);
  const principal = await tenant.authenticator.identify({ bearer: key });
  if (principal.credential?.kind !== "key") throw new PortcullisError("unauthenticated", "Sign in with a key.");
  const { keyId, keyHash } = principal.credential;
  await signOut(tenant, earlier);
  const id = await tenant.sessionIds.issue();
  const now = tenant.now();
  const createdAt = now.toISOString();
  const endsAt = new Date(now.getTime() + SESSION_SECONDS * 1_000).toISOString();
  await tenant.records.sessions.add(
    { sessionHash: hashOf(id), keyId, keyHash, createdAt, endsAt },
    { now: createdAt, most: MOST_SESSIONS_OF_A_KEY },
  );
  return { id, principal };
}

/** Ends the session that the caller came with, if any. */
export async function signOut({ records }: Pick<SessionParts, "records">, { credential }: Principal): Promise<void> {
  if (credential?.kind === "session") await records.sessions.remove(credential.sessionHash);
}

export function describeCaller({ identities }: Pick<SessionParts, "identities">, principal: Principal) {
  const hasIdentities = identities !== undefined;
  const { role, tenant = DEFAULT_TENANT } = principal;
  const actsInOne = role !== "public" && role !== "operator" && tenant !== "any";
  return {
    signedIn: hasIdentities && principal.role !== "public",
    identities: hasIdentities,
    name: principal.name,
    role,
    ...(actsInOne && { tenant: tenant.id }),
    ...(principal.role === "agent" && { agentId: principal.agentId }),
    ...(principal.role === "agent" && !principal.capturesAnywhere && { captures: [...principal.captures] }),
    ...(principal.role === "namespace-admin" && { namespaces: [...principal.namespaces] }),
  };
}
