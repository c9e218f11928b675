// Tokens, checked against a real issuer on loopback.
import { UnsecuredJWT } from "jose";
import { describe, expect, test } from "vitest";
import { type TokenOptions, tokenVerifier } from "#adapters/identity/token-verifier.ts";
import {
  AUDIENCE,
  type IssuerStandIn,
  issuerForTest,
  json,
  KEYS_PATH,
  OAUTH_PATH,
  OPENID_PATH,
} from "#test/support/issuer-stand-in/issuer-stand-in.ts";

const CLAIMS = {
  role: "portcullis_role",
  agent: "portcullis_agent",
  namespaces: "portcullis_namespaces",
  tenant: "portcullis_tenant",
};
const NOW = () => Math.floor(Date.now() / 1_000);
const UNAVAILABLE = { code: "issuer-unavailable" };

async function prepared(options: Partial<TokenOptions> = {}) {
  const issuer = await issuerForTest();
  const verifier = tokenVerifier({ issuer: issuer.issuer, audience: AUDIENCE, claims: CLAIMS, retryMs: 0, ...options });
  const check = (token: string, now = new Date()) => verifier.verify(token, now);
  return { issuer, check };
}

const fetchesOf = ({ requests }: IssuerStandIn, path: string) => requests.filter((each) => each === path).length;

describe("A token", () => {
  test("that holds gives its subject and its claims as they are", async () => {
    const { issuer, check } = await prepared();
    const claims = { portcullis_role: "agent", portcullis_agent: "planner", portcullis_namespaces: ["diet"] };
    expect(await check(await issuer.token({ ...claims, sub: "user-7" }))).toEqual({
      issuer: issuer.issuer,
      subject: "user-7",
      expiresAt: expect.stringMatching(/Z$/),
      claims: { role: "agent", agent: "planner", namespaces: ["diet"] },
    });
    expect((await check(await issuer.token({ portcullis_role: undefined })))?.claims.role).toBeUndefined();
  });

  test("is read by the claims that the operator names, and by no inherited property", async () => {
    const { issuer, check } = await prepared({
      claims: { role: "r", agent: "constructor", namespaces: "n", tenant: "t" },
    });
    expect((await check(await issuer.token({ r: "admin", n: ["a"] })))?.claims).toEqual({
      role: "admin",
      agent: undefined,
      namespaces: ["a"],
    });
  });

  test.for(["RS256", "PS384", "ES512", "EdDSA"])("signed with %s holds", async (algorithm) => {
    const { issuer, check } = await prepared();
    await issuer.rotate(algorithm);
    expect(await check(await issuer.token())).toMatchObject({ subject: "user-1" });
  });

  test.for([
    ["another audience", { aud: "somebody-else" }],
    ["no audience", { aud: undefined }],
    ["another issuer", { iss: "https://evil.test" }],
    ["no subject", { sub: undefined }],
    ["an empty subject", { sub: "" }],
    ["no expiry", { exp: undefined }],
    ["no time of issue", { iat: undefined }],
    ["an expiry that is past", { iat: NOW() - 100, exp: NOW() - 40 }],
    ["a life of more than an hour", { iat: NOW() - 10, exp: NOW() - 10 + 3_601 }],
    ["an issue in the future", { iat: NOW() + 600, exp: NOW() + 700 }],
    ["a beginning in the future", { nbf: NOW() + 600 }],
    ["a time that is a text", { exp: "tomorrow" }],
  ] as const)("with %s does not hold", async ([, claims]) => {
    const { issuer, check } = await prepared();
    expect(await check(await issuer.token())).toBeDefined();
    expect(await check(await issuer.token(claims))).toBeUndefined();
  });

  test("holds within the clock skew of thirty seconds, and not beyond", async () => {
    const { issuer, check } = await prepared();
    const now = NOW();
    const token = await issuer.token({ iat: now, exp: now + 60 });
    const at = (seconds: number) => new Date((now + seconds) * 1_000);
    expect(await check(token, at(-29))).toBeDefined();
    expect(await check(token, at(-31))).toBeUndefined();
    expect(await check(token, at(89))).toBeDefined();
    expect(await check(token, at(91))).toBeUndefined();
  });

  test("without a signature, with a symmetric one, or signed by another key does not hold, and causes no look-up", async () => {
    const { issuer, check } = await prepared();
    const payload = { iss: issuer.issuer, aud: AUDIENCE, sub: "x", iat: NOW(), exp: NOW() + 60 };
    expect(await check(new UnsecuredJWT(payload).encode())).toBeUndefined();
    const secret = new TextEncoder().encode("a secret that is long enough for HS256");
    expect(await check(await issuer.token({}, { key: secret, header: { alg: "HS256" } }))).toBeUndefined();
    expect(issuer.requests).toEqual([]);
    const forger = await issuerForTest();
    expect(await check(await forger.token({ iss: issuer.issuer }))).toBeUndefined();
  });

  test("with one changed byte does not hold", async () => {
    const { issuer, check } = await prepared();
    const token = await issuer.token();
    const [header = "", payload = "", signature = ""] = token.split(".");
    const forged = Buffer.from(
      JSON.stringify({ ...JSON.parse(Buffer.from(payload, "base64url").toString()), portcullis_role: "admin" }),
    ).toString("base64url");
    expect(await check(`${header}.${forged}.${signature}`)).toBeUndefined();
    expect(await check(`${header}.${payload}.${signature.slice(0, -4)}AAAA`)).toBeUndefined();
  });

  test.for(["", "x", "a.b.c", "....", `${"a".repeat(9_000)}.b.c`, "eyJhbGciOiJFUzI1NiJ9.e30."])(
    "that is none does not hold: %s",
    async (text) => {
      const { issuer, check } = await prepared();
      expect(await check(text)).toBeUndefined();
      expect(issuer.requests).toEqual([]);
    },
  );
});

describe("The issuer's keys", () => {
  test("are found by its OpenID metadata once, by its OAuth metadata, or where the operator says", async () => {
    const { issuer, check } = await prepared();
    for (let i = 0; i < 3; i++) expect(await check(await issuer.token())).toBeDefined();
    expect(issuer.requests).toEqual([OPENID_PATH, KEYS_PATH]);

    const oauth = await prepared();
    const { origin } = new URL(oauth.issuer.issuer);
    oauth.issuer.on(OPENID_PATH, undefined);
    oauth.issuer.on(OAUTH_PATH, (response) =>
      json(response, { issuer: oauth.issuer.issuer, jwks_uri: `${origin}${KEYS_PATH}` }),
    );
    expect(await oauth.check(await oauth.issuer.token())).toBeDefined();
    expect(oauth.issuer.requests).toEqual([OPENID_PATH, OAUTH_PATH, KEYS_PATH]);

    const direct = tokenVerifier({
      issuer: issuer.issuer,
      audience: AUDIENCE,
      claims: CLAIMS,
      jwksUrl: `${new URL(issuer.issuer).origin}${KEYS_PATH}`,
    });
    expect(await direct.verify(await issuer.token(), new Date())).toBeDefined();
    expect(fetchesOf(issuer, OPENID_PATH)).toBe(1);
  });

  test("are fetched again for an unknown key id, but not within the cooldown", async () => {
    const eager = await prepared({ cooldownMs: 0 });
    expect(await eager.check(await eager.issuer.token())).toBeDefined();
    const old = await eager.issuer.token();
    await eager.issuer.rotate();
    expect(await eager.check(await eager.issuer.token())).toBeDefined();
    expect(await eager.check(old)).toBeUndefined();

    const calm = await prepared({ cooldownMs: 600_000 });
    expect(await calm.check(await calm.issuer.token())).toBeDefined();
    for (let i = 0; i < 5; i++) {
      expect(await calm.check(await calm.issuer.token({}, { header: { kid: `made-up-${i}` } }))).toBeUndefined();
    }
    expect(fetchesOf(calm.issuer, KEYS_PATH)).toBe(1);
  });

  test.for([
    ["another issuer's", { issuer: "https://evil.test", jwks_uri: "https://evil.test/keys" }],
    ["without keys", {}],
    ["with keys that come over plain HTTP", { jwks_uri: "http://id.example.test/keys" }],
  ] as const)("are not taken from metadata that is %s", async ([, metadata]) => {
    const { issuer, check } = await prepared();
    issuer.on(OPENID_PATH, (response) => json(response, { issuer: issuer.issuer, ...metadata }));
    await expect(check(await issuer.token())).rejects.toMatchObject(UNAVAILABLE);
  });

  test.for([
    ["an error", (response) => void response.writeHead(500).end()],
    ["nothing", (response) => void response.destroy()],
    ["a redirect", (response) => void response.writeHead(302, { location: "/elsewhere" }).end()],
    ["no JSON", (response) => void response.writeHead(200).end("<html>")],
    ["no key set", (response) => json(response, { keys: "none" })],
    ["more than a quarter of a megabyte", (response) => json(response, { keys: [], pad: "x".repeat(300_000) })],
  ] as const satisfies readonly (readonly [string, Parameters<IssuerStandIn["on"]>[1]])[])(
    "cannot be had while the issuer answers with %s, and can be had afterwards",
    async ([, answer]) => {
      const { issuer, check } = await prepared();
      let isDown = true;
      const token = await issuer.token();
      const keys = await (await fetch(`${new URL(issuer.issuer).origin}${KEYS_PATH}`)).json();
      issuer.on(KEYS_PATH, (response) => (isDown ? answer(response) : json(response, keys)));
      await expect(check(token)).rejects.toMatchObject(UNAVAILABLE);
      isDown = false;
      expect(await check(token)).toBeDefined();
    },
  );

  test("are not asked for at every request while the issuer is down", async () => {
    const { issuer, check } = await prepared({ retryMs: 600_000 });
    issuer.on(OPENID_PATH, (response) => void response.writeHead(503).end());
    const token = await issuer.token();
    for (let i = 0; i < 5; i++) await expect(check(token)).rejects.toMatchObject(UNAVAILABLE);
    expect(issuer.requests).toEqual([OPENID_PATH]);
  });
});
