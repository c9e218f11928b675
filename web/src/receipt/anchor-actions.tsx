import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import { AnchorAsBlob } from "./anchor-as-blob.tsx";
import { AnchorOnLedger } from "./anchor-on-ledger.tsx";

/** Where a receipt can be put so that a stranger can check it. */
export function Anchoring({ receipt }: { readonly receipt: AnswerReceipt }) {
  return (
    <section className="mt-8 border-line border-t pt-5">
      <h3 className="font-medium text-sm">Make it checkable</h3>
      <p className="measure mt-1 mb-4 text-sm text-soft">
        An anchored receipt can be checked by anyone, without trusting this service.
      </p>
      <div className="flex flex-wrap items-start gap-3">
        <AnchorAsBlob receipt={receipt} />
        <AnchorOnLedger receipt={receipt} />
      </div>
    </section>
  );
}
