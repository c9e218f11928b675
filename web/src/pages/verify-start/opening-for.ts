// The opening that goes with a receipt to the verifier's page, in the fragment of the address: no server sees it.
import { type OpeningDocument, readOpening } from "#core/receipt/disclosure/opening-document.ts";
import { shownFields } from "#core/receipt/disclosure/private-fields.ts";
import { byPath } from "#core/receipt/disclosure/sealed-form.ts";
import { openingOfAll } from "#core/receipt/disclosure/write-opening.ts";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import type { HeldReceipt } from "#core/verify/held-receipt.ts";
import { writeFragment } from "#web/receipt/opening-link.ts";

interface Holding {
  readonly held: HeldReceipt;
  readonly opening?: string | undefined;
  readonly answer?: string | undefined;
}

/** Empty if there is nothing to open. */
export async function fragmentFor(holding: Holding, isSealed: boolean): Promise<string> {
  const document = openingFor(holding, isSealed);
  return document === undefined ? "" : `#${await writeFragment(document)}`;
}

function openingFor({ held, opening, answer }: Holding, isSealed: boolean): OpeningDocument | undefined {
  const given = opening === undefined ? undefined : readOpening(opening);
  if (held.receipt === undefined || held.signed === undefined) return given;
  const receipt = held.receipt as AnswerReceipt;
  if (given?.seed !== undefined) return openingOfAll(receipt, given.seed, { answer });
  if (given !== undefined || !isSealed) return given;
  // What the holder's form shows opens the same fields of the sealed one.
  const salts = new Map(Object.entries(receipt.evidence.salts));
  const fields = shownFields(receipt).filter(([path]) => salts.has(path));
  return {
    v: 2,
    salts: byPath(fields.map(([path]) => [path, salts.get(path) ?? ""])),
    values: byPath(fields),
  };
}
