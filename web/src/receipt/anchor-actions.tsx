import { useState } from "react";
import type { ViewedReceipt } from "#core/receipt/receipt.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { Checkbox } from "#web/ui/form/field.tsx";
import { AnchorAsBlob } from "./anchor-as-blob.tsx";
import { AnchorOnLedger } from "./anchor-on-ledger.tsx";
import { WorthOfProof } from "./worth-of-proof.tsx";

/** The two ways to anchor a receipt: as a blob, and on the ledger. Nothing for a caller who may not anchor. */
export function AnchorActions({ receipt }: { readonly receipt: ViewedReceipt }) {
  const [isSealed, setSealed] = useState(false);
  if (!usePermissions().may("anchorReceipt")) return null;
  return (
    <section className="mt-8 border-line border-t pt-5">
      <h3 className="font-medium text-sm">Anchor this receipt</h3>
      <p className="measure mt-1 text-sm text-soft">Others can then find this receipt, and verify it.</p>
      <WorthOfProof className="measure mb-4 text-sm text-soft" />
      {receipt.signature !== undefined && (
        <Checkbox className="mb-3" checked={isSealed} onChange={(event) => setSealed(event.target.checked)}>
          Sealed: publish commitments in place of agent, namespaces and snippets
        </Checkbox>
      )}
      <div className="flex flex-wrap items-start gap-3">
        <AnchorAsBlob receipt={receipt} isSealed={isSealed} />
        <AnchorOnLedger receipt={receipt} isSealed={isSealed} />
      </div>
    </section>
  );
}
