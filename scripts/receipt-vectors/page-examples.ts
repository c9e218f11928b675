// The examples of docs/proof.md: blocks whose names begin with `example-`, filled from the first vector.
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { commitmentTo, saltOf } from "#core/receipt/commitment.ts";
import { ANSWERS, PUBLIC_KEY } from "./inputs.ts";
import { KEY_ID, receiptVector } from "./receipts.ts";

const BLOCK = /^```(text|json) (example-[a-z-]+)\n(?:[\s\S]*?\n)??```$/gm;

/** The page with its examples filled in. */
export function withExamples(page: string): string {
  const examples = exampleBlocks();
  return page.replace(BLOCK, (_, language: string, name: string) => {
    const text = examples.get(name);
    if (text === undefined) throw new Error(`no example ${name}`);
    return `\`\`\`${language} ${name}\n${text}\n\`\`\``;
  });
}

function exampleBlocks(): Map<string, string> {
  const vector = receiptVector(ANSWERS[0] as (typeof ANSWERS)[number], 0);
  const { receipt, opening, question, sealed, blobs } = vector;
  const salt = saltOf(Buffer.from(opening.seed, "hex"), "/question");
  const pretty = (value: unknown) => JSON.stringify(value, null, 2);
  return new Map([
    ["example-blob", blobs[0] ?? ""],
    ["example-receipt", pretty(receipt)],
    ["example-opening", canonicalJson(opening)],
    [
      "example-question",
      [
        `question    ${JSON.stringify(question)}`,
        `salt        ${Buffer.from(salt).toString("hex")}`,
        `commitment  ${commitmentTo(salt, question)}`,
      ].join("\n"),
    ],
    ["example-sealed", pretty(sealed)],
    [
      "example-signature",
      [`public key  ${PUBLIC_KEY}`, `key id      ${KEY_ID}`, `signature   ${receipt.signature.value}`].join("\n"),
    ],
  ]);
}
