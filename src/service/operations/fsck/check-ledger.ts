import { orUndefined } from "#core/defined.ts";
import { canonicalJson, readCanonical } from "#core/encoding/canonical-json.ts";
import { digestHex, digestOfText } from "#core/encoding/digest.ts";
import { isObject } from "#core/encoding/json-shape.ts";
import { byUtf8 } from "#core/encoding/utf8-order.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Naming } from "#core/ledger/pseudonym.ts";
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import { sealedReceiptOf } from "#core/receipt/receipt-shape.ts";
import { recordedForm } from "#core/receipt/sealed-form.ts";
import type { LedgerExplorer, RecordRows } from "#ports.ts";
import type { FsckContext } from "./context.ts";

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
const recordedBodyOf = (value: unknown): string | undefined =>
  orUndefined(() => canonicalJson(recordedForm(value as AnswerReceipt)));

/** The canonical JSON of the sealed form of a receipt on record. Undefined when it has none. */
const sealedBodyOf = (body: string): string | undefined =>
  orUndefined(() => canonicalJson(sealedReceiptOf(JSON.parse(body))));

const answerIdOf = (value: unknown): unknown => (isObject(value) ? value.answerId : undefined);

/** Each is for an anchor on record, and pending or ended in its receipt. Open transactions hold pending ones. */
export async function checkRequests(context: FsckContext): Promise<void> {
  const { rows, report } = context;
  const pending = new Set<number>();
  for await (const row of rows("request")) {
    checkRequest(context, row);
    if (row.receiptId === null) pending.add(row.id);
  }
  let open = 0;
  for await (const { txDigest, isOpen, requests, isAsLogged, isReplaced } of rows("transaction")) {
    if (isAsLogged === 0) report("ledger", txDigest, "the signed bytes are not the bytes that the ledger executed");
    if (isReplaced === 1)
      report("ledger", txDigest, "the ledger's log has it in another place, at another time, or not at all any more");
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
  if (claimsDigest !== digestOfText(claimed)) differs("it is found under other claims");
  if (receiptId === null) return;
  if (isSame === null) differs(`it ended in ${receiptId}, which is not on record`);
  else if (isSame === 0) differs(`it ended in ${receiptId}, which is for something else`);
}

/** Checks what was asked of the ledger. The request holds it, and so does the receipt in which it ended. */
function checkAnchorRequest(
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

/** None is missing, and times do not go back. What a row says is checked when the ledger is opened. */
async function checkLedgerLog({ rows, report }: FsckContext): Promise<void> {
  let last = { sequence: 0, timestampMs: 0 };
  for await (const { sequence, txDigest, timestampMs } of rows("logged")) {
    if (sequence !== last.sequence + 1)
      report("ledger", txDigest, `${missing(last.sequence + 1, sequence - 1)} in the ledger's log before it`);
    if (timestampMs < last.timestampMs)
      report("ledger", txDigest, `its time in the ledger's log is before that of transaction ${last.sequence}`);
    last = { sequence, timestampMs };
  }
  for await (const { sequence } of rows("ledgerHead")) {
    if (sequence > last.sequence)
      report("ledger", "", `${missing(last.sequence + 1, sequence)} at the end of the ledger's log`);
  }
}

/** Checks that an open ledger still is what its log says. Somebody may have changed the log since it was opened. */
async function compareWithLog({ rows, report }: FsckContext, explorer: LedgerExplorer): Promise<void> {
  for await (const { sequence, txDigest, timestampMs, isOwn } of rows("logged")) {
    if (isOwn === 0) continue;
    const executed = await explorer.readTransaction(txDigest);
    if (executed?.sequence !== sequence) report("ledger", txDigest, "the ledger has executed another one in its place");
    else if (executed.timestampMs !== timestampMs)
      report("ledger", txDigest, "the ledger has executed it at another time than its log says");
  }
}

const missing = (first: number, last: number): string =>
  first === last ? `transaction ${first} is missing` : `the transactions ${first} to ${last} are missing`;

/** Checks that the records and the ledger hold the same receipts, with the same fields. */
export async function checkLedger(context: FsckContext): Promise<void> {
  const { rows, report, step, ledger, explorer } = context;
  if (explorer !== undefined) await checkLedgerLog(context);
  const state = await ledgerState(context);
  const recorded = new Set<string>();
  for await (const row of rows("onLedger")) {
    recorded.add(row.receiptId);
    checkAnchorRequest(row, (detail) => report("ledger", row.receiptId, detail));
    if (row.requests === 0) report("ledger", row.receiptId, "no request ended in it");
    if (state === "empty") compare(context, row, undefined);
    if (state === "readable") {
      const receipt = (await ledger.find(row.receiptId))?.receipt;
      compare(context, onLedger(row, await ledger.naming()), receipt);
    }
    step();
  }
  if (state !== "readable" || explorer === undefined) return;
  await compareWithLog(context, explorer);
  await checkUnrecorded(context, explorer, recorded);
}

/** The row with the names that the ledger has for its agent and its claims. */
function onLedger(row: RecordRows["onLedger"], naming: Naming): RecordRows["onLedger"] {
  const claims: unknown = orUndefined(() => JSON.parse(row.claimed));
  if (naming.saltOf === undefined || !Array.isArray(claims)) return row;
  const claimed = claims.map((name) => naming.onLedger(String(name))).sort(byUtf8);
  return { ...row, agentId: naming.onLedger(row.agentId), claimed: JSON.stringify(claimed) };
}

/** A local ledger that was never used counts as empty and is not opened, because opening it would make a key. */
async function ledgerState(context: FsckContext): Promise<"empty" | "readable" | "unreadable"> {
  const { rows, report, hasKeyFile, explorer, readsLedger } = context;
  if (explorer === undefined) return readsLedger ? "readable" : "unreadable";
  if (await isEmpty(rows("logged"))) return "empty";
  const hasKey = hasKeyFile ?? !(await isEmpty(rows("writeOnce")));
  if (!hasKey) {
    report("ledger", "", "the local ledger has transactions, but its key is gone");
    return "unreadable";
  }
  try {
    await explorer.recentTransactions({ limit: 1 });
    return "readable";
  } catch (error) {
    if (!(error instanceof PortcullisError) || error.code !== "configuration") throw error;
    report("ledger", "", error.message);
    return "unreadable";
  }
}

function compare({ report }: FsckContext, row: RecordRows["onLedger"], receipt: ChainReceipt | undefined): void {
  const { receiptId, agentId, blobId, digest, claimed, allAuthorized, ledgerVersion } = row;
  if (receipt === undefined)
    return void report("ledger", receiptId, "it is on record, but the ledger has no such receipt");
  const fields = [
    ["agent", agentId, receipt.agent],
    ["blob", blobId, receipt.blobId],
    ["digest", digest, receipt.digest],
    ["claims", claimed, JSON.stringify(receipt.claimed)],
    ["verdict", allAuthorized === 1, receipt.allAuthorized],
    ["policy version", ledgerVersion, receipt.policyVersion],
  ] as const;
  const differing = fields.filter(([, onRecord, onLedger]) => onRecord !== onLedger).map(([name]) => name);
  if (differing.length > 0)
    report("ledger", receiptId, `the ledger's receipt differs from the record in its ${differing.join(", ")}`);
}

/** Reports receipts that the ledger minted and the records lack, unless their transaction is still open. */
async function checkUnrecorded({ rows, report }: FsckContext, explorer: LedgerExplorer, recorded: ReadonlySet<string>) {
  const open = new Set<string>();
  for await (const { txDigest, isOpen } of rows("transaction")) if (isOpen === 1) open.add(txDigest);
  for await (const { txDigest, isOwn } of rows("logged")) {
    if (isOwn === 0) continue;
    for (const receiptId of await mintedIn(explorer, txDigest)) {
      if (!recorded.has(receiptId) && !open.has(txDigest))
        report("ledger", receiptId, "the ledger has it, but it is not on record");
    }
  }
}

async function mintedIn(explorer: LedgerExplorer, txDigest: string): Promise<string[]> {
  const transaction = await explorer.readTransaction(txDigest);
  const events = transaction?.events.filter(({ name }) => name === "ReceiptAnchored") ?? [];
  return events.flatMap(({ fields }) => (isObject(fields) && "receipt" in fields ? String(fields.receipt) : []));
}

async function isEmpty(rows: AsyncIterable<unknown>): Promise<boolean> {
  for await (const _ of rows) return false;
  return true;
}
