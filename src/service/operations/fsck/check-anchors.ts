import { digestHex } from "#core/encoding/digest.ts";
import { readCanonical } from "#core/encoding/read-canonical-json.ts";
import type { RecordRows } from "#ports.ts";
import type { Look } from "./fsck.ts";

const utf8 = new TextEncoder();

/** Anchored receipts: their bytes, what is derived from them, and whether we issued them. */
export async function checkAnchors(look: Look): Promise<void> {
  for await (const row of look.rows("anchor")) {
    await checkAnchor(look, row);
    look.step();
  }
}

async function checkAnchor({ tell, blobIdOf }: Look, row: RecordRows["anchor"]): Promise<void> {
  const { blobId, digest, answerId, issuedAnswer, isIssued, body } = row;
  const bytes = utf8.encode(body);
  const real = digestHex(bytes);
  if (real !== digest) tell("anchor", blobId, `the digest on record is ${digest}, and its body's ${real}`);
  const derived = await blobIdOf?.(bytes);
  if (derived !== undefined && derived !== blobId) tell("anchor", blobId, `a blob of its body has the id ${derived}`);

  const reading = readCanonical(bytes, Number.POSITIVE_INFINITY);
  if ("fault" in reading) tell("anchor", blobId, `its body ${reading.fault}`);
  else if (answerIdOf(reading.value) !== answerId) tell("anchor", blobId, "its body has another answer id");
  if (issuedAnswer !== null && issuedAnswer !== answerId)
    tell("anchor", blobId, "it was issued under another answer id");
  if ((issuedAnswer !== null) !== (isIssued === 1))
    tell(
      "anchor",
      blobId,
      issuedAnswer === null ? "it was issued here, and says not" : "it says it was issued here, and was not",
    );
}

function answerIdOf(value: unknown): unknown {
  return typeof value === "object" && value !== null && "answerId" in value ? value.answerId : undefined;
}
