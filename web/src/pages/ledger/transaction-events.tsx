// The events of the gate as sentences: anchored receipts, and gates that opened or closed.
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { GateIcon } from "#web/ui/gate-icon.tsx";
import { StatusMark } from "#web/ui/status-mark.tsx";
import { FieldValue } from "./field-rows.tsx";
import type { Transaction } from "./ledger-wording.ts";

type Event = Transaction["events"][number];

export function TransactionEvents({ events }: { readonly events: readonly Event[] }) {
  const changes = events.filter(({ name }) => name === "AccessChanged");
  const anchors = events.filter(({ name }) => name === "ReceiptAnchored");
  if (events.length === 0) return <p className="text-soft">No events of the gate.</p>;
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

function AccessChanged({ fields: { agent, namespace, allowed } }: { readonly fields: Fields }) {
  return (
    <>
      <GateIcon open={allowed === true} className="size-7" />
      <p className="min-w-0">
        <FieldValue value={agent} /> {allowed === true ? "may now use" : "may no longer use"}{" "}
        <FieldValue value={namespace} />.
      </p>
    </>
  );
}

function ReceiptAnchored({ fields: { agent, receipt, all_authorized } }: { readonly fields: Fields }) {
  return (
    <>
      <p className="min-w-0 flex-1 basis-60">
        A receipt for <FieldValue value={agent} /> was anchored.{" "}
        <Link href={pagePath("verify", { receiptId: String(receipt) })}>Verify it</Link>
      </p>
      <StatusMark status={all_authorized === true ? "pass" : "fail"}>
        {all_authorized === true ? "every claim authorized" : "not every claim authorized"}
      </StatusMark>
    </>
  );
}
