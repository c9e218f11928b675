import { deflateRawSync, inflateRawSync } from "node:zlib";
import { expect, test } from "vitest";
import { LARGEST_OPENING, readOpeningDocument } from "#core/receipt/opening.ts";
import { readFragment, writeFragment } from "#web/receipt/opening-link.ts";

const pack = (text: string): string => deflateRawSync(Buffer.from(text)).toString("base64url");

test("a fragment is base64url of the raw DEFLATE of the canonical JSON, and is read back", async () => {
  const fragment = await writeFragment({ values: { "/answer": "Fish — 魚" }, seed: "ab".repeat(32), v: 2 });
  const text = `{"seed":"${"ab".repeat(32)}","v":2,"values":{"/answer":"Fish — 魚"}}`;
  expect(inflateRawSync(Buffer.from(fragment, "base64url")).toString()).toBe(text);
  expect(await readFragment(fragment)).toBe(text);
});

test.for(["", "*", "a b", "AAAA", pack("{}").slice(0, -2), pack("\ud800").replace(/^/, "="), "%7B%7D"])(
  "%j is no opening",
  async (fragment) =>
    expect(readOpeningDocument(await readFragment(fragment))).toMatchObject({ code: "opening-malformed" }),
);

test("a small fragment that unpacks to a large text is refused, and not unpacked as a whole", async () => {
  const text = await readFragment(pack("x".repeat(50 * LARGEST_OPENING)));
  expect(text.length).toBeLessThan(2 * LARGEST_OPENING);
  expect(readOpeningDocument(text)).toMatchObject({ code: "opening-too-large" });
});
