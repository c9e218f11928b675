import { PortcullisError } from "#core/errors.ts";
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { LedgerExplorer, RecordRows } from "#ports.ts";
import { checkAsked } from "./check-requests.ts";
import type { Look } from "./fsck.ts";

/** Receipts on the ledger: what is on record of them, what the ledger has, and that both have the same ones. */
export async function checkLedger(look: Look): Promise<void> {
  const { rows, tell, step, ledger, explorer } = look;
  const state = await stateOf(look);
  const known = new Set<string>();
  for await (const row of rows("onLedger")) {
    known.add(row.receiptId);
    checkAsked(row, (detail) => tell("ledger", row.receiptId, detail));
    if (row.requests === 0) tell("ledger", row.receiptId, "no request ended in it");
    if (state === "empty") compare(look, row, undefined);
    if (state === "readable") compare(look, row, (await ledger.find(row.receiptId))?.receipt);
    step();
  }
  if (state === "readable" && explorer !== undefined) await checkUnknown(look, explorer, known);
}

/** Whether the ledger can be asked. A local one that was never used is not opened: that would make a key for it. */
async function stateOf({
  rows,
  tell,
  hasKeyFile,
  explorer,
  isDeep,
}: Look): Promise<"empty" | "readable" | "unreadable"> {
  if (explorer === undefined) return isDeep ? "readable" : "unreadable";
  if (await isEmpty(rows("logged"))) return "empty";
  if (!(hasKeyFile ?? !(await isEmpty(rows("kept"))))) {
    tell("ledger", "", "the local ledger has transactions, and its key is gone");
    return "unreadable";
  }
  try {
    await explorer.recentTransactions({ limit: 1 });
    return "readable";
  } catch (error) {
    if (!(error instanceof PortcullisError) || error.code !== "configuration") throw error;
    tell("ledger", "", error.message);
    return "unreadable";
  }
}

function compare({ tell }: Look, row: RecordRows["onLedger"], receipt: ChainReceipt | undefined): void {
  const { receiptId, agentId, blobId, digest, claimed, allAuthorized, issued, ledgerVersion } = row;
  if (receipt === undefined) {
    tell("ledger", receiptId, "it is on record, and the ledger has no such receipt");
    return;
  }
  const pairs = [
    ["agent", agentId, receipt.agent],
    ["blob", blobId, receipt.blobId],
    ["digest", digest, receipt.digest],
    ["claims", claimed, JSON.stringify(receipt.claimed)],
    ["verdict", allAuthorized === 1, receipt.allAuthorized],
    ["issuer", issued === 1, receipt.issued],
    ["policy version", ledgerVersion, receipt.policyVersion],
  ] as const;
  const others = pairs.filter(([, ours, theirs]) => ours !== theirs).map(([name]) => name);
  if (others.length > 0)
    tell("ledger", receiptId, `the ledger's receipt differs from the record in its ${others.join(", ")}`);
}

/** What the ledger minted up to this moment is on record, or belongs to a transaction that is still open. */
async function checkUnknown({ rows, tell }: Look, explorer: LedgerExplorer, known: ReadonlySet<string>): Promise<void> {
  const open = new Set<string>();
  for await (const { txDigest, isOpen } of rows("transaction")) if (isOpen === 1) open.add(txDigest);
  for await (const { txDigest } of rows("logged")) {
    for (const receiptId of await mintedIn(explorer, txDigest)) {
      if (!known.has(receiptId) && !open.has(txDigest))
        tell("ledger", receiptId, "the ledger has it, and it is not on record");
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
