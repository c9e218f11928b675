import { digestOfText } from "#core/encoding/digest.ts";
import type { RecordRows } from "#ports.ts";
import type { Look } from "./fsck.ts";

/** Requests for the ledger: each is for an anchor on record, and is pending, or has ended in a receipt for the same. */
export async function checkRequests(look: Look): Promise<void> {
  const { rows, tell } = look;
  const pending = new Set<number>();
  for await (const row of rows("request")) {
    checkRequest(look, row);
    if (row.receiptId === null) pending.add(row.id);
  }
  let open = 0;
  for await (const { txDigest, isOpen, requests, isAsLogged } of rows("transaction")) {
    if (isAsLogged === 0) tell("ledger", txDigest, "the bytes that were signed are not those that the ledger executed");
    if (isOpen === 0) continue;
    open += 1;
    const ids = idsIn(requests);
    if (ids === undefined)
      tell("request", "", `the open transaction ${txDigest} does not say which requests it is for`);
    for (const id of ids ?? []) {
      if (!pending.has(id))
        tell("request", String(id), `it is in the open transaction ${txDigest}, and is not pending`);
    }
  }
  if (open > 1) tell("ledger", "", `${open} transactions are open at once, and may use the same coin`);
}

function checkRequest({ tell }: Look, row: RecordRows["request"]): void {
  const { receiptId, isSame, claimed, claimsDigest } = row;
  const id = String(row.id);
  checkAsked(row, (detail) => tell("request", id, detail));
  if (claimsDigest !== null && claimsDigest !== digestOfText(claimed))
    tell("request", id, "it is found under other claims");
  if (receiptId === null) return;
  if (isSame === null) tell("request", id, `it ended in ${receiptId}, which is not on record`);
  else if (isSame === 0) tell("request", id, `it ended in ${receiptId}, which is for something else`);
}

/** What a request asked for, there or where it ended. */
export function checkAsked(
  row: Pick<RecordRows["request"], "anchorDigest" | "anchorIssued" | "digest" | "issued" | "claimed">,
  tell: (detail: string) => void,
): void {
  const { anchorDigest, anchorIssued, digest, issued, claimed } = row;
  if (anchorDigest === null) tell("its blob is not among the anchors");
  else if (anchorDigest !== digest) tell("its blob's anchor has another digest");
  else if (anchorIssued !== issued) tell("its blob's anchor says otherwise whether it was issued here");
  if (!isSet(claimed)) tell("its claims are not a set of namespaces in the order of their bytes");
}

/** Sorted, and none twice: otherwise one set of claims would have several addresses. */
function isSet(claimed: string): boolean {
  const names = parsed(claimed);
  if (!Array.isArray(names) || !names.every((name) => typeof name === "string")) return false;
  const bytes = names.map((name) => Buffer.from(name));
  return bytes.every((name, i) => Buffer.compare(bytes[i - 1] ?? Buffer.of(), name) < 0);
}

function idsIn(requests: string): number[] | undefined {
  const ids = parsed(requests);
  return Array.isArray(ids) && ids.every((id) => typeof id === "number") ? ids : undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
