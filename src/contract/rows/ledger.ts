// The ledger, and the explorer of the local one.
import { z } from "zod";
import { ledgerEntry, ledgerObject, ledgerTransaction, objectId, txDigest } from "#contract/schemas/ledger.ts";
import { ledger, operatorsWord } from "#contract/schemas/overview.ts";
import { nextCursor, page } from "#contract/schemas/paging.ts";
import { listed } from "#contract/schemas/scalars.ts";
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
    problems: ["not-found"],
  },
  ledgerTransaction: {
    summary: "A transaction of the local ledger, decoded and as BCS.",
    params: z.object({ digest: txDigest }),
    response: ledgerTransaction,
    problems: ["not-found"],
  },
  ledgerTransactions: {
    summary: "The local ledger's transactions, newest first.",
    query: page,
    response: z.object({ transactions: listed(ledgerEntry), nextCursor }),
    problems: ["not-found"],
  },
} as const satisfies Rows;
