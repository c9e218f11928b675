// /receipts/<answerId>: one receipt and its anchors.

import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { type PageParams, pagePath } from "#contract/page-paths.ts";
import { ProblemError } from "#contract/problem.ts";
import { isComplete } from "#core/receipt/receipt.ts";
import { receiptKind } from "#core/receipt/receipt-kind.ts";
import { client, queryKeys } from "#web/api/client.ts";
import { AnchorActions } from "#web/receipt/anchor-actions.tsx";
import { ReceiptStatusNote } from "#web/receipt/receipt-status.tsx";
import { ReceiptView } from "#web/receipt/receipt-view.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { CopyButton } from "#web/ui/form/copy-button.tsx";
import { AgentLink } from "#web/ui/links/agent-link.tsx";
import { PageHeader, Section } from "#web/ui/page-header.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { Timestamp } from "#web/ui/text/timestamp.tsx";
import { LongText } from "#web/ui/text/untrusted-text.tsx";
import { DownloadLink } from "./download-link.tsx";
import { ReceiptAnchors } from "./receipt-anchors.tsx";
import type { ReceiptEntry } from "./receipt-marks.tsx";

export default function ReceiptPage({ params: { answerId } }: { readonly params: PageParams<"receipt"> }) {
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKeys.receipts, "one", answerId],
    queryFn: () => client.getReceipt({ answerId }),
  });
  return (
    <>
      <p className="mb-4 text-sm">
        <Link href={pagePath("receipts")}>All receipts</Link>
      </p>
      <PageHeader
        title={isUnknown(error) ? "No such receipt" : "Receipt"}
        lede={data && <Lede entry={data} />}
        actions={data && <Actions entry={data} />}
      />
      {data !== undefined && <ReceiptDetails entry={data} />}
      {data === undefined && error === null && <Skeleton what="the receipt" className="h-[32rem]" />}
      {isUnknown(error) && (
        <EmptyState title="This service has no receipt with this id.">
          It was never issued, or it is older than receipts are kept here. Check the address, or look through{" "}
          <Link href={pagePath("receipts")}>all receipts</Link>.
        </EmptyState>
      )}
      {error !== null && !isUnknown(error) && <ProblemNote error={error} onRetry={() => void refetch()} />}
    </>
  );
}

/** The service answers 400 for a text that cannot be an id. */
const isUnknown = (error: Error | null): boolean =>
  error instanceof ProblemError && (error.status === 404 || error.status === 400);

const Lede = ({ entry: { receipt } }: { readonly entry: ReceiptEntry }) => (
  <>
    {receiptKind(receipt) === "recalled" ? "For memories recalled by" : "For an answer to"}{" "}
    <AgentLink agentId={receipt.agentId} />, <Timestamp at={receipt.createdAt} />.
  </>
);

const Actions = ({ entry: { receipt } }: { readonly entry: ReceiptEntry }) => (
  <>
    <DownloadLink receipt={receipt} />
    <CopyButton text={location.href} what="link" look="quiet" />
  </>
);

function ReceiptDetails({ entry }: { readonly entry: ReceiptEntry }) {
  const { receipt } = entry;
  return (
    <>
      <ReceiptStatusNote {...entry} />
      {entry.question !== undefined && (
        <Section title="The question" lede="Kept with the receipt, for this agent and admins only." className="mb-10">
          <LongText className="font-serif text-lg">{entry.question}</LongText>
        </Section>
      )}
      <div className="grid items-start gap-x-12 gap-y-10 lg:grid-cols-[minmax(0,7fr)_minmax(20rem,5fr)]">
        <ReceiptView receipt={receipt} opening={entry.opening} />
        <Section title="Anchors" lede="Where others can find this receipt, to verify it." className="">
          <ReceiptAnchors entry={entry} />
          {isComplete(receipt) && <AnchorActions receipt={receipt} />}
        </Section>
      </div>
    </>
  );
}
