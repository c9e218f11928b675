// Verifies JWTs of one issuer with jose. A token cannot be revoked, so it may live for an hour at most.
import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JWTPayload,
  jwtVerify,
} from "jose";
import { PortcullisError } from "#core/errors.ts";
import type { TokenVerifier, VerifiedToken } from "#ports.ts";
import { issuerFetch, issuerUnavailable } from "./issuer-fetch.ts";
import { findKeySetUrl } from "./issuer-metadata.ts";

export interface TokenOptions {
  readonly issuer: string;
  readonly audience: string;
  /** Where the issuer's keys are; left out, its metadata says so. */
  readonly jwksUrl?: string | undefined;
  /** The names of the claims. */
  readonly claims: { readonly role: string; readonly agent: string; readonly namespaces: string };
  readonly fetch?: typeof globalThis.fetch;
  /** A token with an unknown key id makes us fetch the keys again, but not sooner than this after the last time. */
  readonly cooldownMs?: number;
  /** How long calls fail at once after the issuer failed. */
  readonly retryMs?: number;
}

/** Asymmetric ones only: with the others, whoever can check a token could make one. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
const LONGEST_LIFE_SECONDS = 3_600;
const CLOCK_SKEW_SECONDS = 30;
const LONGEST_TOKEN = 8_192;
/** How long keys are used without looking whether the issuer has withdrawn one. */
const KEYS_MAX_AGE_MS = 600_000;

type KeySet = ReturnType<typeof createRemoteJWKSet>;

export function tokenVerifier(options: TokenOptions): TokenVerifier {
  const { issuer, audience, claims, cooldownMs = 30_000, retryMs = 2_000 } = options;
  const fetch = issuerFetch({ fetch: options.fetch ?? globalThis.fetch, retryMs });
  let keySet: Promise<KeySet> | undefined;
  let retryAt = 0;

  async function openKeySet(): Promise<KeySet> {
    const url = options.jwksUrl ?? (await findKeySetUrl(issuer, fetch));
    return createRemoteJWKSet(new URL(url), {
      cooldownDuration: cooldownMs,
      cacheMaxAge: KEYS_MAX_AGE_MS,
      [customFetch]: async (keysUrl) => {
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
    try {
      return ALGORITHMS.includes(decodeProtectedHeader(token).alg ?? "") && decodeJwt(token).iss === issuer;
    } catch {
      return false;
    }
  }

  return {
    async verify(token, now) {
      if (!isForUs(token)) return undefined;
      try {
        const { payload } = await jwtVerify(token, await keys(), {
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
        // Whatever else is wrong, the token is not good.
        return undefined;
      }
    },
  };

  function toVerified(payload: JWTPayload): VerifiedToken | undefined {
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
      },
    };
  }
}

/** Claims are named by the operator, and `constructor` is not one. */
const own = (payload: JWTPayload, name: string): unknown => (Object.hasOwn(payload, name) ? payload[name] : undefined);

function isIssuersFault(error: unknown): boolean {
  if (error instanceof PortcullisError) return true;
  return (
    error instanceof errors.JWKSInvalid || (error instanceof errors.JOSEError && error.code === "ERR_JOSE_GENERIC")
  );
}
