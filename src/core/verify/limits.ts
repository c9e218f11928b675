// What a verification does not show, with this ledger and this store. It stands directly under the verdict.
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import type { Check } from "./check.ts";
import { isBeforeAnswer } from "./checks/chain-receipt.ts";
import type { LedgerSource } from "./labels.ts";

export interface Limits {
  readonly ledger: LedgerSource;
  /** The service's own mock store, or one that others keep. */
  readonly store: "mock" | "public";
  readonly chain?: ChainReceipt | null | undefined;
  readonly receipt?: ForeignReceipt | null | undefined;
  readonly checks?: readonly (Pick<Check, "name"> & Partial<Pick<Check, "isForgotten">>)[];
}

/** Each continues "It is not shown that …". */
export function notShown({ ledger, store, chain, receipt, checks = [] }: Limits): string[] {
  const isBound = receipt != null && "signature" in receipt;
  return [
    ...(ledger === "local"
      ? [
          "nobody has rewritten the ledger: it is this service’s own, on one machine, and not Sui. Its records agree with each other, and that is all",
        ]
      : []),
    ...(ledger === "operators-node"
      ? ["the receipt is on the public network: the full node that says so was chosen by the operator"]
      : []),
    ...(chain != null && receipt != null && !isBeforeAnswer(chain, receipt)
      ? ["the policy stood before the answer: it is the operator’s word, fixed when the receipt was anchored"]
      : []),
    ...(store === "mock" ? ["anybody else keeps the memories: the blobs come from the service’s own mock store"] : []),
    ...(receipt != null && !isBound
      ? ["the service issued this receipt, or what the memories say beyond their snippets: it has no signature"]
      : []),
    ...(checks.some(({ isForgotten }) => isForgotten)
      ? [
          "what the forgotten memories said, or that they were ever stored: that they are forgotten is the service’s word",
        ]
      : []),
    "the model was given this prompt and no other, and said this answer: the receipt is the operator’s word for that",
    "the list of blocked namespaces, the time of the answer and what the store returned then are right: they are the operator’s word, too",
    "every answer got a receipt, or that what a memory says is true",
  ];
}
