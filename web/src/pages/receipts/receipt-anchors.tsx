// Where a receipt is kept outside of this service's records.
import { useMemo } from "react";
import { Link } from "wouter";
import { digestOf } from "#core/encoding/digest.ts";
import { blobUrl } from "#web/api/blob-store.ts";
import { useService } from "#web/api/client.ts";
import { Mark } from "#web/ui/status-mark.tsx";
import { CopyableId, Mono } from "#web/ui/text/copyable-id.tsx";
import { Moment } from "#web/ui/text/timestamp.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import type { ReceiptEntry } from "./receipt-marks.tsx";

export function Anchors({ entry: { receipt, anchor, chain, pending } }: { readonly entry: ReceiptEntry }) {
  const digest = useMemo(() => digestOf(receipt), [receipt]);
  return (
    <div className="flex flex-col gap-4 text-sm">
      <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-4 gap-y-1">
        <dt className="text-soft">Its digest</dt>
        <dd>
          <CopyableId value={digest} label="digest of the receipt" ends={8} />
        </dd>
      </dl>
      {anchor === null && chain.length === 0 && pending === 0 && (
        <p className="text-soft">Not anchored yet. So far it is this service’s word alone.</p>
      )}
      {anchor !== null && <AsBlob anchor={anchor} />}
      {chain.length > 0 && (
        <ol aria-label="On the ledger, oldest first" className="flex flex-col gap-4">
          {chain.map((onLedger) => (
            <OnLedger key={onLedger.receiptId} anchor={onLedger} />
          ))}
        </ol>
      )}
      {pending > 0 && (
        <p>
          <Mark status="unknown">
            {pending === 1 ? "1 request" : `${pending} requests`} for the ledger without an outcome yet; tried again by
            itself.
          </Mark>
        </p>
      )}
    </div>
  );
}

function AsBlob({ anchor: { blobId, anchoredAt } }: { readonly anchor: NonNullable<ReceiptEntry["anchor"]> }) {
  const aggregator = useService().data?.blobs.aggregator ?? "";
  return (
    <div className="rounded-lg border border-line bg-card p-4">
      <h3 className="mb-2 font-medium">As a blob</h3>
      <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-4 gap-y-1">
        <dt className="text-soft">Blob</dt>
        <dd>
          <CopyableId value={blobId} label="blob id of the receipt" ends={8} href={blobUrl(aggregator, blobId)} />
        </dd>
        <dt className="text-soft">When</dt>
        <dd>
          <Moment at={anchoredAt} />
        </dd>
      </dl>
    </div>
  );
}

function OnLedger({ anchor }: { readonly anchor: ReceiptEntry["chain"][number] }) {
  const { receiptId, txDigest, allAuthorized, claimed, anchoredAt } = anchor;
  return (
    <li className="rounded-lg border border-line bg-card p-4">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="font-medium">On the ledger</h3>
        <Mark status={allAuthorized ? "pass" : "fail"}>
          {allAuthorized ? "every claim authorized" : "not authorized: a claim was refused"}
        </Mark>
      </div>
      <dl className="grid grid-cols-[7rem_minmax(0,1fr)] gap-x-4 gap-y-1">
        <dt className="text-soft">Claims</dt>
        <dd>
          {claimed.length === 0 ? (
            <span className="text-soft">none</span>
          ) : (
            <ul className="flex flex-wrap gap-x-3">
              {claimed.map((namespace) => (
                <li key={namespace} className="max-w-full">
                  <Name>{namespace}</Name>
                </li>
              ))}
            </ul>
          )}
        </dd>
        <dt className="text-soft">Receipt id</dt>
        <dd>
          <CopyableId value={receiptId} label="receipt id" ends={8} href={`/verify/${receiptId}`} />
        </dd>
        <dt className="text-soft">Transaction</dt>
        <dd>
          <Link href={`/ledger/tx/${encodeURIComponent(txDigest)}`} title={txDigest}>
            <Mono>{txDigest.slice(0, 12)}…</Mono>
          </Link>
        </dd>
        <dt className="text-soft">When</dt>
        <dd>
          <Moment at={anchoredAt} />
        </dd>
      </dl>
      <p className="mt-2">
        <Link href={`/verify/${receiptId}`} className="inline-flex min-h-7 items-center font-medium">
          Check it in the verifier
        </Link>
      </p>
    </li>
  );
}
