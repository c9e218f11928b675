import { digestOfText } from "#core/encoding/digest.ts";
import { orUndefined } from "#core/or-undefined.ts";
import type { RecordRows } from "#ports.ts";
import type { FsckContext } from "#service/operations/fsck/context.ts";

/**
 * Checks the requests for the ledger: each is for an anchor on record, and is either pending or ended in a receipt for
 * the same anchor. An open transaction holds pending requests only.
 */
export async function checkRequests(context: FsckContext): Promise<void> {
  const { rows, report } = context;
  const pending = new Set<number>();
  for await (const row of rows("request")) {
    checkRequest(context, row);
    if (row.receiptId === null) pending.add(row.id);
  }
  let open = 0;
  for await (const { txDigest, isOpen, requests, isAsLogged } of rows("transaction")) {
    if (isAsLogged === 0) report("ledger", txDigest, "the signed bytes are not the bytes that the ledger executed");
    if (isOpen === 0) continue;
    open += 1;
    const ids = idsIn(requests);
    if (ids === undefined) report("request", "", `the open transaction ${txDigest} does not list its requests`);
    for (const id of ids ?? []) {
      if (!pending.has(id))
        report("request", String(id), `it is in the open transaction ${txDigest}, but is not pending`);
    }
  }
  if (open > 1) report("ledger", "", `${open} transactions are open at once, and may use the same coin`);
}

function checkRequest({ report }: FsckContext, row: RecordRows["request"]): void {
  const { receiptId, isSame, claimed, claimsDigest } = row;
  const differs = (detail: string) => report("request", String(row.id), detail);
  checkAnchorRequest(row, differs);
  if (claimsDigest !== null && claimsDigest !== digestOfText(claimed)) differs("it is found under other claims");
  if (receiptId === null) return;
  if (isSame === null) differs(`it ended in ${receiptId}, which is not on record`);
  else if (isSame === 0) differs(`it ended in ${receiptId}, which is for something else`);
}

/** Checks what was asked of the ledger. The request holds it, and so does the receipt in which it ended. */
export function checkAnchorRequest(
  row: Pick<RecordRows["request"], "anchorDigest" | "digest" | "claimed">,
  differs: (detail: string) => void,
): void {
  const { anchorDigest, digest, claimed } = row;
  if (anchorDigest === null) differs("its blob is not among the anchors");
  else if (anchorDigest !== digest) differs("its blob's anchor has another digest");
  if (!isSortedSet(claimed)) differs("its claims are not a set of namespaces in the order of their bytes");
}

/** Sorted, without duplicates: otherwise one set of claims would have several addresses. */
function isSortedSet(claimed: string): boolean {
  const names = parse(claimed);
  if (!Array.isArray(names) || !names.every((name) => typeof name === "string")) return false;
  const bytes = names.map((name) => Buffer.from(name));
  return bytes.every((name, i) => Buffer.compare(bytes[i - 1] ?? Buffer.of(), name) < 0);
}

function idsIn(requests: string): number[] | undefined {
  const ids = parse(requests);
  return Array.isArray(ids) && ids.every((id) => typeof id === "number") ? ids : undefined;
}

const parse = (json: string): unknown => orUndefined(() => JSON.parse(json));
