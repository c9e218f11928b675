// A file that somebody holds of an answer: a receipt, a reply of the service that has one, a shared proof, or a bundle. It is read in
// this browser and sent nowhere.

import { orUndefined } from "#core/defined.ts";
import { fullAddress } from "#core/encoding/address.ts";
import { type OpeningDocument, openingText, readOpening } from "#core/receipt/opening.ts";
import { type HeldReceipt, readHeldReceipt } from "#core/verify/held-receipt.ts";
import { type Bundle, LARGEST_BUNDLE, looksBundled, readBundle } from "#verification/bundle.ts";

export type HeldFile =
  | { readonly kind: "receipt"; readonly held: HeldReceipt; readonly opening?: string; readonly answer?: string }
  /** It names an object on the ledger. */
  | { readonly kind: "proof"; readonly receiptId: string; readonly opening?: OpeningDocument }
  /** What `portcullis proof` wrote: it is verified as it is. */
  | { readonly kind: "bundle"; readonly bundle: Bundle }
  | { readonly kind: "none"; readonly fault: string };

export async function readFile(file: Blob): Promise<HeldFile> {
  if (file.size > LARGEST_BUNDLE)
    return none(`It is larger than ${LARGEST_BUNDLE / 1024 / 1024} MB, which no receipt is.`);
  const text = await file.text().catch(() => undefined);
  return text === undefined ? none("It cannot be read.") : readText(text);
}

export function readText(text: string): HeldFile {
  const value = orUndefined((): unknown => JSON.parse(text.replace(/^\uFEFF/, "")));
  if (typeof value !== "object" || value === null || Array.isArray(value)) return none("It is not a JSON object.");
  if (looksBundled(value)) {
    const reading = readBundle(value);
    return "bundle" in reading ? { kind: "bundle", ...reading } : none(`Of this proof, ${reading.fault}.`);
  }
  const { receipt, receiptId, opening, answer } = value as Readonly<Record<string, unknown>>;
  const document = opening === undefined ? undefined : openingIn(opening);
  const address = typeof receiptId === "string" ? fullAddress(receiptId) : undefined;
  if (address !== undefined) return { kind: "proof", receiptId: address, ...(document && { opening: document }) };
  const reading = readHeldReceipt(receipt ?? value);
  if ("held" in reading) {
    return {
      kind: "receipt",
      held: reading.held,
      ...(document && { opening: openingText(document) }),
      ...(typeof answer === "string" && { answer }),
    };
  }
  if (readOpening(text) !== undefined)
    return none("It is an opening. Drop the receipt, or enter its id; then enter the opening under “What you hold”.");
  return none(reading.fault);
}

const openingIn = (value: unknown): OpeningDocument | undefined =>
  readOpening(typeof value === "string" ? value : (orUndefined(() => JSON.stringify(value)) ?? ""));

const none = (fault: string): HeldFile => ({ kind: "none", fault });
