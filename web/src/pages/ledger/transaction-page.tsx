// /ledger/tx/<digest>: one transaction of the local ledger, decoded and as raw bytes.
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { type PageParams, pagePath } from "#contract/page-paths.ts";
import { visible } from "#core/encoding/visible-text.ts";
import { ANONYMOUS } from "#core/identity/principal.ts";
import { mayReadObject } from "#core/ledger/public-part.ts";
import { client, queryKeys } from "#web/api/client.ts";
import { plural } from "#web/lib/strings.ts";
import { GateIcon } from "#web/ui/gate-icon.tsx";
import { Disclosure, PageHeader, RawContent, Section, Skeleton } from "#web/ui/page.tsx";
import { ClaimsMark, ProblemNote } from "#web/ui/status.tsx";
import { Monospace, Timestamp } from "#web/ui/text.tsx";
import { Code, FieldValue, fieldRows, LedgerLink, Rows } from "./field-rows.tsx";
import {
  EntityHeader,
  ExecutedMark,
  LocalLedgerOnly,
  shortType,
  summaryOf,
  type Transaction,
} from "./local-ledger.tsx";

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
        rows={{
          "What it did": summaryOf(transaction),
          Status: <ExecutedMark isExecuted={status.success} />,
          "Why it failed": !status.success && <FieldValue value={status.error} />,
          When: sequence === 0 ? "Genesis" : <Timestamp at={timestampMs} />,
          Number: <Monospace>{sequence}</Monospace>,
          "Sent by": <Code>{sender}</Code>,
        }}
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

type Event = Transaction["events"][number];

/** The events as sentences: anchored receipts, and gates that opened or closed. */
function TransactionEvents({ events }: { readonly events: readonly Event[] }) {
  const changes = events.filter(({ name }) => name === "AccessChanged");
  const anchors = events.filter(({ name }) => name === "ReceiptAnchored");
  if (events.length === 0) return <p className="text-soft">No events.</p>;
  return (
    <div className="flex flex-col gap-6">
      {anchors.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-card">
          {anchors.map((event) => (
            <li key={event.bcs} className="flex flex-wrap items-center gap-x-6 gap-y-1 px-5 py-3.5 sm:px-6">
              <ReceiptAnchored fields={fieldsOf(event)} />
            </li>
          ))}
        </ul>
      )}
      {changes.length > 0 && (
        <ul className="grid gap-x-6 gap-y-3 sm:grid-cols-2 xl:grid-cols-3">
          {changes.map((event) => (
            <li key={event.bcs} className="flex items-center gap-3">
              <AccessChanged fields={fieldsOf(event)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = ({ fields }: Event): Fields => (fields ?? {}) as Fields;

const AccessChanged = ({ fields: { agent, namespace, allowed } }: { readonly fields: Fields }) => (
  <>
    <GateIcon open={allowed === true} className="size-7" />
    <p className="min-w-0">
      <FieldValue value={agent} /> {allowed === true ? "may now use" : "may no longer use"}{" "}
      <FieldValue value={namespace} />.
    </p>
  </>
);

const ReceiptAnchored = ({ fields: { agent, receipt, all_authorized } }: { readonly fields: Fields }) => (
  <>
    <p className="min-w-0 flex-1 basis-60">
      A receipt for <FieldValue value={agent} /> was anchored.{" "}
      <Link href={pagePath("verify", { receiptId: String(receipt) })}>Verify it</Link>
    </p>
    <ClaimsMark areAuthorized={all_authorized === true} />
  </>
);

type Changed = Transaction["changedObjects"][number];

/** The objects that a transaction wrote. Entries of tables are objects too; they come last and are hidden at first. */
function ChangedObjects({ objects }: { readonly objects: readonly Changed[] }) {
  const entries = objects.filter(isTableEntry);
  return (
    <>
      <ObjectList objects={objects.filter((object) => !isTableEntry(object))} />
      {entries.length > 0 && (
        <Disclosure summary={plural(entries.length, "table entry", "table entries")} className="mt-3">
          <ObjectList objects={entries} />
        </Disclosure>
      )}
    </>
  );
}

const isTableEntry = ({ type }: Changed): boolean => shortType(type).startsWith("dynamic_field::");

const ObjectList = ({ objects }: { readonly objects: readonly Changed[] }) => (
  <ul className="divide-y divide-line rounded-lg border border-line bg-card">
    {objects.map(({ objectId, type, change, version }) => (
      <li key={objectId} className="px-5 py-3 sm:px-6">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <span className="untrusted min-w-0">{shortType(type)}</span>
          <span className="text-soft text-sm">
            {change}, version <Monospace>{version}</Monospace>
          </span>
        </p>
        <LedgerLink id={objectId} isPublic={mayReadObject(ANONYMOUS, { type })} />
      </li>
    ))}
  </ul>
);

type Call = Transaction["calls"][number];

/** The arguments that differ between calls. The others are the same ids in all of them. */
const SUMMARY_ARGUMENTS: ReadonlySet<string> = new Set(["agent", "namespace", "allowed", "version", "policy_version"]);

/** The calls of a transaction: a line each, which opens to show all arguments. */
const TransactionCalls = ({ calls }: { readonly calls: readonly Call[] }) => (
  <ol className="flex flex-col gap-1">
    {calls.map((call, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the calls have no other key and never change their order.
      <li key={index}>
        <Disclosure summary={<CallLine call={call} />}>
          <Rows rows={fieldRows(call.arguments)} />
        </Disclosure>
      </li>
    ))}
  </ol>
);

function CallLine({ call }: { readonly call: Call }) {
  const summary = Object.entries(call.arguments).filter(([name]) => SUMMARY_ARGUMENTS.has(name));
  return (
    <span className="untrusted">
      <code className="font-mono text-ink">{visible(call.function)}</code>{" "}
      {summary.map(([name, value]) => `${name} ${visible(String(value))}`).join(", ")}
    </span>
  );
}
