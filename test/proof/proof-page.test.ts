// docs/proof.md against the code: a verifier that was written from the page gives the same bytes as the service.
import { readFileSync } from "node:fs";
import { bcs } from "@mysten/sui/bcs";
import { Ed25519Keypair } from "@mysten/sui/keypairs/ed25519";
import { deriveDynamicFieldID } from "@mysten/sui/utils";
import { ed25519 } from "@noble/curves/ed25519.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { ESCAPED_RANGES } from "#core/prompt/escaped-json.ts";
import { promptFrom } from "#core/prompt/prompt.ts";
import { promptText } from "#core/prompt/template.ts";
import { snippetOf } from "#core/receipt/receipt.ts";
import { isSignatureBy } from "#core/receipt/signature.ts";
import { CHECK_CODES } from "#core/verify/check.ts";
import { hostileTexts, namespaces } from "#test/support/arbitraries.ts";
import { runs } from "#test/support/runs.ts";
import { receiptIdOf } from "#test/support/sdk-receipt-id.ts";
import * as page from "./independent/canonical-json.ts";
import * as ledger from "./independent/ledger-bytes.ts";
import { codePoints, data } from "./independent/proof-page.ts";
import * as prompts from "./independent/rebuild-prompt.ts";
import * as snippets from "./independent/snippet.ts";

/** Long and short, with every kind of white space and of invisible characters. */
const longTexts = fc
  .array(
    fc.oneof(hostileTexts, fc.constantFrom(" ", "\t\n", "\u00a0", "\u3000 ", "\u2028", "\ufeff", "𝒳", "\u{e0041}")),
    {
      maxLength: 40,
    },
  )
  .map((parts) => parts.join("").toWellFormed());

test("the page is half as long as it was, with 8,900 words", () => {
  const text = readFileSync(new URL("../../docs/proof.md", import.meta.url), "utf8");
  expect(text.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(4_450);
});

test("canonical JSON", () => {
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom(null, true, false),
      fc.nat(),
      longTexts,
      fc.array(tie("value")),
      fc.dictionary(longTexts, tie("value")),
    ),
  }));
  fc.assert(
    fc.property(value, (json) => {
      expect(page.canonicalJson(json as page.Json)).toBe(canonicalJson(json));
    }),
  );
});

test("the white space of a snippet", () => {
  const isWhiteSpace = codePoints("whiteSpace");
  for (let code = 0; code <= 0xffff; code++) {
    const character = String.fromCodePoint(code);
    const isReplaced = snippetOf(`${character}a${character}b`) === "a b";
    if (isWhiteSpace(code) !== isReplaced) expect.fail(`U+${code.toString(16)}`);
  }
});

test("the snippet", () => {
  fc.assert(
    fc.property(longTexts, (content) => {
      expect(snippets.snippetOf(content)).toBe(snippetOf(content));
    }),
    { numRuns: runs(1_000) },
  );
});

describe("the prompt", () => {
  test("has the same escaped characters", () => {
    const isEscaped = codePoints("escaped");
    for (let code = 0; code <= 0x10ffff; code++) {
      const isListed = ESCAPED_RANGES.some(([first, last]) => first <= code && code <= last);
      if (isEscaped(code) !== isListed) expect.fail(`U+${code.toString(16)}`);
    }
  });

  test("is the same for every template, whatever the memories and the question", () => {
    const templates = fc.constantFrom("assistant/1", "assistant-urgent/1", "companion/1", "companion-urgent/1");
    const memories = fc
      .record({
        namespace: namespaces,
        content: longTexts,
        pinned: fc.constantFrom(true as const, undefined),
        occurredAt: fc.constantFrom(undefined, "2026-05-12", "2026-05-12T21:00:00.000Z", "<​𝒳>, and not a time"),
        at: fc.nat(),
      })
      .map(({ content, at, ...fact }) => ({ ...fact, content, given: at % 2 ? content.length : cut(content, at) }));
    fc.assert(
      fc.property(templates, fc.array(memories), longTexts, (template, facts, question) => {
        const asked = { question, createdAt: "2026-05-01T10:00:00.000Z" };
        const given = facts.map((fact) => promptText(fact, fact.given));
        expect(prompts.rebuildPrompt(template, facts, asked)).toEqual(promptFrom(template, given, asked));
      }),
    );
  });
});

/** A place in the text, not within a surrogate pair. */
function cut(text: string, at: number): number {
  return text.slice(0, at % (text.length + 1)).replace(/[\ud800-\udbff]$/, "").length;
}

describe("the ledger", () => {
  const ids = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => `0x${Buffer.from(bytes).toString("hex")}`);
  const digests = fc.uint8Array({ minLength: 32, maxLength: 32 });
  const versions = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

  test("derives the same ids of receipts", () => {
    fc.assert(
      fc.property(
        ids,
        ids,
        digests,
        fc.array(longTexts),
        versions,
        (packageId, gateId, digest, claimed, policyVersion) => {
          const key = { digest, claimed, policyVersion };
          expect(ledger.receiptId({ packageId, gateId }, key)).toBe(receiptIdOf({ packageId, gateId }, key));
        },
      ),
    );
  });

  test("derives the same ids of a table's entries", () => {
    fc.assert(
      fc.property(ids, ids, longTexts, longTexts, versions, (packageId, table, agent, namespace, version) => {
        const name = bcs.tuple([bcs.string(), bcs.string()]).serialize([agent, namespace]).toBytes();
        const access = deriveDynamicFieldID(table, `${packageId}::gate::AccessKey`, name);
        expect(ledger.accessEntryId(packageId, table, agent, namespace)).toBe(access);
        const closed = deriveDynamicFieldID(table, "u64", bcs.u64().serialize(version).toBytes());
        expect(ledger.closedEntryId(table, version)).toBe(closed);
      }),
    );
  });

  test("signs transactions in the same way", async () => {
    const keypair = new Ed25519Keypair();
    const bytes = new Uint8Array(200).fill(7);
    const { signature } = await keypair.signTransaction(bytes);
    expect(ledger.signerOf(bytes, signature)).toBe(keypair.toSuiAddress());
    expect(ledger.signerOf(bytes.with(0, 8), signature)).toBeUndefined();
  });
});

test("the data file lists the keys of small order, which the verifier refuses", () => {
  const listed = data.smallOrder;
  const points = listed.map((hex) => ed25519.Point.fromHex(hex));
  expect(points.every((point) => point.isSmallOrder())).toBe(true);
  expect(new Set(points.map((point) => point.toHex())).size).toBe(8);
  // Whoever believes the neutral element believes this, whatever was signed.
  const anything = Buffer.concat([Buffer.from("01".padEnd(64, "0"), "hex"), Buffer.alloc(32)]);
  for (const hex of listed)
    expect(isSignatureBy(anything.toString("base64url"), Buffer.from("x"), Buffer.from(hex, "hex"))).toBe(false);
});

test("the page has every check of ours, in their order, and every code with what it makes of the check", () => {
  const page = readFileSync(new URL("../../docs/proof.md", import.meta.url), "utf8");
  const text = page.split("### The checks\n")[1]?.split("\n## ")[0] ?? "";
  const named: Record<string, Record<string, string>> = {};
  for (const [, check, codes = ""] of text.matchAll(/^(?:\*\*`(\w+)`\*\*)?(.*?) \|/gm)) {
    if (check !== undefined) named[check] = {};
    const known = named[Object.keys(named).at(-1) ?? ""] ?? {};
    for (const [, code = "", mark] of codes.matchAll(/`([\w-]+)`(\??)/g))
      known[code] = mark === "?" ? "unknown" : "fail";
  }
  expect(Object.keys(named)).toEqual(Object.keys(CHECK_CODES));
  expect(named).toEqual(CHECK_CODES);
});
