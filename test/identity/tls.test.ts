// The service over TLS: its own, and that of a proxy on this machine.
import { readFile } from "node:fs/promises";
import { request } from "node:https";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { post, problemIn, send } from "#test/support/send.ts";
import { directoryForTest } from "#test/support/service.ts";
import { serviceProcessForTest } from "#test/support/service-process.ts";

// A key and a certificate for localhost that nobody trusts.
const file = (name: string) => fileURLToPath(new URL(`../support/tls/${name}`, import.meta.url));
const KEY = /portcullis_\w+/;

async function start(environment: Readonly<Record<string, string>>) {
  const child = serviceProcessForTest(await directoryForTest(), {
    PORT: "0",
    DATABASE_URL: ":memory:",
    AUTH: "keys",
    ...environment,
  });
  const url = await child.ready();
  await expect.poll(child.out).toMatch(KEY);
  return { url, key: KEY.exec(child.out())?.[0] ?? "" };
}

describe("With TLS_CERT and TLS_KEY", () => {
  test("the service speaks HTTPS, and the cookie of a session is for TLS and this host only", async () => {
    const { url, key } = await start({ TLS_CERT: file("cert.pem"), TLS_KEY: file("key.pem") });
    expect(url).toMatch(/^https:/);
    const ca = await readFile(file("cert.pem"), "utf8");
    const { port } = new URL(url);
    const origin = `https://localhost:${port}`;
    const body = JSON.stringify({ key });
    const { status, cookie } = await new Promise<{ status: number; cookie: string }>((resolve, reject) => {
      const headers = { "content-type": "application/json", origin, "content-length": Buffer.byteLength(body) };
      const sent = request(`${origin}/api/session`, { method: "POST", ca, headers, agent: false }, (response) => {
        const cookie = response.headers["set-cookie"]?.[0] ?? "";
        text(response).then(() => resolve({ status: response.statusCode ?? 0, cookie }), reject);
      });
      sent.on("error", reject).end(body);
    });
    expect(status).toBe(200);
    expect(cookie).toMatch(/^__Host-portcullis=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/);
    expect(cookie).not.toContain(key);
  });

  test("a file that cannot be read stops the start with a sentence", async () => {
    const child = serviceProcessForTest(await directoryForTest(), {
      PORT: "0",
      DATABASE_URL: ":memory:",
      TLS_CERT: "nowhere.pem",
      TLS_KEY: file("key.pem"),
    });
    expect(await child.exited).toMatchObject({ code: 1 });
    expect(child.err()).toBe("portcullis: TLS_CERT must be the path of a PEM file that this user can read.\n");
  });
});

test("With TRUST_PROXY, what did not come over TLS is refused, and probes of health are not", async () => {
  const { url, key } = await start({ TRUST_PROXY: "127.0.0.1" });
  const authorization = `Bearer ${key}`;
  const plain = await send(`${url}/api/policy`, { headers: { authorization } });
  expect([plain.status, problemIn(plain).code]).toEqual([403, "insecure-transport"]);
  const secure = { authorization, "x-forwarded-proto": "https", host: "memory.example" };
  expect((await send(`${url}/api/policy`, { headers: secure })).status).toBe(200);
  expect((await post(`${url}/api/chat`, { agentId: "a", query: "Hello?" }, secure)).status).toBe(200);
  expect((await send(`${url}/livez`)).status).toBe(200);
});
