// What a verification shows and what it does not, with this ledger and this store. The latter stands directly under the
// verdict.
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import type { Check } from "./check.ts";
import { isBeforeAnswer } from "./checks/chain-receipt.ts";
import { type LedgerSource, sealedCount } from "./labels.ts";
import type { SealedView } from "./verify-receipt.ts";

export interface Limits {
  readonly ledger: LedgerSource;
  /** The service's own mock store, or one that others keep. */
  readonly store: "mock" | "public";
  readonly chain?: ChainReceipt | null | undefined;
  /** The open one. */
  readonly receipt?: ForeignReceipt | null | undefined;
  readonly checks?: readonly (Pick<Check, "name"> & Partial<Pick<Check, "isForgotten" | "isEncrypted">>)[];
  readonly sealed?: SealedView | null | undefined;
  readonly hasPseudonyms?: boolean | undefined;
}

/** What a verified receipt shows. Each continues "A verified receipt shows that …". */
export function shown({ ledger, store }: Pick<Limits, "ledger" | "store">): string[] {
  const isLocal = ledger === "local";
  return [
    isLocal
      ? "this text is the one that was anchored, byte for byte, as far as this service’s own ledger tells"
      : "this text existed when it was anchored, byte for byte, and nobody can change it any more",
    "the service signed it when it was issued, and it does not contradict itself",
    isLocal
      ? "the service’s own record of its policy allowed the agent everything that the receipt used"
      : "the policy on the ledger allowed the agent everything that the receipt used, in the version of the answer",
    store === "mock"
      ? "the memories are the ones that the receipt lists, as this service keeps them"
      : "the memories are the ones that the receipt lists, whole",
  ];
}

/** Each continues "It is not shown that …". */
export function notShown(limits: Limits): string[] {
  const { ledger, store, chain, receipt: open, sealed, hasPseudonyms, checks = [] } = limits;
  const receipt = open ?? sealed?.receipt;
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
    ...(sealed != null && open == null
      ? [`what stays sealed is true, or allowed: ${sealedCount(sealed).toLowerCase()}`]
      : []),
    ...(sealed != null && hasPseudonyms === false
      ? ["agent and claimed namespaces are hidden: this gate has plain names, and anybody can read them on the ledger"]
      : []),
    ...(hasPseudonyms === true
      ? [
          "nobody can link this receipt to others: an agent or a namespace has the same pseudonym in all receipts of this gate",
        ]
      : []),
    ...(store === "mock" ? ["anybody else keeps the memories: the blobs come from the service’s own mock store"] : []),
    ...(receipt != null && !isBound
      ? ["the service issued this receipt, or what the memories say beyond their snippets: it has no signature"]
      : []),
    ...(checks.some(({ isEncrypted }) => isEncrypted)
      ? ["what the encrypted memories say: the service signed their snippets, and only it can decrypt the rest"]
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
