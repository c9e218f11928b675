// /receipts/<answerId>: one receipt, whole, with what became of it.
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { ProblemError } from "#contract/problem.ts";
import { client, keys } from "#web/api/client.ts";
import { Anchoring } from "#web/receipt/anchor-actions.tsx";
import { ReceiptView } from "#web/receipt/receipt-view.tsx";
import { Empty } from "#web/ui/empty-state.tsx";
import { CopyButton } from "#web/ui/form/copy-button.tsx";
import { PageHeader, Section } from "#web/ui/page-header.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Loading, Skeleton } from "#web/ui/skeleton.tsx";
import { Moment } from "#web/ui/text/timestamp.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import { Download } from "./download-link.tsx";
import { Anchors } from "./receipt-anchors.tsx";
import type { ReceiptEntry } from "./receipt-marks.tsx";

export default function ReceiptPage({ params }: { readonly params: Readonly<Record<string, string | undefined>> }) {
  const answerId = params.answerId ?? "";
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.receipts, "one", answerId],
    queryFn: ({ signal }) => client.getReceipt({ answerId }, { signal }),
  });
  return (
    <>
      <p className="mb-4 text-sm">
        <Link href="/receipts">All receipts</Link>
      </p>
      {data !== undefined && <Whole entry={data} />}
      {data === undefined && <PageHeader title={isUnknown(error) ? "No such receipt" : "Receipt"} />}
      {data === undefined && error === null && (
        <>
          <Loading what="the receipt" />
          <Skeleton className="h-[32rem]" />
        </>
      )}
      {isUnknown(error) && (
        <Empty title="This service issued no receipt with this id.">
          Receipts stay, so it was never here: look at the address again, or at{" "}
          <Link href="/receipts">all receipts</Link>.
        </Empty>
      )}
      {error !== null && !isUnknown(error) && <ProblemNote error={error} onRetry={() => void refetch()} />}
    </>
  );
}

/** Of an id that cannot be one, the service says that the request is wrong. */
const isUnknown = (error: Error | null): boolean =>
  error instanceof ProblemError && (error.status === 404 || error.status === 400);

function Whole({ entry }: { readonly entry: ReceiptEntry }) {
  const { receipt } = entry;
  return (
    <>
      <PageHeader
        title="Receipt"
        lede={
          <>
            Of an answer to{" "}
            <Link href={`/receipts?${new URLSearchParams({ agentId: receipt.agentId })}`} title="All its receipts">
              <Name>{receipt.agentId}</Name>
            </Link>
            , <Moment at={receipt.createdAt} />.
          </>
        }
        actions={
          <>
            <Download receipt={receipt} />
            <CopyButton text={location.href} what="link" look="quiet" />
          </>
        }
      />
      <div className="grid items-start gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,7fr)_minmax(20rem,5fr)]">
        <ReceiptView receipt={receipt} />
        <Section
          title="Anchors"
          lede="Where others can find it, and check it without asking this service."
          className=""
        >
          <Anchors entry={entry} />
          <Anchoring receipt={receipt} />
        </Section>
      </div>
    </>
  );
}
