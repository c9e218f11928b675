// The vectors of receipt format 2, checked by the verifier that was written from docs/proof.md.
import { inflateRawSync } from "node:zlib";
import { blake2b } from "@noble/hashes/blake2.js";
import { describe, expect, test } from "vitest";
import commitments from "#test/vectors/receipt-v2/commitments.json" with { type: "json" };
import anchored from "#test/vectors/receipt-v2/ledger.json" with { type: "json" };
import openings from "#test/vectors/receipt-v2/openings.json" with { type: "json" };
import prompts from "#test/vectors/receipt-v2/prompts.json" with { type: "json" };
import receipts from "#test/vectors/receipt-v2/receipts.json" with { type: "json" };
import refused from "#test/vectors/receipt-v2/refused.json" with { type: "json" };
import snippets from "#test/vectors/receipt-v2/snippets.json" with { type: "json" };
import { canonicalJson, type Json } from "./independent/canonical-json.ts";
import { objectDigest } from "./independent/ledger-bytes.ts";
import { block } from "./independent/proof-page.ts";
import { rebuildPrompt } from "./independent/rebuild-prompt.ts";
import {
  commitment,
  digestHex,
  isSigned,
  keyIdOf,
  type OpenReceipt,
  saltOf,
  sealedForm,
} from "./independent/sealed-receipt.ts";
import { snippetOf } from "./independent/snippet.ts";

const publicKey = Buffer.from(receipts.key.publicKey, "hex");
const parsed = (receipt: unknown): OpenReceipt => receipt as OpenReceipt;
const bytesOf = (text: string): Uint8Array => Buffer.from(text, "utf8");

test("salts and commitments", () => {
  for (const { seed, path, value, salt, commitment: expected } of commitments.cases) {
    expect(saltOf(seed, path)).toBe(salt);
    expect(commitment(salt, value as Json)).toBe(expected);
  }
});

describe.for(receipts.cases)(
  "$name",
  ({ receipt, opening, question, filters, prompt, answer, blobs, sealed, signed, withheld }) => {
    const open = parsed(receipt);
    const { commitments: all } = sealedForm(open) as { commitments: Record<string, string> };
    const opened = (path: string, value: Json) => commitment(saltOf(opening.seed, path), value);

    test("has this sealed form, and these bytes are signed", () => {
      expect(sealedForm(open)).toEqual(sealed);
      const message = `portcullis/receipt/v2\0${canonicalJson(sealedForm(open))}`;
      expect(bytesOf(message).toString()).toBe(Buffer.from(signed, "base64").toString());
      expect(open.signature.keyId).toBe(keyIdOf(publicKey));
      expect(isSigned(open, publicKey)).toBe(true);
    });

    test("has the same signature when snippets are withheld", () => {
      const shown = parsed(withheld);
      expect(shown.signature).toEqual(open.signature);
      expect(sealedForm(shown)).toEqual(sealed);
      expect(isSigned(shown, publicKey)).toBe(true);
    });

    test("is opened by its seed", () => {
      for (const [path, salt] of Object.entries(open.evidence.salts)) expect(saltOf(opening.seed, path)).toBe(salt);
      expect(all["/question"]).toBe(opened("/question", question));
      expect(all["/answer"]).toBe(opened("/answer", answer as Json));
      expect(all["/filters"]).toBe(filters && opened("/filters", filters as Json));
      expect(all["/prompt"]).toBe(prompt && opened("/prompt", prompt));
    });

    test("shows the memories of its blobs, and the prompt is made of them", () => {
      const memories = blobs.map((blob, i) => {
        const { content, namespace, occurredAt } = JSON.parse(blob) as Record<string, string>;
        const used = receipt.usedMemories[i] as (typeof receipt.usedMemories)[number] & { pinned?: boolean };
        expect(digestHex(bytesOf(blob))).toBe(used.contentDigest);
        expect(snippetOf(content ?? "")).toBe(used.snippet);
        expect(namespace).toBe(used.namespace);
        return { ...used, content: content ?? "", occurredAt };
      });
      const { template } = open.evidence;
      const asked = { question, createdAt: receipt.createdAt };
      if (template !== null) expect(rebuildPrompt(template, memories, asked)).toEqual(prompt);
    });
  },
);

test.for(refused.cases)("refuses $name", ({ receipt }) => {
  const holds = () => isSigned(parsed(receipt), publicKey);
  let isAccepted = false;
  try {
    isAccepted = holds();
  } catch (error) {
    expect(error).toBeInstanceOf(Error);
  }
  expect(isAccepted).toBe(false);
});

test("prompts", () => {
  for (const { template, memories, question, createdAt, system, user, seed, commitment: expected } of prompts.cases) {
    expect(rebuildPrompt(template, memories, { question, createdAt })).toEqual({ system, user });
    expect(commitment(saltOf(seed, "/prompt"), { system, user })).toBe(expected);
  }
});

test("snippets", () => {
  for (const { content, snippet } of snippets.cases) expect(snippetOf(content)).toBe(snippet);
});

test("the example of the page is the first vector", () => {
  const first = receipts.cases[0] ?? expect.fail("a vector");
  expect(JSON.parse(block("example-receipt"))).toEqual(first.receipt);
  expect(block("example-blob")).toBe(first.blobs[0]);
  const values = new Map(
    block("example-values")
      .split("\n")
      .map((line) => [line.slice(0, 12).trim(), line.slice(14)]),
  );
  expect(values.get("opening")).toBe(canonicalJson(first.opening as Json));
  expect(values.get("its salt")).toBe(saltOf(first.opening.seed, "/question"));
  for (const [name, path] of [
    ["commitment", "/question"],
    ["/agentId", "/agentId"],
  ] as const)
    expect(values.get(name)).toBe((first.sealed.commitments as Record<string, string>)[path]);
  const message = bytesOf(`portcullis/receipt/v2\0${canonicalJson(first.sealed as unknown as Json)}`);
  expect(values.get("signed bytes")).toBe(`${message.length}, of blake2b256 ${digestHex(message)}`);
  expect(values.get("key id")).toBe(keyIdOf(publicKey));
  const blob = canonicalJson(first.receipt as unknown as Json);
  expect(values.get("blob digest")).toBe(digestHex(bytesOf(blob)));
  expect(values.get("receipt id")).toBe(anchored.receiptId);
  expect(values.get("its digest")).toBe(objectDigest(Buffer.from(anchored.receipt.bcs, "base64")));
});

describe.for(openings.cases)("$name, anchored sealed", ({ name, blob, digest, openings: documents }) => {
  const { receipt, opening } = receipts.cases.find((one) => one.name === name) ?? expect.fail("a receipt of this name");
  const form = sealedForm(parsed(receipt)) as { commitments: Record<string, string> };

  test("is the sealed form with its signature", () => {
    expect(blob).toBe(canonicalJson({ ...form, signature: receipt.signature } as unknown as Json));
    expect(digestHex(bytesOf(blob))).toBe(digest);
  });

  test("is opened by each of its openings, as far as that goes", () => {
    for (const { text, fragment, opens } of documents) {
      expect(inflateRawSync(Buffer.from(fragment, "base64url")).toString()).toBe(text);
      const { v, seed, salts = {}, values } = JSON.parse(text);
      expect([v, seed === undefined || seed === opening.seed]).toEqual([2, true]);
      expect(Object.keys(values)).toEqual(opens);
      for (const [path, value] of Object.entries(values))
        expect(commitment(seed === undefined ? salts[path] : saltOf(seed, path), value as Json)).toBe(
          form.commitments[path],
        );
    }
    expect(documents[0]?.opens).toHaveLength(Object.keys(form.commitments).length);
  });
});

test("pseudonyms of names", () => {
  for (const { secret, name, salt, pseudonym } of openings.names) {
    expect(Buffer.from(blake2b(bytesOf(name), { key: Buffer.from(secret, "hex"), dkLen: 32 })).toString("hex")).toBe(
      salt,
    );
    const hashed = Buffer.concat([bytesOf("portcullis/name/v1\0"), Buffer.from(salt, "hex"), bytesOf(name)]);
    expect(digestHex(hashed)).toBe(pseudonym);
  }
});
