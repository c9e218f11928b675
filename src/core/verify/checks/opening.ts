// The opening that a reader holds: it belongs to this receipt, and opens what it says. An opening with any fault opens
// nothing.
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { pseudonymOf } from "#core/ledger/pseudonym.ts";
import { saltOf } from "#core/receipt/commitment.ts";
import * as openings from "#core/receipt/opening.ts";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import { privatePathsOf, signedReceiptFault } from "#core/receipt/receipt-shape.ts";
import { type Check, checkOf, type FailCode, quoteNames, withoutReceipt } from "#core/verify/check.ts";
import { NOTHING_DISCLOSED } from "#core/verify/disclosed.ts";
import type { SignedParts } from "./evidence.ts";

const ofOpening = checkOf("opening");

interface Parts extends SignedParts {
  readonly isSealed: boolean;
}

export interface ReadOpening {
  /** None for an open receipt without an opening. */
  readonly checks: readonly Check[];
  readonly fields: openings.DisclosedFields;
  readonly names: readonly openings.DisclosedName[];
  /** The open form, if every field is disclosed that it shows. */
  readonly open?: AnswerReceipt;
}

type Code = FailCode<"opening">;

export function checkOpening(text: string | undefined, parts: Parts): ReadOpening {
  const { receipt, isSealed, signed } = parts;
  if (text === undefined) return isSealed ? accepted(parts, NOTHING_DISCLOSED, {}) : nothing([]);
  if (receipt === undefined) return nothing([withoutReceipt("opening")]);
  const reading = openings.readOpeningDocument(text);
  if ("fault" in reading) return refused(reading.code, reading.fault);
  const { document } = reading;
  if (signed === undefined && (document.seed ?? document.values) !== undefined)
    return refused("opening-other-field", "the receipt commits to no private fields");
  const fields = signed === undefined ? NOTHING_DISCLOSED : openings.openFields(signed.form, document);
  if ("fault" in fields) return refused(fields.code, fields.fault);
  const strange = signed === undefined ? undefined : foreignSalt(document, parts);
  if (strange !== undefined) return refused("opening-differs", `its seed gives another salt of ${strange}`);
  const stranger = document.names?.find((name) => !isOnLedger(name, parts));
  if (stranger !== undefined)
    return refused("opening-name-differs", `the ledger does not have the name ${quoteNames([stranger.name])} here`);
  return accepted(parts, fields, document);
}

/** An open form shows salts. A seed that gives others is that of another receipt. The path of one, if there is one. */
function foreignSalt({ seed }: openings.OpeningDocument, { receipt, isSealed }: Parts): string | undefined {
  if (seed === undefined || isSealed) return undefined;
  const { salts } = (receipt as AnswerReceipt).evidence;
  return Object.keys(salts).find((path) => bytesToHex(saltOf(hexToBytes(seed), path)) !== salts[path]);
}

function accepted(
  { isSealed, signed }: Parts,
  fields: openings.DisclosedFields,
  { names = [] }: Partial<openings.OpeningDocument>,
): ReadOpening {
  if (signed === undefined) return { ...nothing([ofOpening.pass("belongs")]), names };
  const { form, signature } = signed;
  const open = isSealed ? openings.openForm(form, signature, fields) : undefined;
  const fault = open && signedReceiptFault(open);
  if (fault !== undefined) return refused("opening-value-malformed", fault);
  const counts = { all: privatePathsOf(form).length, count: fields.values.size };
  if (!isSealed) return { checks: [ofOpening.pass("opens", counts)], fields, names };
  if (open === undefined) return { checks: [ofOpening.unknown("sealed", counts)], fields, names };
  const how = counts.count < counts.all ? "disclosed-in-part" : "disclosed";
  return { checks: [ofOpening.pass(how, counts)], fields, names, open };
}

/** On a gate with plain names there is nothing to open. */
function isOnLedger({ name, salt }: openings.DisclosedName, { chain, gate }: Parts): boolean {
  if (chain === undefined || gate?.hasPseudonyms === false) return false;
  const pseudonym = pseudonymOf(hexToBytes(salt), name);
  return chain.agent === pseudonym || chain.claimed.includes(pseudonym);
}

const nothing = (checks: readonly Check[]): ReadOpening => ({ checks, fields: NOTHING_DISCLOSED, names: [] });

const refused = (code: Code, fault: string): ReadOpening => nothing([ofOpening.fail(code, { fault })]);
