// What of a receipt is anchored: its open form, or its sealed form, which keeps its private fields to those who hold an
// opening.
import { canonicalJsonWithin } from "#core/encoding/bounded-canonical-json.ts";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { PortcullisError } from "#core/errors.ts";
import { sealedReceiptOf } from "#core/receipt/disclosure/sealed-receipt.ts";
import { type AnswerReceipt, type ForeignReceipt, LARGEST_RECEIPT } from "#core/receipt/receipt.ts";
import type { Deps } from "#service/deps.ts";
import { isIssuedHere } from "#service/receipts/receipts.ts";
import { memoryForgotten } from "./publication-fence.ts";

export interface AnchoredForm {
  /** The canonical JSON of the form. Its bytes are the blob. */
  readonly body: string;
  /** Whether this service issued the receipt, word for word. */
  readonly issued: boolean;
  /** The memories that the form names in public. A sealed one names none. */
  readonly usedMemories: readonly { readonly storeRef: string }[];
}

/** `isSealed`: the caller wants the sealed form. It is also taken where the service or a used memory demands it. */
export async function formToAnchor(
  deps: Pick<Deps, "records" | "stored" | "anchorSealed">,
  receipt: ForeignReceipt,
  isSealed = false,
): Promise<AnchoredForm> {
  const body = canonicalJsonWithin(LARGEST_RECEIPT, receipt);
  if (body === undefined) throw tooLarge();
  const issued = await isIssuedHere(deps, receipt);
  const used = issued ? await usedOnRecord(deps, receipt) : { isSealed: false, isWhole: true };
  const mustBeSealed = isSealed || deps.anchorSealed || used.isSealed;
  if (!mustBeSealed) {
    // What was forgotten is not published, also when the caller still has its text. The sealed form quotes none.
    if (!used.isWhole || receipt.usedMemories.some(({ snippet }) => snippet === undefined)) throw memoryForgotten();
    return { body, issued, usedMemories: receipt.usedMemories };
  }
  if (!issued) throw new PortcullisError("cannot-be-sealed", NOT_OURS);
  if (!("signature" in receipt)) throw new PortcullisError("cannot-be-sealed", FORMER);
  return { body: canonicalJson(sealedReceiptOf(receipt as AnswerReceipt)), issued, usedMemories: [] };
}

const NOT_OURS =
  "Only a receipt that this service issued, and that is on record here word for word, can be anchored sealed.";
const FORMER =
  "The receipt has format 1, of releases up to 0.1, which has no sealed form. It can be anchored open, unless ANCHOR_SEALED is set.";

/** Whether a memory that the receipt names is sealed, and whether all of them are on record, history included. */
async function usedOnRecord(
  { stored }: Pick<Deps, "stored">,
  { usedMemories }: ForeignReceipt,
): Promise<{ readonly isSealed: boolean; readonly isWhole: boolean }> {
  const ids = new Set((usedMemories as AnswerReceipt["usedMemories"]).map(({ memoryId }) => memoryId));
  // Also those that cannot be opened here.
  const found = await stored.memories.findAll([...ids]);
  return { isSealed: [...found.values()].some(({ seal }) => seal !== undefined), isWhole: found.size === ids.size };
}

/** A verifier would not read it. */
function tooLarge(): PortcullisError {
  const detail = `must have at most ${LARGEST_RECEIPT / 1024} KiB as canonical JSON`;
  return new PortcullisError("invalid-request", "The receipt is too large to be verified.", {
    fields: [{ pointer: "#/receipt", detail }],
  });
}
