// The examples of docs/proof.md: blocks whose names begin with `example-`, filled from the first vector and its anchor.
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { digestHex, digestOf } from "#core/encoding/digest.ts";
import { commitmentTo, saltOf } from "#core/receipt/commitment.ts";
import { signedBytes } from "#core/receipt/sealed-form.ts";
import { ANSWERS, PUBLIC_KEY } from "./inputs.ts";
import { ledgerVectors } from "./ledger.ts";
import { KEY_ID, receiptVector } from "./receipts.ts";

const BLOCK = /^```(text|json) (example-[a-z-]+)\n(?:[\s\S]*?\n)??```$/gm;

/** The page with its examples filled in. */
export async function withExamples(page: string): Promise<string> {
  const examples = await exampleBlocks();
  return page.replace(BLOCK, (_, language: string, name: string) => {
    const text = examples.get(name);
    if (text === undefined) throw new Error(`no example ${name}`);
    return `\`\`\`${language} ${name}\n${text}\n\`\`\``;
  });
}

async function exampleBlocks(): Promise<Map<string, string>> {
  const vector = receiptVector(ANSWERS[0] as (typeof ANSWERS)[number], 0);
  const { receipt, opening, question, sealed, blobs } = vector;
  const { receiptId, ...anchor } = await ledgerVectors(vector);
  const salt = saltOf(Buffer.from(opening.seed, "hex"), "/question");
  const values = {
    opening: canonicalJson(opening),
    question: JSON.stringify(question),
    "its salt": Buffer.from(salt).toString("hex"),
    commitment: commitmentTo(salt, question),
    "/agentId": sealed.commitments["/agentId"],
    "signed bytes": `${signedBytes(sealed).length}, of blake2b256 ${digestHex(signedBytes(sealed))}`,
    "public key": PUBLIC_KEY,
    "key id": KEY_ID,
    "blob digest": digestOf(receipt),
    package: anchor.packageId,
    gate: anchor.gateId,
    "receipt id": receiptId,
    "its entry": anchor.closingId,
    "its digest": anchor.receipt.digest,
    transaction: anchor.transaction.digest,
    signer: anchor.transaction.signer,
  };
  const lines = Object.entries(values).map(([name, value]) => `${name.padEnd(12)}  ${value}`);
  return new Map([
    ["example-blob", blobs[0] ?? ""],
    ["example-receipt", JSON.stringify(receipt, null, 2)],
    ["example-values", lines.join("\n")],
  ]);
}
