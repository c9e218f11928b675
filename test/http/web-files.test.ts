// The app as the service serves it: the files of a build and nothing else, and the pages without script.
import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { PAGES } from "#contract/page-paths.ts";
import { loadWeb } from "#http/static/app-files.ts";
import { expectProblem } from "#test/support/bodies.ts";
import { connectTo, send } from "#test/support/send.ts";
import { directoryForTest, type Service, serviceForTest } from "#test/support/service.ts";

const INDEX = '<!doctype html><script type="module" src="/assets/index-abc.js"></script>';
const SCRIPT = "console.log('the app');\n".repeat(100);
const FONT = Uint8Array.of(0x77, 0x4f, 0x46, 0x32, 0xff, 0x00);

const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

const APP_PATHS = Object.values(PAGES).map(({ path }) => path.replace(/:\w+/, "0x1"));

/** A folder as a build leaves it, beside a file that must not be served. */
async function built(): Promise<string> {
  const folder = join(await directoryForTest(), "dist");
  await mkdir(join(folder, "assets"), { recursive: true });
  await mkdir(join(folder, ".vite"));
  await writeFile(join(folder, "index.html"), INDEX);
  await writeFile(join(folder, "gate.svg"), "<svg/>");
  await writeFile(join(folder, "verify.html"), VERIFIER);
  await writeFile(join(folder, "assets", "index-abc.js"), SCRIPT);
  await writeFile(join(folder, "assets", "text-abc.woff2"), FONT);
  await writeFile(join(folder, ".vite", "manifest.json"), "{}");
  await writeFile(join(folder, ".portcullis-build"), "stamp");
  await writeFile(join(folder, "..", "secret.txt"), "canary");
  return folder;
}

const VERIFIER = "<!doctype html><script>verify()</script>";

const withApp = async (about?: Partial<Service["tenant"]["about"]>): Promise<Service> => {
  const web = await loadWeb(await built());
  if (about === undefined) return serviceForTest({ web });
  const plain = await serviceForTest();
  return serviceForTest({ web, overrides: { about: { ...plain.tenant.about, ...about } } });
};

describe("With the app", () => {
  test("its page is marked when nobody has to sign in, and only then", async () => {
    const folder = await built();
    await writeFile(join(folder, "index.html"), '<!doctype html><html lang="en">');
    const web = await loadWeb(folder);
    const textOf = async ({ url }: Service) => (await send(url, { headers: BROWSER })).text;
    expect(await textOf(await serviceForTest({ web }))).toBe('<!doctype html><html data-identities="none" lang="en">');
    const withKeys = await serviceForTest({ web, environment: { AUTH: "keys" } });
    expect(await textOf(withKeys)).toBe('<!doctype html><html lang="en">');
  });

  test("verify.html is a file to keep, byte for byte, and its digest is known", async () => {
    const { url } = await withApp();
    const { status, headers, text } = await send(`${url}/verify.html`, { headers: BROWSER });
    expect([status, text]).toEqual([200, VERIFIER]);
    expect(headers["content-disposition"]).toBe('attachment; filename="verify.html"');
    const { verifier } = (await loadWeb(await built())) ?? {};
    expect(verifier).toBe(createHash("sha256").update(VERIFIER).digest("hex"));
  });

  test.for(APP_PATHS)("%s is its page for a browser, with a policy that allows nothing inline", async (path) => {
    const { url } = await withApp();
    const { status, headers, text } = await send(`${url}${path}`, { headers: BROWSER });
    expect([status, text]).toEqual([200, INDEX]);
    expect(headers).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-cache",
      vary: "accept, accept-encoding",
      "x-frame-options": "DENY",
      "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    });
    expectProblem(await send(`${url}${path}`, { method: "POST", body: "{}" }), 405, "method-not-allowed");
  });

  test("at an address that is no page a browser gets the app, and a program a problem", async () => {
    const { url } = await withApp();
    for (const path of [
      "/nothing",
      "/nothing/",
      "/api/nothing",
      "/verify/a/b",
      "//example.org/",
      "/%2e%2e//example.org/",
    ]) {
      const { status, text, headers } = await send(`${url}${path}`, { headers: BROWSER });
      expect([path, status, text]).toEqual([path, 404, INDEX]);
      expect(headers).toMatchObject({ "content-type": "text/html; charset=utf-8" });
      expect(headers.location).toBeUndefined();
      expectProblem(await send(`${url}${path}`), 404, "not-found");
      expectProblem(await send(`${url}${path}`, { headers: { accept: "application/json" } }), 404, "not-found");
      expectProblem(await send(`${url}${path}`, { method: "POST", headers: BROWSER, body: "{}" }), 404, "not-found");
    }
    expect((await send(`${url}/nothing`, { method: "HEAD", headers: BROWSER })).status).toBe(404);
  });

  test("an address that has moved, or has a slash at its end, leads to the page, below the base path and on no other host", async () => {
    const { url } = await withApp();
    for (const [path, place] of [
      ["/policy/", "/policy"],
      ["/verify/?q=a%2Fb", "/verify?q=a%2Fb"],
      ["/verify/0x1//", "/verify/0x1"],
      ["/receipts", "/activity?kind=answer"],
      ["/receipts/?status=broken-off", "/activity?kind=answer&status=broken-off"],
      ["/reports?days=7", "/overview?days=7"],
      ["/receipts/%2F%2Fexample.org/", "/receipts/%2F%2Fexample.org"],
    ]) {
      const { status, headers } = await send(`${url}${path}`, { headers: BROWSER });
      expect([status, headers.location]).toEqual([308, place]);
    }
    const below = await serviceForTest({ web: await loadWeb(await built()), environment: { BASE_PATH: "/memory" } });
    const { status, headers } = await send(`${below.url}/memory/policy/`, { headers: BROWSER });
    expect([status, headers.location]).toEqual([308, "/memory/policy"]);
  });

  test("its page may call the origins of the blob store and of full nodes, and the verifier those of its reader", async () => {
    const { url } = await withApp({
      blobs: { kind: "walrus", aggregator: "https://aggregator.test:8443/walrus" },
      fullNode: "https://node.test",
    });
    const known = ["mainnet", "testnet", "devnet"].map((network) => `https://fullnode.${network}.sui.io`).join(" ");
    const { headers } = await send(url, { headers: BROWSER });
    expect(headers["content-security-policy"]).toContain(
      `; connect-src 'self' https://aggregator.test:8443 https://node.test ${known};`,
    );
    const verifier = await send(`${url}/verify/0x1`, { headers: BROWSER });
    expect(verifier.headers["content-security-policy"]).toContain(
      `https://node.test ${known} https: http://localhost:* http://127.0.0.1:*;`,
    );
  });

  test("files with a hash in their name may be cached for ever, the others are revalidated", async () => {
    const { url } = await withApp();
    const script = await send(`${url}/assets/index-abc.js`);
    expect([script.status, script.text]).toEqual([200, SCRIPT]);
    expect(script.headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringContaining("script-src 'self'"),
    });
    const font = await fetch(`${url}/assets/text-abc.woff2`);
    expect(font.headers.get("content-type")).toBe("font/woff2");
    expect(new Uint8Array(await font.arrayBuffer())).toEqual(FONT);
    const icon = await send(`${url}/gate.svg`);
    expect(icon.headers).toMatchObject({ "content-type": "image/svg+xml", "cache-control": "no-cache" });
    expect((await send(`${url}/assets/index-abc.js`, { method: "HEAD" })).text).toBe("");
  });

  test.for([
    ["gzip, deflate, br", "br"],
    ["gzip, deflate, br;q=0", "gzip"],
    ["GZIP;q=0.5", "gzip"],
    ["identity", undefined],
    ["gzip;q=0", undefined],
    ["gzip; q=0.0, br", "br"],
    ["", undefined],
  ] as const)("'accept-encoding: %s' is respected", async ([encoding, form]) => {
    const { url } = await withApp();
    const { socket, write, everything } = await connectTo(url);
    const head = `host: 127.0.0.1\r\naccept-encoding: ${encoding}\r\nconnection: close\r\n\r\n`;
    write(`GET /assets/index-abc.js HTTP/1.1\r\n${head}`);
    const answer = await everything();
    socket.destroy();
    expect(/content-encoding: (\w+)/i.exec(answer)?.[1]).toBe(form);
    expect(answer.toLowerCase()).toContain("vary: accept-encoding");
    // A text of a hundred equal lines has one of them in its compressed form, too.
    expect(answer.length > SCRIPT.length).toBe(form === undefined);
  });

  test.for([
    ["gzip", gunzipSync],
    ["br", brotliDecompressSync],
  ] as const)(
    "a file compressed by %s has the same content, and compressed formats are not compressed again",
    async ([form, expand]) => {
      const request = { headers: new Headers({ "accept-encoding": form }) };
      const web = await loadWeb(await built());
      const { body, headers } = (await web?.files.get("/assets/index-abc.js")?.(request)) ?? expect.fail();
      expect(headers["content-encoding"]).toBe(form);
      expect(expand(body as Uint8Array).toString()).toBe(SCRIPT);
      const font = await web?.files.get("/assets/text-abc.woff2")?.(request);
      expect(font?.headers).not.toHaveProperty("content-encoding");
    },
  );

  test.for([
    "/index.html",
    "/.portcullis-build",
    "/.vite/manifest.json",
    "/assets",
    "/assets/",
    "/assets/nothing.js",
    "/assets/../index.html",
    "/assets/..%2fgate.svg",
    "/assets/%2e%2e/%2e%2e/secret.txt",
    "/../secret.txt",
    "/secret.txt",
    "/nothing",
    "/receipts/ans_1/more",
  ])("there is nothing at %s", async (path) => {
    const { url } = await withApp();
    const { write, everything } = await connectTo(url);
    write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept: */*\r\nconnection: close\r\n\r\n`);
    const answer = await everything();
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).toContain('"code":"not-found"');
    expect(answer).not.toContain("canary");
  });

  test("pages without script are served for ?plain=1, and to clients that do not ask for HTML", async () => {
    const { url, client } = await withApp();
    const { receipt } = await client.chat({ agentId: "assistant", query: "Dinner?" });
    const { receiptId, txDigest } = await client.anchorOnChain({ receipt });
    for (const path of [`/verify/${receiptId}`, `/ledger/tx/${txDigest}`, `/ledger/object/${receiptId}`]) {
      const plain = await send(`${url}${path}?plain=1`, { headers: BROWSER });
      expect(plain.status).toBe(200);
      expect(plain.text).toContain(receiptId);
      expect(plain.headers["content-security-policy"]).not.toContain("script-src");
      expect((await send(`${url}${path}`, { headers: { accept: "*/*" } })).text).toBe(plain.text);
      expect((await send(`${url}${path}`, { headers: BROWSER })).text).toBe(INDEX);
    }
    const json = await send(`${url}/verify/${receiptId}`, { headers: { accept: "application/json" } });
    expect(JSON.parse(json.text)).toMatchObject({ receiptId, verdict: "verified" });
    expect((await send(`${url}/`, { headers: { accept: "*/*" } })).text).toMatch(/^Portcullis /);
  });

  test("the origin guard protects its files, too", async () => {
    const { url } = await withApp();
    const headers = { ...BROWSER, host: "evil.test" };
    for (const path of ["/", "/assets/index-abc.js"]) {
      expectProblem(await send(`${url}${path}`, { headers }), 403, "forbidden-host");
    }
  });
});

describe("Without a build", () => {
  test("loadWeb gives nothing", async () => {
    expect(await loadWeb(join(await directoryForTest(), "dist"))).toBeUndefined();
    expect(await loadWeb(await directoryForTest())).toBeUndefined();
  });

  test("/ lists the routes, and the pages of the app say that they are not built", async () => {
    const { url } = await serviceForTest();
    expect((await send(url, { headers: BROWSER })).text).toMatch(/^Portcullis /);
    const { status, text } = await send(`${url}/memories`, { headers: BROWSER });
    expect([status, text]).toEqual([404, expect.stringContaining("has no pages")]);
  });
});
