// /ledger/tx/<digest>: one transaction of the local ledger, decoded and as raw bytes.
import { useQuery } from "@tanstack/react-query";
import type { PageParams } from "#contract/page-paths.ts";
import { client, queryKeys } from "#web/api/client.ts";
import { PageHeader, Section } from "#web/ui/page-header.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { RawContent } from "#web/ui/raw-content.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { StatusMark } from "#web/ui/status-mark.tsx";
import { Monospace } from "#web/ui/text/monospace.tsx";
import { Timestamp } from "#web/ui/text/timestamp.tsx";
import { ChangedObjects } from "./changed-objects.tsx";
import { EntityHeader } from "./entity-header.tsx";
import { Code, FieldValue, Rows } from "./field-rows.tsx";
import { summaryOf, type Transaction } from "./ledger-wording.ts";
import { LocalLedgerOnly } from "./local-ledger-only.tsx";
import { TransactionCalls } from "./transaction-calls.tsx";
import { TransactionEvents } from "./transaction-events.tsx";

const TITLE = "Transaction";

export default function TransactionPage({ params: { digest } }: { readonly params: PageParams<"ledgerTransaction"> }) {
  return (
    <LocalLedgerOnly title={TITLE} target={{ kind: "tx", id: digest }}>
      {DIGEST.test(digest) ? <LocalTransaction digest={digest} /> : <NotADigest />}
    </LocalLedgerOnly>
  );
}

/** 32 bytes in base58. */
const DIGEST = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

const NotADigest = () => (
  <PageHeader
    title="That is not a transaction digest"
    lede="A digest has 43 or 44 letters and digits. Check that you copied all of it."
  />
);

function LocalTransaction({ digest }: { readonly digest: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKeys.ledger, "transaction", digest],
    queryFn: () => client.ledgerTransaction({ digest }),
  });
  return (
    <>
      <EntityHeader title={TITLE} id={digest} idLabel="digest" />
      {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton what="the transaction" className="h-96" />}
      {data !== undefined && <Details transaction={data} />}
    </>
  );
}

function Details({ transaction }: { readonly transaction: Transaction }) {
  const { sequence, status, timestampMs, sender, events, changedObjects, calls, bcs, effects, signatures } =
    transaction;
  return (
    <>
      <Rows
        rows={[
          ["What it did", summaryOf(transaction)],
          [
            "Status",
            <StatusMark key="status" status={status.success ? "pass" : "fail"}>
              {status.success ? "executed" : "failed"}
            </StatusMark>,
          ],
          ...(status.success ? [] : [["Why it failed", <FieldValue key="error" value={status.error} />] as const]),
          ["When", sequence === 0 ? "Genesis" : <Timestamp key="when" at={timestampMs} />],
          ["Number", <Monospace key="number">{sequence}</Monospace>],
          ["Sent by", <Code key="sender">{sender}</Code>],
        ]}
      />
      <Section title="Events">
        <TransactionEvents events={events} />
      </Section>
      <Section title="Objects">
        <ChangedObjects objects={changedObjects} />
      </Section>
      {calls.length > 0 && (
        <Section title="Calls" lede="The functions that the transaction calls, in order.">
          <TransactionCalls calls={calls} />
        </Section>
      )}
      <Section title="Raw bytes" lede="Decode them yourself to check this page.">
        <RawContent summary="The transaction (BCS, base64)" text={bcs} />
        <RawContent summary="Its effects (BCS, base64)" text={effects} />
        <RawContent summary="Signatures" text={json(signatures)} />
        <RawContent summary="Events (BCS, base64)" text={json(events.map((event) => ({ [event.name]: event.bcs })))} />
      </Section>
    </>
  );
}

const json = (value: unknown): string => JSON.stringify(value, null, 2);
