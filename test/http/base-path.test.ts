// Where clients see the service: its host, scheme and path, as proxies of TRUST_PROXY say, and nobody else.
import { describe, expect, test } from "vitest";
import { expectProblem } from "#test/support/bodies.ts";
import { type KeyedService, keyedServiceForTest } from "#test/support/keyed-service.ts";
import { post, send } from "#test/support/send.ts";
import { type Service, serviceForTest } from "#test/support/service.ts";

const PROXY = { TRUST_PROXY: "127.0.0.1" };
const FORWARDED = { "x-forwarded-proto": "https", "x-forwarded-host": "example.org", "x-forwarded-prefix": "/memory" };
const PLAIN = { accept: "text/plain" };
/** Only where there are tokens there is metadata of OAuth. */
const TOKENS = { AUTH_ISSUER: "https://issuer.test", AUTH_AUDIENCE: "portcullis" };

/** Where the service says that it is: the text of `GET /` has a command with its URL. */
async function seenAt({ url }: Pick<Service, "url">, headers: Readonly<Record<string, string>>): Promise<string> {
  const { text } = await send(url, { headers: { ...PLAIN, ...headers } });
  return /curl -s (\S+)\/api\/chat/.exec(text)?.[1] ?? text;
}

describe("Host, scheme and prefix", () => {
  test("are what a proxy of ours says", async () => {
    const service = await serviceForTest({ environment: PROXY });
    expect(await seenAt(service, FORWARDED)).toBe("https://example.org/memory");
    const others = { "x-forwarded-host": "spoofed.test, example.org:8443", "x-forwarded-proto": "http, https" };
    expect(await seenAt(service, others)).toBe("https://example.org:8443");
  });

  test("are not what anybody else says", async () => {
    const elsewhere = await serviceForTest({ environment: { TRUST_PROXY: "10.0.0.0/8" } });
    expect(await seenAt(elsewhere, FORWARDED)).toBe(elsewhere.url);
    const none = await serviceForTest();
    expect(await seenAt(none, FORWARDED)).toBe(none.url);
    expect(await seenAt(none, { forwarded: "host=example.org;proto=https" })).toBe(none.url);
  });

  test("come from Forwarded only where PROXY_HEADERS says so, and then from no other header", async () => {
    const forwarded = {
      forwarded: 'for=192.0.2.1;host=spoofed.test, for="[2001:db8::1]:99";host=example.org;proto=https',
    };
    const service = await serviceForTest({ environment: { ...PROXY, PROXY_HEADERS: "forwarded" } });
    expect(await seenAt(service, forwarded)).toBe("https://example.org");
    expect(await seenAt(service, { "x-forwarded-host": "spoofed.test" })).toBe(service.url);
    const standard = await serviceForTest({ environment: PROXY });
    expect(await seenAt(standard, forwarded)).toBe(standard.url);
  });

  test.for([
    { "x-forwarded-host": "evil.test/x" },
    { "x-forwarded-host": "user@evil.test" },
    { "x-forwarded-host": 'a"b' },
    { "x-forwarded-prefix": "//evil.test" },
    { "x-forwarded-prefix": '/"><script>' },
    { "x-forwarded-prefix": "/a/../b" },
    { "x-forwarded-prefix": "https://evil.test" },
  ] as Readonly<Record<string, string>>[])("are ignored when they are none: %o", async (headers) => {
    const service = await serviceForTest({ environment: PROXY });
    expect(await seenAt(service, headers)).toBe(service.url);
  });
});

describe("With BASE_PATH", () => {
  const environment = { ...PROXY, BASE_PATH: "/memory/" };

  test("the service answers below it and without it, for proxies that pass it on or take it away", async () => {
    const { url } = await serviceForTest({ environment });
    for (const base of [`${url}/memory`, url]) {
      expect((await send(`${base}/api/policy`)).status).toBe(200);
      expect((await send(`${base}/readyz`)).status).toBe(200);
      expect((await post(`${base}/api/chat`, { agentId: "assistant", query: "Dinner?" })).status).toBe(200);
    }
    expect((await send(`${url}/memory`, { headers: PLAIN })).text).toContain(`curl -s ${url}/memory/api/chat`);
    expect((await send(`${url}/memory?x=1`, { headers: PLAIN })).status).toBe(200);
    expectProblem(await send(`${url}/memoryx/api/policy`), 404, "not-found");
    expectProblem(await send(`${url}/memory/memory/api/policy`), 404, "not-found");
  });

  test("no header of a client moves it elsewhere", async () => {
    const service = await serviceForTest({ environment });
    expect(await seenAt(service, { "x-forwarded-prefix": "/spoofed" })).toBe(`${service.url}/memory`);
  });

  test("links in replies and pages lead below it", async () => {
    const { url, client } = await serviceForTest({ environment });
    const headers = { host: "example.org", "x-forwarded-proto": "https" };
    const { receipt } = await client.chat({ agentId: "assistant", query: "What is for dinner on Friday?" });
    const anchored = JSON.parse((await post(`${url}/memory/api/anchor-chain`, { receipt }, headers)).text);
    const { receiptId, txDigest, explorerUrl, verifyPath } = anchored;
    expect(explorerUrl).toBe(`https://example.org/memory/ledger/tx/${txDigest}`);
    expect(verifyPath).toBe(`/verify/${receiptId}`);
    const verified = JSON.parse((await send(`${url}/memory/api/verify/${receiptId}`, { headers })).text);
    expect(verified.explorerUrl).toBe(explorerUrl);
    const page = await send(`${url}/memory/verify/${receiptId}?plain=1`, { headers });
    expect(page.text).toContain(`href="${explorerUrl}"`);
    expect(page.text).toContain(`https://example.org/memory/api/verify/${receiptId}`);
    expect(page.text).toContain("https://example.org/memory/v1/blobs/");
    const transaction = await send(`${url}/memory/ledger/tx/${txDigest}?plain=1`, { headers });
    const links = [...transaction.text.matchAll(/href="([^"#]+)"/g)].map(([, link = ""]) => new URL(link, explorerUrl));
    expect(links.map(({ pathname }) => pathname)).toContain(`/memory/verify/${receiptId}`);
    expect(links.every(({ pathname }) => pathname.startsWith("/memory/"))).toBe(true);
  });

  test("the API's description says so", async () => {
    const { url } = await serviceForTest({ environment });
    expect(JSON.parse((await send(`${url}/openapi.json`)).text).servers).toEqual([
      { url: "/memory", description: "This service." },
    ]);
    const plain = await serviceForTest();
    expect(JSON.parse((await send(`${plain.url}/openapi.json`)).text).servers).toMatchObject([{ url: "/" }]);
  });

  test("the cookie of a session goes there only, and the way to the issuer leads there", async () => {
    const service: KeyedService = await keyedServiceForTest({
      environment: { BASE_PATH: "/memory", AUTH: "keys", ...TOKENS },
    });
    const at = await keyedServiceForTest({ loopbackOnly: false, environment: { BASE_PATH: "/memory" } });
    const host = "example.org";
    const signIn = await post(
      `${at.url}/memory/api/session`,
      { key: at.adminKey },
      { host, origin: `https://${host}` },
    );
    const [cookie = ""] = signIn.headers["set-cookie"] ?? [];
    expect(cookie).toMatch(
      /^__Secure-portcullis=[\w-]{43}; Path=\/memory; Max-Age=43200; HttpOnly; SameSite=Strict; Secure$/,
    );
    const session = await send(`${at.url}/memory/api/session`, { headers: { host, cookie: cookie.split(";")[0] } });
    expect(JSON.parse(session.text)).toMatchObject({ signedIn: true });
    const refused = await send(`${service.url}/memory/api/policy`);
    const metadataUrl = `${service.url}/memory/.well-known/oauth-protected-resource`;
    expect(refused.headers["www-authenticate"]).toContain(`resource_metadata="${metadataUrl}"`);
    for (const place of [metadataUrl, `${service.url}/.well-known/oauth-protected-resource/memory`])
      expect(JSON.parse((await send(place)).text)).toMatchObject({ resource: `${service.url}/memory` });
  });
});

test("The forwarded host and scheme are the service's own origin, and the proxy's are not", async () => {
  const service = await serviceForTest({ environment: PROXY });
  const body = { agentId: "assistant", query: "Dinner?" };
  const from = (origin: string) => post(`${service.url}/api/chat`, body, { ...FORWARDED, host: "upstream", origin });
  expect((await from("https://example.org")).status).toBe(200);
  expectProblem(await from("https://upstream"), 403, "cross-origin");
  expectProblem(await from("https://evil.test"), 403, "cross-origin");
});
