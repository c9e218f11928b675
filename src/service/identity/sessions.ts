// Sessions of the app. The cookie holds a random id and never the key. A session ends with the secret that it was opened
// with, after twelve hours, or when its holder signs out.
import { randomBytes } from "node:crypto";
import { PortcullisError } from "#core/errors.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { SessionRecords } from "#ports.ts";
import type { Authenticator } from "./authenticator.ts";
import { checkTakesKeys, type Identities } from "./identities.ts";
import { hashOf } from "./key-hash.ts";

interface SessionDeps {
  readonly records: { readonly sessions: SessionRecords };
  readonly authenticator: Authenticator;
  readonly identities?: Identities | undefined;
  readonly now: () => Date;
}

export const SESSION_SECONDS = 12 * 3_600;
const SESSION_ID_BYTES = 32;
/** A person has a few browsers. More are forgotten, the oldest first. */
const MOST_SESSIONS_OF_A_KEY = 20;

export interface OpenedSession {
  /** For the cookie. */
  readonly id: string;
  readonly principal: Principal;
}

/** Opens a session with a key, and ends the caller's earlier one. */
export async function signIn(deps: SessionDeps, key: string, earlier: Principal): Promise<OpenedSession> {
  checkTakesKeys(deps.identities);
  const principal = await deps.authenticator.identify({ bearer: key });
  if (principal.credential?.kind !== "key")
    throw new PortcullisError("unauthenticated", "A session is opened with a key.");
  const { keyId, keyHash } = principal.credential;
  await signOut(deps, earlier);
  const id = randomBytes(SESSION_ID_BYTES).toString("base64url");
  const now = deps.now();
  const createdAt = now.toISOString();
  const endsAt = new Date(now.getTime() + SESSION_SECONDS * 1_000).toISOString();
  await deps.records.sessions.add(
    { sessionHash: hashOf(id), keyId, keyHash, createdAt, endsAt },
    { now: createdAt, most: MOST_SESSIONS_OF_A_KEY },
  );
  return { id, principal };
}

/** Ends the session that the caller came with, if any. */
export async function signOut({ records }: Pick<SessionDeps, "records">, { credential }: Principal): Promise<void> {
  if (credential?.kind === "session") await records.sessions.remove(credential.sessionHash);
}

/** Who a caller is, for the app. */
export function describeCaller({ identities }: Pick<SessionDeps, "identities">, principal: Principal) {
  const hasIdentities = identities !== undefined;
  return {
    signedIn: hasIdentities && principal.role !== "public",
    identities: hasIdentities,
    name: principal.name,
    role: principal.role,
    ...(principal.role === "agent" && { agentId: principal.agentId }),
    ...(principal.role === "agent" && !principal.capturesAnywhere && { captures: [...principal.captures] }),
    ...(principal.role === "namespace-admin" && { namespaces: [...principal.namespaces] }),
  };
}
