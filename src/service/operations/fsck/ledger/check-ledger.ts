import { byUtf8 } from "#core/encoding/utf8-order.ts";
import { PortcullisError } from "#core/errors.ts";
import { type Naming, PLAIN_NAMES } from "#core/ledger/naming.ts";
import { orUndefined } from "#core/or-undefined.ts";
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { LedgerExplorer, RecordRows } from "#ports.ts";
import type { FsckContext } from "#service/operations/fsck/context.ts";
import { checkLedgerLog, compareWithLog } from "./check-ledger-log.ts";
import { checkAnchorRequest } from "./check-requests.ts";

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
      // The gate of releases up to 0.1 has plain names.
      const naming = receipt?.closedAtMs === undefined ? PLAIN_NAMES : await ledger.naming();
      compare(context, onLedger(row, naming), receipt);
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
  if (!(hasKeyFile ?? (await hasKeyOnRecord(context)))) {
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

async function hasKeyOnRecord({ rows }: FsckContext): Promise<boolean> {
  for await (const { name } of rows("writeOnce")) if (name === "local-ledger-key") return true;
  return false;
}

function compare({ report }: FsckContext, row: RecordRows["onLedger"], receipt: ChainReceipt | undefined): void {
  const { receiptId, agentId, blobId, digest, claimed, allAuthorized, anchorIssued, ledgerVersion } = row;
  if (receipt === undefined)
    return void report("ledger", receiptId, "it is on record, but the ledger has no such receipt");
  const fields = [
    ["agent", agentId, receipt.agent],
    ["blob", blobId, receipt.blobId],
    ["digest", digest, receipt.digest],
    ["claims", claimed, JSON.stringify(receipt.claimed)],
    ["verdict", allAuthorized === 1, receipt.allAuthorized],
    // Only receipts of the module's former version say it.
    ["issuer", anchorIssued === 1, receipt.issued ?? anchorIssued === 1],
    ["policy version", ledgerVersion, receipt.policyVersion],
  ] as const;
  const differing = fields.filter(([, onRecord, onLedger]) => onRecord !== onLedger).map(([name]) => name);
  if (differing.length > 0)
    report("ledger", receiptId, `the ledger's receipt differs from the record in its ${differing.join(", ")}`);
}

/** Reports receipts that the ledger minted and the records lack, unless their transaction is still open. */
async function checkUnrecorded(
  { rows, report }: FsckContext,
  explorer: LedgerExplorer,
  recorded: ReadonlySet<string>,
): Promise<void> {
  const open = new Set<string>();
  for await (const { txDigest, isOpen } of rows("transaction")) if (isOpen === 1) open.add(txDigest);
  for await (const { txDigest } of rows("logged")) {
    for (const receiptId of await mintedIn(explorer, txDigest)) {
      if (!recorded.has(receiptId) && !open.has(txDigest))
        report("ledger", receiptId, "the ledger has it, but it is not on record");
    }
  }
}

async function mintedIn(explorer: LedgerExplorer, txDigest: string): Promise<string[]> {
  const transaction = await explorer.readTransaction(txDigest);
  const events = transaction?.events.filter(({ name }) => name === "ReceiptAnchored") ?? [];
  return events.flatMap(({ fields }) =>
    typeof fields === "object" && fields !== null && "receipt" in fields ? String(fields.receipt) : [],
  );
}

async function isEmpty(rows: AsyncIterable<unknown>): Promise<boolean> {
  for await (const _ of rows) return false;
  return true;
}
