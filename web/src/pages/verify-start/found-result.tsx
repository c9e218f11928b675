// What an id leads to: the verification of the one anchor, a choice of several, or the public blob of a receipt.
import { useQuery } from "@tanstack/react-query";
import { Link, Redirect } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { digestHex } from "#core/encoding/digest.ts";
import { fetchBlob } from "#web/api/blob-store.ts";
import { fetchServiceInfo } from "#web/api/queries.ts";
import { BLOB_STATES, type BlobState } from "#web/memory/blob.tsx";
import { callerSignal } from "#web/session/session.ts";
import { focusOnce, Skeleton } from "#web/ui/page.tsx";
import { ProblemNote, StatusMark } from "#web/ui/status.tsx";
import { CopyableId, Timestamp } from "#web/ui/text.tsx";
import { readText } from "./held-file.ts";
import { type FoundAnchor, findAnchors } from "./held-receipt-check.ts";
import { HeldResult } from "./held-result.tsx";

export function FoundResult({ id }: { readonly id: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ["anchors", id],
    queryFn: () => findAnchors(id, callerSignal()),
    gcTime: 0,
  });
  if (error !== null) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton what="the receipt" className="h-40" />;
  const onLedger = data.filter(({ kind }) => kind === "ledger");
  const [first, ...others] = onLedger;
  const [blob] = data;
  if (blob === undefined) return <NothingFound />;
  if (first?.receiptId === undefined) return <BlobResult blob={blob} />;
  if (others.length === 0) return <Redirect to={pagePath("verify", { receiptId: first.receiptId })} replace />;
  return <Choice anchors={onLedger} />;
}

function NothingFound() {
  return (
    <div className="rounded-lg border border-unknown bg-unknown-wash px-5 py-5 sm:px-8">
      <h2 ref={focusOnce} tabIndex={-1} className="font-medium font-serif text-xl">
        No anchored receipt has this id
      </h2>
      <p className="measure mt-2 text-sm">
        It was never anchored, or not by this service. Check that you copied all of it. If you have the receipt, drop it
        here as a file to check its signature.
      </p>
    </div>
  );
}

function Choice({ anchors }: { readonly anchors: readonly FoundAnchor[] }) {
  return (
    <section className="rounded-lg border border-line bg-card px-5 py-5 sm:px-8">
      <h2 ref={focusOnce} tabIndex={-1} className="font-medium font-serif text-xl">
        {anchors.length} receipts on the ledger have this id
      </h2>
      <p className="measure mt-1 text-sm text-soft">
        A transaction may carry several, and one receipt may be anchored again, with other claims. The oldest comes
        first.
      </p>
      <ol className="mt-4 divide-y divide-line">
        {anchors.map(({ receiptId = "", sealed, issued, allAuthorized, anchoredAt }) => (
          <li key={receiptId} className="flex flex-wrap items-center gap-x-5 gap-y-1 py-2 text-sm">
            <CopyableId value={receiptId} label="receipt id" ends={8} href={pagePath("verify", { receiptId })} />
            <StatusMark status={allAuthorized ? "pass" : "fail"}>
              {allAuthorized ? "every claim authorized" : "a claim was refused"}
            </StatusMark>
            {sealed && <span className="text-soft text-xs">sealed</span>}
            {!issued && <span className="text-unknown text-xs">not issued here</span>}
            <span className="text-soft text-xs">
              <Timestamp at={anchoredAt} />
            </span>
            <Link
              href={pagePath("verify", { receiptId })}
              className="ml-auto inline-flex min-h-11 items-center font-medium"
            >
              Verify
            </Link>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The text of a receipt that is stored as a blob, and not on the ledger. */
function BlobResult({ blob: { blobId, digest } }: { readonly blob: FoundAnchor }) {
  const { data, refetch } = useQuery({
    queryKey: ["receipt-blob", blobId],
    queryFn: () => readBlob(blobId, digest),
    gcTime: 0,
  });
  if (data === undefined) return <Skeleton what="the receipt" className="h-40" />;
  if (data.text !== undefined) {
    const content = readText(data.text);
    if (content.kind === "receipt") return <HeldResult held={content.held} name={`Blob ${blobId}`} />;
  }
  const [status, word, meaning] = BLOB_STATES[data.state];
  return (
    <div className="rounded-lg border border-line bg-card px-5 py-5 sm:px-8">
      <h2 className="flex items-center gap-3 font-medium font-serif text-xl">The receipt’s blob</h2>
      <p className="mt-2">
        <StatusMark status={status}>{word}</StatusMark>
      </p>
      <p className="measure mt-1 text-sm">{meaning}</p>
      <p className="mt-3">
        <button type="button" className="min-h-11 text-link underline" onClick={() => void refetch()}>
          Check again
        </button>
      </p>
    </div>
  );
}

interface ReadBlob {
  readonly state: BlobState;
  readonly text?: string;
}

async function readBlob(blobId: string, digest: string): Promise<ReadBlob> {
  const { aggregator } = (await fetchServiceInfo()).blobs;
  const bytes = await fetchBlob(aggregator, blobId, callerSignal());
  if (typeof bytes === "string") return { state: "not-reachable" };
  return digestHex(bytes) === digest
    ? { state: "intact", text: new TextDecoder().decode(bytes) }
    : { state: "altered" };
}
