import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { digestHex } from "#core/encoding/digest.ts";
import { readCanonical } from "#core/encoding/read-canonical-json.ts";
import { orUndefined } from "#core/or-undefined.ts";
import { recordedForm } from "#core/receipt/disclosure/recorded-form.ts";
import { sealedReceiptOf } from "#core/receipt/disclosure/sealed-receipt.ts";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import type { RecordRows } from "#ports.ts";
import type { FsckContext } from "#service/operations/fsck/context.ts";

/** Checks anchored receipts: their bytes, what is derived from the bytes, and whether this service issued them. */
export async function checkAnchors(context: FsckContext): Promise<void> {
  for await (const row of context.rows("anchor")) {
    await checkAnchor(context, row);
    context.step();
  }
}

async function checkAnchor({ report, blobIdOf }: FsckContext, row: RecordRows["anchor"]): Promise<void> {
  const { blobId, digest, answerId, issuedAnswer, issuedBody, body } = row;
  const differs = (detail: string) => report("anchor", blobId, detail);
  const bytes = Buffer.from(body);
  const derivedDigest = digestHex(bytes);
  if (derivedDigest !== digest) differs(`the digest on record is ${digest}, but its body has ${derivedDigest}`);
  const derivedId = await blobIdOf?.(bytes, blobId);
  if (derivedId !== undefined && derivedId !== blobId) differs(`a blob of its body has the id ${derivedId}`);

  const reading = readCanonical(bytes, Number.POSITIVE_INFINITY);
  if ("fault" in reading) differs(`its body ${reading.fault}`);
  else if (answerIdOf(reading.value) !== answerId) differs("its body has another answer id");
  if (issuedAnswer !== null && issuedAnswer !== answerId) differs("it is recorded as issued under another answer id");
  const isIssued =
    issuedBody !== null &&
    (sealedBodyOf(issuedBody) === body || ("value" in reading && recordedBodyOf(reading.value) === issuedBody));
  if (issuedAnswer === null && isIssued) differs("it was issued here, but is recorded as foreign");
  if (issuedAnswer !== null && !isIssued) differs("it is recorded as issued here, but was not");
}

/** What would be on record of the receipt if this service had issued it. */
function recordedBodyOf(value: unknown): string | undefined {
  return orUndefined(() => canonicalJson(recordedForm(value as AnswerReceipt)));
}

/** The canonical JSON of the sealed form of a receipt on record. Undefined when it has none. */
const sealedBodyOf = (body: string): string | undefined =>
  orUndefined(() => canonicalJson(sealedReceiptOf(JSON.parse(body))));

function answerIdOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "answerId" in value ? value.answerId : undefined;
}
