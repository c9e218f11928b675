// /ledger/tx/<digest>: one transaction of the local ledger, decoded, with its bytes.
import { useQuery } from "@tanstack/react-query";
import { client, keys } from "#web/api/client.ts";
import { PageHeader, Section } from "#web/ui/page-header.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Loading, Skeleton } from "#web/ui/skeleton.tsx";
import { Mark } from "#web/ui/status-mark.tsx";
import { Mono } from "#web/ui/text/copyable-id.tsx";
import { Moment } from "#web/ui/text/timestamp.tsx";
import { ChangedObjects } from "./changed-objects.tsx";
import { BackToLedger, LocalLede, RawFold, Rows, Value } from "./field-rows.tsx";
import { deedsOf, type Transaction } from "./ledger-wording.ts";
import { OnLocalLedger } from "./local-ledger-only.tsx";
import { Calls } from "./transaction-calls.tsx";
import { Events } from "./transaction-events.tsx";

const TITLE = "Transaction";

export default function TransactionPage({ params }: { readonly params: Readonly<Record<string, string | undefined>> }) {
  const digest = params.digest ?? "";
  return (
    <OnLocalLedger title={TITLE} elsewhere={{ kind: "tx", id: digest }}>
      <Found digest={digest} />
    </OnLocalLedger>
  );
}

function Found({ digest }: { readonly digest: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.ledger, "transaction", digest],
    queryFn: ({ signal }) => client.ledgerTransaction({ digest }, { signal }),
  });
  return (
    <>
      <BackToLedger />
      <PageHeader title={TITLE} lede={<LocalLede id={digest} what="digest" />} />
      {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && (
        <>
          <Loading what="the transaction" />
          <Skeleton className="h-96" />
        </>
      )}
      {data !== undefined && <Details transaction={data} />}
    </>
  );
}

function Details({ transaction }: { readonly transaction: Transaction }) {
  const { sequence, status, timestampMs, sender, events, changedObjects, calls, bcs, signatures } = transaction;
  return (
    <>
      <Rows
        rows={[
          ["What it did", deedsOf(transaction)],
          [
            "Status",
            <Mark key="status" status={status.success ? "pass" : "fail"}>
              {status.success ? "executed" : "failed"}
            </Mark>,
          ],
          ...(status.success ? [] : [["Why it failed", <Value key="error" of={status.error} />] as const]),
          ["When", sequence === 0 ? "At the beginning" : <Moment key="when" at={timestampMs} />],
          ["Number", <Mono key="number">{sequence}</Mono>],
          [
            "Sent by",
            <code key="sender" className="break-all font-mono text-sm">
              {sender}
            </code>,
          ],
        ]}
      />
      <Section title="What happened">
        <Events events={events} />
      </Section>
      <Section title="Objects">
        <ChangedObjects objects={changedObjects} />
      </Section>
      {calls.length > 0 && (
        <Section title="Calls" lede="Each function that it calls, in order.">
          <Calls calls={calls} />
        </Section>
      )}
      <Section title="As it was sent" lede="So that nobody has to believe the decoding.">
        <RawFold summary="The transaction (BCS, base64)" value={bcs} />
        <RawFold summary="Signatures" value={signatures} />
        <RawFold summary="Events (BCS, base64)" value={events.map((event) => ({ [event.name]: event.bcs }))} />
      </Section>
    </>
  );
}
