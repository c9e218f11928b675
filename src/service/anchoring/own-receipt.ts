// Whether a receipt to anchor is the service's own, and may still be anchored.
import { PortcullisError } from "#core/errors.ts";
import { signedReceiptFault } from "#core/receipt/disclosure/signed-receipt-shape.ts";
import { keyIdOf } from "#core/receipt/disclosure/signing-key.ts";
import { isSignedBy } from "#core/receipt/disclosure/verify-signature.ts";
import type { AnswerReceipt, ForeignReceipt } from "#core/receipt/receipt.ts";
import type { Deps } from "#service/deps.ts";
import { isIssuedHere } from "./anchor-as-blob.ts";

type Known = Pick<Deps, "records" | "ledger">;

/**
 * Whether the service issued it, word for word. Rejects when the anchor would look like a forgery although it is none:
 * when the key that signed it has ended, and when the receipt is not on record any more, so that nobody knows under which
 * policy it was made. Then the signature alone shows that it is ours, by a key on record or on the gate.
 */
export async function isOwnReceipt(deps: Known, receipt: ForeignReceipt): Promise<boolean> {
  if (signedReceiptFault(receipt) !== undefined) return isIssuedHere(deps, receipt);
  const signed = receipt as AnswerReceipt;
  const key = await keyNamed(deps, signed.signature.keyId);
  if (key === undefined || !isSignedBy(signed, key.publicKey)) return false;
  if (key.hasEnded) throw new PortcullisError("signing-key-ended", ENDED);
  if (!(await isIssuedHere(deps, receipt))) throw new PortcullisError("receipt-not-on-record", NOT_ON_RECORD);
  return true;
}

const ENDED =
  "The key that signed this receipt has ended, and nothing that is anchored later counts as signed by it. It can be anchored as a blob.";
const NOT_ON_RECORD =
  "This service signed the receipt, but has no record of it any more: it was pruned, or the database was restored from a backup. It can be anchored as a blob.";

async function keyNamed({ records, ledger }: Known, keyId: string) {
  const recorded = (await records.signingKeys.list()).find((key) => key.keyId === keyId);
  if (recorded !== undefined) return { publicKey: recorded.publicKey, hasEnded: recorded.endedAt !== undefined };
  const onGate = (await ledger.keys()).map(({ publicKey, endedAtMs }) => ({
    publicKey: Uint8Array.from(Buffer.from(publicKey, "hex")),
    hasEnded: endedAtMs !== undefined,
  }));
  return onGate.find(({ publicKey }) => keyIdOf(publicKey) === keyId);
}
