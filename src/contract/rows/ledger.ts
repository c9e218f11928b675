// The ledger, and the explorer of the local one.
import { z } from "zod";
import { ledgerEntry, ledgerObject, ledgerTransaction, objectId, txDigest } from "#contract/schemas/ledger.ts";
import { ledger, operatorsWord } from "#contract/schemas/overview.ts";
import { nextCursor, page } from "#contract/schemas/paging.ts";
import type { Rows } from "./row.ts";

export const ledgerRows = {
  getLedger: { summary: "The ledger's network and package, for a verifier.", response: ledger },
  getOperatorsWord: {
    summary: "The keys that sign receipts, and where anchors are recorded: the operator's word, for a verifier to pin.",
    response: operatorsWord,
  },
  ledgerObject: {
    summary: "An object of the local ledger, decoded and as BCS.",
    params: z.object({ objectId }),
    response: ledgerObject,
  },
  ledgerTransaction: {
    summary: "A transaction of the local ledger, decoded and as BCS.",
    params: z.object({ digest: txDigest }),
    response: ledgerTransaction,
  },
  ledgerTransactions: {
    summary: "The local ledger's transactions, newest first.",
    query: page,
    response: z.object({ transactions: z.array(ledgerEntry), nextCursor }),
  },
} as const satisfies Rows;
