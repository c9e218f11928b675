// An identity provider on loopback: it serves its metadata and its keys, and signs tokens. A test can rotate its keys,
// and can make it misbehave.
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";
import { onTestFinished } from "vitest";

export interface IssuerStandIn {
  readonly issuer: string;
  /** The paths that were asked for. */
  readonly requests: readonly string[];
  /** Signs a token for this audience that is good for a minute; claims replace the usual ones, undefined removes one. */
  token(claims?: Readonly<Record<string, unknown>>, options?: SignOptions): Promise<string>;
  /** Makes a new key. The ones before it are no longer served. */
  rotate(algorithm?: string): Promise<void>;
  /** Answers requests to this path in another way. */
  on(path: string, answer: ((response: ServerResponse) => void) | undefined): void;
  stop(): Promise<void>;
}

interface SignOptions {
  readonly key?: CryptoKey | Uint8Array;
  readonly header?: Readonly<Record<string, unknown>>;
}

export const AUDIENCE = "portcullis-test";
export const OPENID_PATH = "/realm/.well-known/openid-configuration";
export const OAUTH_PATH = "/.well-known/oauth-authorization-server/realm";
export const KEYS_PATH = "/realm/keys";

interface SigningKey {
  readonly privateKey: CryptoKey;
  readonly jwk: JWK;
  readonly algorithm: string;
}

export async function issuerForTest(): Promise<IssuerStandIn> {
  const issuer = await startIssuer();
  onTestFinished(() => issuer.stop());
  return issuer;
}

/** For a test file: the caller stops it. */
export async function startIssuer(): Promise<IssuerStandIn> {
  const requests: string[] = [];
  const answers = new Map<string, (response: ServerResponse) => void>();
  let key = await newKey("ES256", 1);
  let keys = 1;
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    requests.push(path);
    const answer = answers.get(path);
    if (answer === undefined) response.writeHead(404).end();
    else answer(response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const issuer = `${origin}/realm`;
  answers.set(OPENID_PATH, (response) => json(response, { issuer, jwks_uri: `${origin}${KEYS_PATH}` }));
  answers.set(KEYS_PATH, (response) => json(response, { keys: [key.jwk] }));

  return {
    issuer,
    requests,
    async token(claims = {}, { key: other, header = {} } = {}) {
      const now = Math.floor(Date.now() / 1_000);
      const usual = { iss: issuer, aud: AUDIENCE, sub: "user-1", iat: now, exp: now + 60, portcullis_role: "auditor" };
      const payload = Object.fromEntries(
        Object.entries({ ...usual, ...claims }).filter(([, value]) => value !== undefined),
      ) as JWTPayload;
      const signer = new SignJWT(payload);
      signer.setProtectedHeader({ alg: key.algorithm, kid: key.jwk.kid as string, ...header });
      return signer.sign(other ?? key.privateKey);
    },
    async rotate(algorithm = "ES256") {
      keys += 1;
      key = await newKey(algorithm, keys);
    },
    on(path, answer) {
      if (answer === undefined) answers.delete(path);
      else answers.set(path, answer);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function newKey(algorithm: string, number: number): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: `key-${number}`, alg: algorithm, use: "sig" };
  return { privateKey, jwk, algorithm };
}

export function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(value));
}
