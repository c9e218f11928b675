// Refuses to anchor a receipt of the service's own whose proof would look like a forgery.
import { PortcullisError } from "#core/errors.ts";
import { signedReceiptFault } from "#core/receipt/disclosure/signed-receipt-shape.ts";
import { keyIdOf } from "#core/receipt/disclosure/signing-key.ts";
import { isSignedBy } from "#core/receipt/disclosure/verify-signature.ts";
import type { AnswerReceipt, ForeignReceipt } from "#core/receipt/receipt.ts";
import type { Deps } from "#service/deps.ts";

type Known = Pick<Deps, "records" | "ledger">;

/**
 * Rejects when the key that signed the receipt has ended, and when the receipt is not on record any more, so that nobody
 * knows under which policy it was made. The signature shows that it is ours, by a key on record or on the gate.
 */
export async function refuseUnprovable(deps: Known, receipt: ForeignReceipt, isIssued: boolean): Promise<void> {
  const signed = receipt as AnswerReceipt;
  const isWithheld = signed.usedMemories.some(({ snippet }) => snippet === undefined);
  if (!isWithheld && signedReceiptFault(receipt) !== undefined) return;
  const key = await keyNamed(deps, signed.signature.keyId);
  // What is on record word for word is ours. To check a signature takes milliseconds, and anchors come by the hundred.
  const isOurs = key !== undefined && (isIssued || isSignedBy(signed, key.publicKey));
  if (!isOurs) return;
  if (key.hasEnded) throw new PortcullisError("signing-key-ended", ENDED);
  if (!isIssued) throw new PortcullisError("receipt-not-on-record", NOT_ON_RECORD);
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
