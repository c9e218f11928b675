// What the shapes of the contract leave open of a record in an export. Anybody can make one and sign it, and what is on
// record later is read without a check.
import { hexToBytes } from "@noble/hashes/utils.js";
import { orUndefined } from "#core/defined.ts";
import { depthOf, MOST_DEPTH } from "#core/encoding/json-depth.ts";
import { keyFault, LIMITS, textFault } from "#core/encoding/text-validation.ts";
import { isComplete } from "#core/receipt/receipt.ts";
import * as receipts from "#core/receipt/receipt-shape.ts";
import { keyIdOf } from "#core/receipt/signature.ts";
import type { ExportedKey, ExportRecord, RecordOf } from "./export-format.ts";

type RecordFault = { readonly path: readonly PropertyKey[]; readonly message: string };

export function recordFault(record: ExportRecord): RecordFault | undefined {
  switch (record.kind) {
    case "memory":
      return memoryFault(record.memory) ?? textsFault(record);
    case "receipt":
      return malformed("receipt", faultOf(record.receipt));
    case "anchor":
      return malformed("body", anchoredFault(record));
    default:
      return textsFault(record);
  }
}

/** Receipts name a key by its id alone. */
export function keysFault(keys: readonly ExportedKey[]): RecordFault | undefined {
  const at = keys.findIndex(({ keyId, publicKey }) => keyIdOf(hexToBytes(publicKey)) !== keyId);
  return at === -1 ? undefined : { path: ["keys", at, "keyId"], message: "is not the id of its public key" };
}

/** The content of an encrypted one is the text of its blob. */
function memoryFault({ content, encryption, key }: RecordOf<"memory">["memory"]): RecordFault | undefined {
  return (
    faultAt(["memory", "content"], encryption === undefined ? textFault(content, LIMITS.content) : undefined) ??
    faultAt(["memory", "key"], key === undefined ? undefined : keyFault(key))
  );
}

/** In the middle of an import, a database would refuse the text, or change it. */
function textsFault(value: unknown): RecordFault | undefined {
  if (typeof value === "string")
    return faultAt([], NOT_KEPT.test(value) ? "must not contain NUL or lone surrogates" : undefined);
  if (typeof value !== "object" || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    const fault = textsFault(member);
    if (fault !== undefined) return { ...fault, path: [name, ...fault.path] };
  }
  return undefined;
}

const NOT_KEPT = /[\0\p{Cs}]/u;

const faultOf = (receipt: RecordOf<"receipt">["receipt"]) =>
  isComplete(receipt) ? receipts.recordedReceiptFault(receipt) : receipts.begunReceiptFault(receipt);

/** Of a receipt that was not issued where it was anchored, only the specification's fields are known. */
function anchoredFault({ body, issued }: RecordOf<"anchor">): string | undefined {
  const value = depthOf(body) > MOST_DEPTH ? undefined : orUndefined(() => JSON.parse(body) as unknown);
  if (receipts.looksSealed(value)) return receipts.sealedReceiptFault(value);
  const fault = receipts.receiptFault(value);
  return fault === undefined && issued && receipts.isReceipt(value) ? receipts.signedReceiptFault(value) : fault;
}

const malformed = (field: string, fault: string | undefined) =>
  faultAt([field], fault && `is no receipt that can be verified: ${fault}`);

const faultAt = (path: readonly PropertyKey[], message: string | undefined): RecordFault | undefined =>
  message === undefined ? undefined : { path, message };
