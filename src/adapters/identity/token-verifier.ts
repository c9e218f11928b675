// Verifies JWTs of one issuer with jose. A token cannot be revoked, so it may live for an hour at most.
import * as jose from "jose";
import { withDeadline } from "#async/with-deadline.ts";
import { orUndefined } from "#core/defined.ts";
import { readTextUpTo } from "#core/encoding/read-up-to.ts";
import { PortcullisError } from "#core/errors.ts";
import { isTrustworthyUrl } from "#core/identity/issuer-url.ts";
import type { TokenVerifier, VerifiedToken } from "#ports.ts";

export interface TokenOptions {
  readonly issuer: string;
  readonly audience: string;
  /** Where the issuer's keys are; left out, its metadata says so. */
  readonly jwksUrl?: string | undefined;
  readonly claims: Readonly<Record<"role" | "agent" | "namespaces" | "tenant", string>>;
  readonly fetch?: typeof globalThis.fetch;
  /** A token with an unknown key id makes us fetch the keys again, but not sooner than this after the last time. */
  readonly cooldownMs?: number;
  /** How long calls fail at once after the issuer failed. */
  readonly retryMs?: number;
}

/** Asymmetric ones only: with the others, whoever can check a token could make one. */
const ALGORITHMS = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];
const LONGEST_LIFE_SECONDS = 3_600;
const CLOCK_SKEW_SECONDS = 30;
const LONGEST_TOKEN = 8_192;
/** How long keys are used without looking whether the issuer has withdrawn one. */
const KEYS_MAX_AGE_MS = 600_000;

type KeySet = ReturnType<typeof jose.createRemoteJWKSet>;

export function tokenVerifier(options: TokenOptions): TokenVerifier {
  const { issuer, audience, claims, cooldownMs = 30_000, retryMs = 2_000 } = options;
  const fetch = issuerFetch({ fetch: options.fetch ?? globalThis.fetch, retryMs });
  let keySet: Promise<KeySet> | undefined;
  let retryAt = 0;

  async function openKeySet(): Promise<KeySet> {
    const url = options.jwksUrl ?? (await findKeySetUrl(issuer, fetch));
    return jose.createRemoteJWKSet(new URL(url), {
      cooldownDuration: cooldownMs,
      cacheMaxAge: KEYS_MAX_AGE_MS,
      [jose.customFetch]: async (keysUrl) => {
        const { status, text } = await fetch(keysUrl);
        if (status !== 200) throw issuerUnavailable();
        return new Response(text);
      },
    });
  }

  /** Finds the issuer's keys once. When that fails, the next try is a moment later. */
  function keys(): Promise<KeySet> {
    if (keySet !== undefined && performance.now() < retryAt) return keySet;
    keySet = openKeySet();
    retryAt = Number.POSITIVE_INFINITY;
    keySet.catch(() => {
      retryAt = performance.now() + retryMs;
    });
    return keySet;
  }

  /** Cheap, and without a look-up. A token that fails here would fail later too. */
  function isForUs(token: string): boolean {
    if (token.length > LONGEST_TOKEN) return false;
    const { alg = "" } = orUndefined(() => jose.decodeProtectedHeader(token)) ?? {};
    return ALGORITHMS.includes(alg) && orUndefined(() => jose.decodeJwt(token))?.iss === issuer;
  }

  return {
    async verify(token, now) {
      if (!isForUs(token)) return undefined;
      try {
        const { payload } = await jose.jwtVerify(token, await keys(), {
          issuer,
          audience,
          algorithms: ALGORITHMS,
          clockTolerance: CLOCK_SKEW_SECONDS,
          requiredClaims: ["sub", "exp", "iat"],
          // Also refuses a token that was issued in the future: its hour would be another one.
          maxTokenAge: LONGEST_LIFE_SECONDS,
          currentDate: now,
        });
        return toVerified(payload);
      } catch (error) {
        if (isIssuersFault(error)) throw error instanceof PortcullisError ? error : issuerUnavailable(error);
        return undefined;
      }
    },
  };

  function toVerified(payload: jose.JWTPayload): VerifiedToken | undefined {
    const { sub = "", exp = 0, iat = 0 } = payload;
    if (sub === "" || exp - iat > LONGEST_LIFE_SECONDS) return undefined;
    return {
      issuer,
      subject: sub,
      expiresAt: new Date((exp + CLOCK_SKEW_SECONDS) * 1_000).toISOString(),
      claims: {
        role: own(payload, claims.role),
        agent: own(payload, claims.agent),
        namespaces: own(payload, claims.namespaces),
        tenant: own(payload, claims.tenant),
      },
    };
  }
}

/** Claims are named by the operator, and `constructor` is not one. */
const own = (payload: jose.JWTPayload, name: string): unknown =>
  Object.hasOwn(payload, name) ? payload[name] : undefined;

function isIssuersFault(error: unknown): boolean {
  if (error instanceof PortcullisError) return true;
  return (
    error instanceof jose.errors.JWKSInvalid ||
    (error instanceof jose.errors.JOSEError && error.code === "ERR_JOSE_GENERIC")
  );
}

// Where an issuer keeps its keys, by its metadata: OpenID Connect Discovery 1.0, or RFC 8414.

async function findKeySetUrl(issuer: string, fetch: IssuerFetch): Promise<string> {
  for (const url of metadataUrls(issuer)) {
    const { status, text } = await fetch(url);
    const found = status === 200 ? keySetUrlIn(text, issuer) : undefined;
    if (found !== undefined) return found;
  }
  throw issuerUnavailable(new Error("the issuer has no metadata of its own that names its keys"));
}

/** OpenID Connect appends the well-known path to the issuer's own. RFC 8414 puts it in front. */
function metadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  return [
    `${origin}${path}/.well-known/openid-configuration`,
    `${origin}/.well-known/oauth-authorization-server${path}`,
  ];
}

/** RFC 8414, 3.3: metadata that names another issuer must not be used. */
function keySetUrlIn(text: string, issuer: string): string | undefined {
  const metadata: unknown = orUndefined(() => JSON.parse(text));
  if (typeof metadata !== "object" || metadata === null) return undefined;
  if (!("issuer" in metadata) || metadata.issuer !== issuer || !("jwks_uri" in metadata)) return undefined;
  const { jwks_uri: url } = metadata;
  return typeof url === "string" && isTrustworthyUrl(url) ? url : undefined;
}

// Fetches small documents of an issuer: with a deadline, a bound on their size, and no redirects. After a failure it
// fails at once for a moment, so that an issuer that is down does not hold up every request.

const DEADLINE_MS = 5_000;
const MAX_BYTES = 256 * 1024;

type IssuerFetch = ReturnType<typeof issuerFetch>;

function issuerFetch({ fetch, retryMs }: { fetch: typeof globalThis.fetch; retryMs: number }) {
  let failedAt = Number.NEGATIVE_INFINITY;
  return async (url: string) => {
    if (performance.now() - failedAt < retryMs) throw issuerUnavailable();
    try {
      return await withDeadline(DEADLINE_MS, async ({ signal }) => {
        const headers = { accept: "application/json" };
        const response = await fetch(url, { redirect: "manual", signal, headers });
        if (response.status >= 500) await response.body?.cancel();
        if (response.status >= 500) throw new Error(`the issuer answered ${response.status}`);
        const text = await readTextUpTo(MAX_BYTES, response.body);
        if (text === undefined) throw new Error("the document is too large");
        return { status: response.status, text };
      });
    } catch (cause) {
      failedAt = performance.now();
      throw issuerUnavailable(cause);
    }
  };
}

function issuerUnavailable(cause?: unknown): PortcullisError {
  const message = "The identity provider's keys cannot be fetched. Try again shortly.";
  return new PortcullisError("issuer-unavailable", message, { cause });
}
