// The page at /verify/<receiptId>: what it shows, and that no data from outside becomes markup.
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { verifyPage } from "#http/pages/verify-page.ts";
import { prefersJson } from "#http/request/read-input.ts";
import { createVerifier } from "#service/anchoring/verifier.ts";
import { anchored, RECEIPT_ID, TX_DIGEST, utf8, withChain, withMemory } from "#test/support/anchored-receipt.ts";
import { verifierPartsOf } from "#test/support/verifier-parts.ts";

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const SCRIPT = "<script>alert(1)</script>";

interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

async function open(
  { parts, ...seen }: Pick<ReturnType<typeof verifierPartsOf>, "parts" | "receiptId">,
  { receiptId = seen.receiptId, accept = BROWSER, aggregator = "" } = {},
): Promise<Page> {
  const request = new Request(`http://127.0.0.1:3000/verify/${RECEIPT_ID}`, { headers: { accept } });
  const reply = await verifyPage({ verifier: createVerifier(parts) }, request, {
    baseUrl: "http://127.0.0.1:3000",
    receiptId,
    ...(aggregator !== "" && { aggregator }),
  });
  return { status: reply.status ?? 200, headers: reply.headers, body: reply.body as string };
}

/** The text that a person reads, without the markup. */
function textOf(body: string): string {
  const text = body.replace(/<style>[\s\S]*?<\/style>|<svg[\s\S]*?<\/svg>/g, "").replace(/<[^>]*>/g, "");
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
}

const ATTRIBUTES = "aria-hidden charset class content cx cy d datetime fill href id lang name r rel viewBox".split(" ");

/** Expects balanced tags, quoted attributes, and nothing that runs or loads. */
function expectSafeMarkup(body: string): void {
  const open: string[] = [];
  for (const [, closing, name = "", attributes = "", empty] of body.matchAll(/<(\/?)([\w!]+)((?:\s[^<>]*?)?)(\/?)>/g)) {
    expect(attributes).toMatch(/^(?:\s+[\w-]+="[^"<>]*"|\s+html)*\s*$/);
    for (const [, attribute] of attributes.matchAll(/([\w-]+)="[^"]*"/g)) expect(ATTRIBUTES).toContain(attribute);
    expect(["script", "iframe", "img", "link", "object", "form", "base"]).not.toContain(name);
    if (closing === "/") expect(open.pop()).toBe(name);
    else if (empty !== "/" && !["!doctype", "meta", "wbr"].includes(name)) open.push(name);
  }
  expect(open).toEqual([]);
  expect(body.replace(/<style>[\s\S]*?<\/style>/, "").match(/</g)?.length).toBe(
    [...body.replace(/<style>[\s\S]*?<\/style>/, "").matchAll(/<\/?[\w!][^<>]*>/g)].length,
  );
}

const good = anchored();
const [firstRef = ""] = good.memories.keys();

describe("the page shows", () => {
  test("verified, with every check, every memory and the commands to repeat them", async () => {
    const { status, body, headers } = await open(verifierPartsOf(good));
    expect(status).toBe(200);
    expect(headers).toMatchObject({ "content-type": "text/html; charset=utf-8", vary: "accept" });
    expectSafeMarkup(body);
    const text = textOf(body);
    expect(body).toContain("<h1>Verified</h1>");
    expect(text).toContain("All 17 checks passed, against a full node that the operator chose.");
    expect(text.match(/Pass/g)).toHaveLength(17);
    for (const shown of ["assistant", "Fish on Fridays", RECEIPT_ID, good.object.receipt.digest, TX_DIGEST, firstRef]) {
      expect(text).toContain(shown);
    }
    expect(body).toContain(`<a href="https://explorer.test/tx/${TX_DIGEST}"`);
    expect(text).toContain("| b2sum -l 256");
  });

  test("failed, with the difference", async () => {
    const altered = new TextDecoder().decode(good.blob).replace("Fish", "Fisk");
    const { status, body } = await open(verifierPartsOf({ ...good, blob: utf8(altered) }));
    expect(status).toBe(200);
    expectSafeMarkup(body);
    expect(body).toContain("<h1>Failed: its text was changed</h1>");
    expect(textOf(body)).toContain("1 of 16 checks failed");
    expect(body).toMatch(/<dt>expected<\/dt><dd>.*<mark>/);
    expect(body).not.toContain("Fisk");
  });

  test("unknown, and never verified, if the ledger or the store does not answer", async () => {
    for (const seen of [{ ...good, object: "unreachable" as const }, withMemory(good, firstRef, "unreachable")]) {
      const { status, body } = await open(verifierPartsOf(seen));
      expect(status).toBe(200);
      expectSafeMarkup(body);
      expect(body).toContain("<h1>Unknown</h1>");
      expect(body).not.toContain("Verified");
    }
  });

  test("which part of two values differs", async () => {
    const { body } = await open(verifierPartsOf(withChain(good, { agent: "assistent" })));
    expect(body).toContain("<dd>assist<mark>e</mark>nt</dd>");
    expect(body).toContain("<dd>assist<mark>a</mark>nt</dd>");
  });

  test("that the ledger is the service's own, if it is", async () => {
    const { body } = await open(
      verifierPartsOf(good, { network: "local", explorerUrl: (digest) => `/ledger/${digest}` }),
    );
    expect(textOf(body)).toContain("against this service’s own local ledger");
    expect(textOf(body)).toContain(`curl -s 'http://127.0.0.1:3000/api/ledger/objects/${RECEIPT_ID}'`);
    expect(body).toContain(`href="http://127.0.0.1:3000/ledger/${TX_DIGEST}"`);
  });

  test("directly under the verdict, what the proof does not show with this ledger and this store", async () => {
    const limitsOf = (body: string) => textOf(/<section class="limits">[\s\S]*?<\/section>/.exec(body)?.[0] ?? "");
    const own = verifierPartsOf(good, { network: "local" });
    const local = await open(own);
    expect(local.body.indexOf('class="limits"')).toBeLessThan(local.body.indexOf('class="facts"'));
    expect(limitsOf(local.body)).toContain("this service’s own, on one machine, and not Sui");
    expect(limitsOf(local.body)).toContain("the service’s own mock store");
    expect(limitsOf(local.body)).not.toContain("the policy stood before the answer");

    expect(limitsOf(local.body)).not.toContain("version");

    const late = verifierPartsOf(withChain(good, { closedAtMs: 1_777_629_600_000 }));
    const { body } = await open(late, { aggregator: "https://aggregator.test" });
    expect(limitsOf(body)).toContain("the full node that says so was chosen by the operator");
    expect(limitsOf(body)).toContain("the policy stood before the answer");
    expect(limitsOf(body)).not.toMatch(/mock store|one machine/);
  });

  test("the aggregator that has the blobs", async () => {
    const { body } = await open(verifierPartsOf(good), { aggregator: "https://aggregator.test" });
    expect(textOf(body)).toContain(`curl -s 'https://aggregator.test/v1/blobs/${good.object.receipt.blobId}'`);
  });

  test("a receipt with 256 memories and 1,000 blocked namespaces, and a time beyond any calendar", async () => {
    const facts = Array.from({ length: 256 }, (_, i) => ({ namespace: "n", content: `Fact ${i}`, sourceAgent: "a" }));
    const blockedNamespaces = Array.from({ length: 1_000 }, (_, i) => `b${i}`);
    const large = withChain(anchored({ facts, blockedNamespaces }), { anchoredAtMs: 2 ** 63 });
    const { body } = await open(verifierPartsOf(large));
    expectSafeMarkup(body);
    expect(textOf(body)).toContain("Memory 256 in n");
    expect(textOf(body)).toContain("and 976 more");
    expect(textOf(body)).toContain("9223372036854776000");
  });
});

describe("a browser gets a page, not JSON, that says that", () => {
  test("there is no such receipt", async () => {
    const { status, body } = await open(verifierPartsOf(good), { receiptId: "0x1" });
    expect(status).toBe(404);
    expectSafeMarkup(body);
    expect(textOf(body)).toContain("The ledger has no object with this id.");
  });

  test("the object belongs to another package", async () => {
    const { status, body } = await open(verifierPartsOf(good, { packageId: async () => `0x${"ac".repeat(32)}` }));
    expect(status).toBe(404);
    expect(textOf(body)).toContain("not a Receipt of our package");
  });

  test.for(["0x", "0xzz", SCRIPT, "../../etc/passwd", "0x1\u0000"])("%j is not an id", async (receiptId) => {
    const { status, body, headers } = await open(verifierPartsOf(good), { receiptId });
    expect(status).toBe(400);
    expect(headers["content-type"]).toMatch(/^text\/html/);
    expectSafeMarkup(body);
    expect(textOf(body)).toContain("Not a receipt id");
  });
});

describe("no data from outside becomes markup or style", () => {
  const hostile = [SCRIPT, '"><img src=x onerror=alert(1)>', "' onmouseover='alert(1)", "</style><b>", "&lt;&#60;"];

  test.for(hostile)("when the agent, the namespace, the text and the ids are %s", async (text) => {
    const name = text.slice(0, 64);
    const facts = [{ namespace: name, content: text, sourceAgent: name }];
    const hostileReceipt = { agentId: name, facts, blockedNamespaces: [name], idOf: () => text };
    const explorerUrl = () => `https://explorer.test/${text}`;
    for (const seen of [
      anchored(hostileReceipt),
      withChain(anchored(hostileReceipt), { agent: `${text}x`, claimed: [text] }),
    ]) {
      const { body } = await open(verifierPartsOf(seen, { network: text, explorerUrl }));
      expectSafeMarkup(body);
      expect(textOf(body)).toContain(name);
    }
  });

  test("when the object's type is markup", async () => {
    const object = { ...good.object, type: SCRIPT };
    const { body } = await open(verifierPartsOf({ ...good, object }));
    expectSafeMarkup(body);
    expect(textOf(body)).toContain(SCRIPT);
  });

  test("when the explorer's URL is a script: the page does not link to it", async () => {
    for (const url of ["javascript:alert(1)", "data:text/html,x"]) {
      const { body } = await open(verifierPartsOf(good, { explorerUrl: () => url }));
      expect(body).not.toContain(`href="${url}`);
    }
  });

  test("and invisible or direction-changing characters are shown by their code points", async () => {
    const agentId = "a\u202eb\u2066c\u200bd\u{e0041}e";
    const { body } = await open(verifierPartsOf(anchored({ agentId, facts: [] })));
    expect(body).not.toMatch(/[\u200b\u202e\u2066\u{e0041}]/u);
    expect(textOf(body)).toContain("a⟨U+202E⟩b⟨U+2066⟩c⟨U+200B⟩d⟨U+E0041⟩e");
  });

  test("and a blob id with shell syntax cannot run in the commands shown", async () => {
    const { body } = await open(verifierPartsOf(anchored({ idOf: () => "x'; rm -rf ~ #$(id)`id`" })));
    const commands = [...body.matchAll(/<pre><code>([\s\S]*?)<\/code><\/pre>/g)].map(([, code = ""]) => textOf(code));
    expect(commands).toHaveLength(4);
    for (const command of commands) {
      expect(command).not.toMatch(/rm -rf|\$\(|`/);
      expect(command.match(/'/g)?.length ?? 0).toSatisfy((quotes: number) => quotes % 2 === 0);
    }
  });
});

describe("the content security policy", () => {
  test("allows nothing but the page's own style", async () => {
    for (const receiptId of [RECEIPT_ID, "0x1", "nonsense"]) {
      const { headers, body } = await open(verifierPartsOf(good), { receiptId });
      const style = /<style>([\s\S]*?)<\/style>/.exec(body)?.[1] ?? "";
      const hash = createHash("sha256").update(style).digest("base64");
      expect(headers["content-security-policy"]?.split("; ")).toEqual([
        "default-src 'none'",
        `style-src 'sha256-${hash}'`,
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
      ]);
    }
  });
});

describe("a request for JSON", () => {
  const accept = "application/json";

  test("gets the API's answer, or its problem", async () => {
    const { status, headers, body } = await open(verifierPartsOf(good), { accept });
    expect([status, headers["content-type"], headers.vary]).toEqual([200, "application/json", "accept"]);
    expect(JSON.parse(body)).toMatchObject({ verdict: "verified", receiptId: RECEIPT_ID });
    expect((await open(verifierPartsOf(good), { accept, receiptId: "0x1" })).status).toBe(404);
    await expect(open(verifierPartsOf(good), { accept, receiptId: "nonsense" })).rejects.toMatchObject({
      code: "invalid-request",
    });
  });

  test.for([
    ["application/json", true],
    ["APPLICATION/JSON; charset=utf-8", true],
    ["application/json, text/plain, */*", true],
    ["application/json, text/html;q=0.9", true],
    ["text/html, application/json", false],
    ["text/html;q=0.5, application/*;q=0.7", true],
    ["text/html;q=0, */*;q=0.1", true],
    [BROWSER, false],
    ["*/*", false],
    ["", false],
    ["image/png", false],
    ["application/json;q=oops, text/*;q=0.1", false],
    [",;,=;q", false],
  ] as const)("is recognized by Accept: %s", ([header, isJson]) => {
    expect(prefersJson(header)).toBe(isJson);
  });
});
