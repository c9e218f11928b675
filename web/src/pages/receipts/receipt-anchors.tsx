// The anchors of a receipt: its blob, and its objects on the ledger.
import { lazy, Suspense, useMemo } from "react";
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { digestOf } from "#core/encoding/digest.ts";
import { isComplete } from "#core/receipt/receipt.ts";
import { plural } from "#web/lib/strings.ts";
import { BlobId } from "#web/memory/blob.tsx";
import { StoredUntil } from "#web/receipt/worth-of-proof.tsx";
import { StatusMark } from "#web/ui/status.tsx";
import { CopyableId, Facts, Monospace, NameList, Timestamp } from "#web/ui/text.tsx";
import type { ReceiptEntry } from "./receipt-row.tsx";

const ShareProof = lazy(() => import("./share-proof.tsx"));

const COLUMNS = "grid-cols-[7rem_minmax(0,1fr)]";

export function ReceiptAnchors({ entry }: { readonly entry: ReceiptEntry }) {
  const { receipt, anchor, chain, pending } = entry;
  const digest = useMemo(() => digestOf(receipt), [receipt]);
  return (
    <div className="flex flex-col gap-4 text-sm">
      <Facts
        className={COLUMNS}
        rows={{ Digest: <CopyableId value={digest} label="digest of the receipt" ends={8} /> }}
      />
      {anchor === null && chain.length === 0 && pending === 0 && (
        <p className="text-soft">
          {isComplete(receipt)
            ? "Not anchored yet. Only this service has this receipt."
            : "Not anchored. Only a complete receipt can be."}
        </p>
      )}
      {anchor !== null && <AsBlob anchor={anchor} />}
      {chain.length > 0 && (
        <ol aria-label="On the ledger, oldest first" className="flex flex-col gap-4">
          {chain.map((onLedger) => (
            <OnLedger key={onLedger.receiptId} anchor={onLedger} entry={entry} />
          ))}
        </ol>
      )}
      {pending > 0 && (
        <p>
          <StatusMark status="unknown">
            {plural(pending, "request")} to the ledger without an outcome yet. The service retries.
          </StatusMark>
        </p>
      )}
    </div>
  );
}

function AsBlob({ anchor }: { readonly anchor: NonNullable<ReceiptEntry["anchor"]> }) {
  const { blobId, anchoredAt, storedUntil } = anchor;
  return (
    <div className="rounded-lg border border-line bg-card p-4">
      <h3 className="mb-2 font-medium">As a blob{anchor.sealed && ", sealed"}</h3>
      <Facts
        className={COLUMNS}
        rows={{
          Blob: <BlobId blobId={blobId} label="blob id of the receipt" ends={8} />,
          When: <Timestamp at={anchoredAt} />,
          "Can be fetched": <StoredUntil until={storedUntil} />,
        }}
      />
      <p className="mt-2">
        <Link
          href={`${pagePath("verifyStart")}?${new URLSearchParams({ q: blobId })}`}
          className="inline-flex min-h-7 items-center font-medium"
        >
          Check it in the verifier
        </Link>
      </p>
    </div>
  );
}

function OnLedger({ anchor, entry }: { readonly anchor: ReceiptEntry["chain"][number]; readonly entry: ReceiptEntry }) {
  const { receiptId, txDigest, allAuthorized, claimed, anchoredAt } = anchor;
  return (
    <li className="rounded-lg border border-line bg-card p-4">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="font-medium">On the ledger{anchor.sealed && ", sealed"}</h3>
        <StatusMark status={allAuthorized ? "pass" : "fail"}>
          {allAuthorized ? "every claim authorized" : "not authorized: a claim was refused"}
        </StatusMark>
      </div>
      <Facts
        className={COLUMNS}
        rows={{
          Claims: claimed.length === 0 ? <span className="text-soft">none</span> : <NameList names={claimed} />,
          "Receipt id": (
            <CopyableId value={receiptId} label="receipt id" ends={8} href={pagePath("verify", { receiptId })} />
          ),
          Transaction: (
            <Link href={pagePath("ledgerTransaction", { digest: txDigest })} title={txDigest}>
              <Monospace>{txDigest.slice(0, 12)}…</Monospace>
            </Link>
          ),
          When: <Timestamp at={anchoredAt} />,
        }}
      />
      <p className="mt-2">
        <Link href={pagePath("verify", { receiptId })} className="inline-flex min-h-7 items-center font-medium">
          Check it in the verifier
        </Link>
      </p>
      <Suspense>
        <ShareProof entry={entry} receiptId={receiptId} />
      </Suspense>
    </li>
  );
}
