// The service's signature over the sealed form of the receipt, by a key that the gate names.
import type { ChainGate } from "#core/ledger/gate-object.ts";
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import { isSignatureOf } from "#core/receipt/disclosure/verify-signature.ts";
import { type Check, fail, pass, unknown, withoutReceipt } from "#core/verify/check.ts";
import type { SignedForm } from "./evidence.ts";

interface Parts {
  readonly chain: ChainReceipt | undefined;
  readonly gate: ChainGate | undefined;
  /** Open or sealed. */
  readonly receipt: object | undefined;
  /** What was signed, if the receipt has format 2. */
  readonly signed: SignedForm | undefined;
}

export function checkSignature({ chain, gate, receipt, signed }: Parts): Check {
  if (chain === undefined || receipt === undefined) return withoutReceipt("signature");
  if (signed === undefined) {
    return "signature" in receipt
      ? fail("signature", "signature-malformed", "The receipt is malformed, so its signature covers something else.")
      : unknown(
          "signature",
          "signature-absent",
          "The receipt is not signed. Nothing shows that the service issued it.",
        );
  }
  const { keyId } = signed.signature;
  if (gate?.keys === undefined)
    return unknown(
      "signature",
      "keys-unknown",
      `It is signed by the key ${keyId}, but the gate’s keys cannot be read.`,
    );
  const key = gate.keys.find((one) => one.keyId === keyId);
  if (key === undefined) {
    const sentence = `It is signed by the key ${keyId}, which the gate does not name as a key of the service.`;
    return fail("signature", "key-not-on-gate", sentence);
  }
  if (!isSignatureOf(signed.form, signed.signature, key.publicKey)) {
    const sentence = "The signature does not belong to this receipt: a field was changed, or somebody else signed it.";
    return fail("signature", "signature-wrong", sentence);
  }
  if (key.endedAtMs !== undefined && key.endedAtMs < chain.anchoredAtMs) {
    const sentence = `The key ${keyId} had ended before the receipt was anchored, so whoever has it by now could have signed.`;
    return fail("signature", "key-ended", sentence);
  }
  if (key.addedAtMs > chain.anchoredAtMs) {
    const sentence = `The key ${keyId} was put on the gate after the receipt was anchored, so it does not show who signed before.`;
    return unknown("signature", "key-later", sentence);
  }
  return pass("signature", `The service signed it when it was issued, with the key ${keyId}, which the gate names.`);
}
