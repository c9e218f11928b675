// The opening that a reader holds: it belongs to this receipt, and opens what it says. An opening with any fault opens
// nothing.
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { pseudonymOf } from "#core/ledger/pseudonym.ts";
import { saltOf } from "#core/receipt/commitment.ts";
import {
  type DisclosedFields,
  type DisclosedName,
  type OpeningDocument,
  openFields,
  openForm,
  readOpeningDocument,
} from "#core/receipt/opening.ts";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import { privatePathsOf, signedReceiptFault } from "#core/receipt/receipt-shape.ts";
import { type Check, type FailCode, fail, pass, quoteNames, whileSealed, withoutReceipt } from "#core/verify/check.ts";
import { NOTHING_DISCLOSED } from "#core/verify/disclosed.ts";
import type { SignedParts } from "./evidence.ts";

interface Parts extends SignedParts {
  readonly isSealed: boolean;
}

export interface ReadOpening {
  /** None for an open receipt without an opening. */
  readonly checks: readonly Check[];
  readonly fields: DisclosedFields;
  readonly names: readonly DisclosedName[];
  /** The open form, if every field is disclosed that it shows. */
  readonly open?: AnswerReceipt;
}

type Code = FailCode<"opening">;

export function checkOpening(text: string | undefined, parts: Parts): ReadOpening {
  const { receipt, isSealed, signed } = parts;
  if (text === undefined) return isSealed ? accepted(parts, NOTHING_DISCLOSED, {}) : nothing([]);
  if (receipt === undefined) return nothing([withoutReceipt("opening")]);
  const reading = readOpeningDocument(text);
  if ("fault" in reading) return refused(reading.code, reading.fault);
  const { document } = reading;
  if (signed === undefined && (document.seed ?? document.values) !== undefined)
    return refused("opening-other-field", "the receipt commits to no private fields");
  const fields = signed === undefined ? NOTHING_DISCLOSED : openFields(signed.form, document);
  if ("fault" in fields) return refused(fields.code, fields.fault);
  const strange = signed === undefined ? undefined : foreignSalt(document, parts);
  if (strange !== undefined) return refused("opening-differs", `its seed gives another salt of ${strange}`);
  const stranger = document.names?.find((name) => !isOnLedger(name, parts));
  if (stranger !== undefined)
    return refused("opening-name-differs", `the ledger does not have the name ${quoteNames([stranger.name])} here`);
  return accepted(parts, fields, document);
}

/** An open form shows salts. A seed that gives others is that of another receipt. The path of one, if there is one. */
function foreignSalt({ seed }: OpeningDocument, { receipt, isSealed }: Parts): string | undefined {
  if (seed === undefined || isSealed) return undefined;
  const { salts } = (receipt as AnswerReceipt).evidence;
  return Object.keys(salts).find((path) => bytesToHex(saltOf(hexToBytes(seed), path)) !== salts[path]);
}

function accepted(
  { isSealed, signed }: Parts,
  fields: DisclosedFields,
  { names = [] }: Partial<OpeningDocument>,
): ReadOpening {
  if (signed === undefined) return { ...nothing([pass("opening", BELONGS)]), names };
  const { form, signature } = signed;
  const open = isSealed ? openForm(form, signature, fields) : undefined;
  const fault = open && signedReceiptFault(open);
  if (fault !== undefined) return refused("opening-value-malformed", fault);
  const all = privatePathsOf(form).length;
  const count = fields.values.size;
  if (!isSealed) {
    const sentence = `${BELONGS} It opens ${count} of its ${all} private fields.`;
    return { checks: [pass("opening", sentence)], fields, names };
  }
  if (open !== undefined) {
    const sentence = `Sealed: ${count} of ${all} fields disclosed.${count < all ? REST_SEALED : ""}`;
    return { checks: [pass("opening", sentence)], fields, names, open };
  }
  const sentence = `Sealed: ${count} of ${all} fields disclosed. What the others say cannot be checked without the opening.`;
  return { checks: [whileSealed("opening", sentence)], fields, names };
}

const BELONGS = "The opening belongs to this receipt.";
const REST_SEALED =
  " All are open that an open receipt shows. Of question, filters, prompt and answer some stay sealed.";

/** On a gate with plain names there is nothing to open. */
function isOnLedger({ name, salt }: DisclosedName, { chain, gate }: Parts): boolean {
  if (chain === undefined || gate?.hasPseudonyms === false) return false;
  const pseudonym = pseudonymOf(hexToBytes(salt), name);
  return chain.agent === pseudonym || chain.claimed.includes(pseudonym);
}

const nothing = (checks: readonly Check[]): ReadOpening => ({ checks, fields: NOTHING_DISCLOSED, names: [] });

const refused = (code: Code, fault: string): ReadOpening =>
  nothing([fail("opening", code, `The opening is not one of this receipt: ${fault}.`)]);
