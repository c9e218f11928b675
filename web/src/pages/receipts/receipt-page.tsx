// /receipts/<answerId>: one receipt and its anchors.

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { Link } from "wouter";
import { type PageParams, pagePath } from "#contract/page-paths.ts";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { digestOf } from "#core/encoding/digest.ts";
import { receiptKind } from "#core/receipt/citations.ts";
import { isComplete, type ViewedReceipt } from "#core/receipt/receipt.ts";
import { sourcesOf } from "#verification/sources.ts";
import { fetchBlob } from "#web/api/blob-store.ts";
import { client, isUnknown, queryKeys } from "#web/api/client.ts";
import { fetchServiceInfo } from "#web/api/queries.ts";
import { useMutation } from "#web/api/use-mutation.ts";
import { saveFile } from "#web/lib/files.ts";
import { plural } from "#web/lib/strings.ts";
import { BlobId } from "#web/memory/blob.tsx";
import { AnchorActions, VerifierLink } from "#web/receipt/anchor-actions.tsx";
import { ReceiptStatusNote, StoredUntil } from "#web/receipt/receipt-status.tsx";
import { ReceiptView } from "#web/receipt/receipt-view.tsx";
import { callerSignal } from "#web/session/session.ts";
import { Button, CopyButton } from "#web/ui/form.tsx";
import { Download } from "#web/ui/icons.tsx";
import { lazyPart } from "#web/ui/lazy-part.tsx";
import { AgentLink } from "#web/ui/links.tsx";
import { EmptyState, PageHeader, Section, Skeleton } from "#web/ui/page.tsx";
import { ClaimsMark, ProblemNote, StatusMark } from "#web/ui/status.tsx";
import { CopyableId, Facts, LongText, Monospace, NameList, Timestamp } from "#web/ui/text.tsx";
import type { ReceiptEntry } from "./receipt-row.tsx";

export default function ReceiptPage({ params: { answerId } }: { readonly params: PageParams<"receipt"> }) {
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKeys.receipts, "one", answerId],
    queryFn: () => client.getReceipt({ answerId }),
  });
  return (
    <>
      <p className="mb-4 text-sm">
        <Link href={ALL_RECEIPTS}>All receipts</Link>
      </p>
      <PageHeader
        title={isUnknown(error) ? "No such receipt" : "Receipt"}
        lede={data && <Lede entry={data} />}
        actions={
          data && (
            <>
              <DownloadButton receipt={data.receipt} />
              {isComplete(data.receipt) && <DownloadProof entry={data} />}
              <CopyButton text={location.href} what="link" look="quiet" />
            </>
          )
        }
      />
      {data !== undefined && <ReceiptDetails entry={data} />}
      {data === undefined && error === null && <Skeleton what="the receipt" className="h-[32rem]" />}
      {isUnknown(error) && (
        <EmptyState title="This service has no receipt with this id.">
          It was never issued, or its retention has ended.
        </EmptyState>
      )}
      {error !== null && !isUnknown(error) && <ProblemNote error={error} onRetry={() => void refetch()} />}
    </>
  );
}

const ALL_RECEIPTS = `${pagePath("activity")}?kind=answer`;

const Lede = ({ entry: { receipt } }: { readonly entry: ReceiptEntry }) => (
  <>
    {receiptKind(receipt) === "recalled" ? "For memories recalled by" : "For an answer to"}{" "}
    <AgentLink agentId={receipt.agentId} />, <Timestamp at={receipt.createdAt} />.
  </>
);

function ReceiptDetails({ entry }: { readonly entry: ReceiptEntry }) {
  const { receipt } = entry;
  return (
    <>
      <ReceiptStatusNote {...entry} />
      {entry.question !== undefined && (
        <Section title="The question" lede="For this agent and admins only." className="mb-10">
          <LongText className="font-serif text-lg">{entry.question}</LongText>
        </Section>
      )}
      <div className="grid items-start gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,7fr)_minmax(20rem,5fr)]">
        <ReceiptView receipt={receipt} opening={entry.opening} />
        <Section title="Anchors" className="">
          <ReceiptAnchors entry={entry} />
          {isComplete(receipt) && <AnchorActions receipt={receipt} />}
        </Section>
      </div>
    </>
  );
}

/** All that proves the answer without this service: what `portcullis proof` writes, with the receipt as it is shown here. */
function DownloadProof({ entry }: { readonly entry: ReceiptEntry }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const [{ answerBundle }, { networkFetchers }, info] = await Promise.all([
        import("#verification/answer-bundle.ts"),
        import("#verification/network-fetchers.ts"),
        fetchServiceInfo(),
      ]);
      const sources = sourcesOf(info, undefined);
      const signal = callerSignal();
      const blob = (blobId: string) => fetchBlob(sources.aggregator, blobId, signal, { asCaller: true });
      const fetchers = networkFetchers({ client, sources, blob, signal });
      const bundle = await answerBundle({ client, signal, fetchers, network: sources.network }, entry, {
        isOpen: true,
      });
      saveFile(`${entry.receipt.answerId}.portcullis.json`, "application/json", [JSON.stringify(bundle)]);
    },
  });
  return (
    <>
      <Button icon={Download} busy={isPending} onClick={() => mutate()}>
        Download the proof
      </Button>
      {error !== null && <ProblemNote error={error} onRetry={() => mutate()} />}
    </>
  );
}

/** The receipt's canonical JSON: the bytes that an anchor stores and whose digest the ledger has. */
const DownloadButton = ({ receipt }: { readonly receipt: ViewedReceipt }) => (
  <Button
    icon={Download}
    onClick={() => saveFile(`${receipt.answerId}.json`, "application/json", [canonicalJson(receipt)])}
  >
    Download as JSON
  </Button>
);

const ShareProof = lazyPart(async () => (await import("./share-proof.tsx")).default);

const COLUMNS = "grid-cols-[7rem_minmax(0,1fr)]";

function ReceiptAnchors({ entry }: { readonly entry: ReceiptEntry }) {
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
      <h3 className="mb-2 font-medium">
        As a blob{anchor.sealed && ", sealed"}, <Timestamp at={anchoredAt} />
      </h3>
      <Facts
        className={COLUMNS}
        rows={{
          Blob: <BlobId blobId={blobId} label="blob id of the receipt" ends={8} />,
          "Can be fetched": storedUntil !== null && <StoredUntil until={storedUntil} />,
        }}
      />
      <VerifierLink href={`${pagePath("verifyStart")}?${new URLSearchParams({ q: blobId })}`} />
    </div>
  );
}

function OnLedger({ anchor, entry }: { readonly anchor: ReceiptEntry["chain"][number]; readonly entry: ReceiptEntry }) {
  const { receiptId, txDigest, allAuthorized, claimed, anchoredAt } = anchor;
  return (
    <li className="rounded-lg border border-line bg-card p-4">
      <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="font-medium">
          On the ledger{anchor.sealed && ", sealed"}, <Timestamp at={anchoredAt} />
        </h3>
        <ClaimsMark areAuthorized={allAuthorized} />
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
        }}
      />
      <VerifierLink href={pagePath("verify", { receiptId })} />
      <ShareProof entry={entry} receiptId={receiptId} />
    </li>
  );
}
