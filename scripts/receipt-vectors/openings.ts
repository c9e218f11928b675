// Sealed receipts as they are anchored, with openings: of everything, of what an open form shows, and of one field.
import { deflateRawSync } from "node:zlib";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { digestOfText } from "#core/encoding/digest.ts";
import { nameSalt, pseudonymOf } from "#core/ledger/pseudonym.ts";
import { type Held, openingOfAll, openingOfSome } from "#core/receipt/held-values.ts";
import { type OpeningDocument, openingText } from "#core/receipt/opening.ts";
import { sealedReceiptOf } from "#core/receipt/receipt-shape.ts";
import { seedFrom } from "./inputs.ts";
import type { ReceiptVector } from "./receipts.ts";

export function openingVectors(receipts: readonly ReceiptVector[]) {
  return { cases: receipts.map(caseOf), names: nameVectors() };
}

function caseOf({ name, receipt, opening, question, filters, answer, blobs }: ReceiptVector) {
  const blob = canonicalJson(sealedReceiptOf(receipt));
  const words = typeof answer === "string" ? { answer } : {};
  const of = (held: Held) => openingOfAll(receipt, opening.seed, held);
  const openings = [
    of({ question, filters, ...words, blobs }),
    of({}),
    openingOfSome(opening.seed, [["/agentId", receipt.agentId]]),
  ].map(written);
  return { name, blob, digest: digestOfText(blob), openings };
}

/** DEFLATE has many encodings of one text. This is one of them. */
function written(document: OpeningDocument) {
  const text = openingText(document);
  return {
    text,
    fragment: deflateRawSync(Buffer.from(text)).toString("base64url"),
    opens: Object.keys(document.values ?? {}),
  };
}

function nameVectors() {
  const secret = seedFrom(7);
  return ["assistant", "diet", "Küche 🔒"].map((name) => {
    const salt = nameSalt(secret, name);
    const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");
    return { secret: hex(secret), name, salt: hex(salt), pseudonym: pseudonymOf(salt, name) };
  });
}
