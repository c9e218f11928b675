// The events of the gate as sentences: receipts that were anchored, gates that opened or closed.
import { Link } from "wouter";
import { Gate } from "#web/ui/gate-icon.tsx";
import { Mark } from "#web/ui/status-mark.tsx";
import { Value } from "./field-rows.tsx";
import type { Transaction } from "./ledger-wording.ts";

type Event = Transaction["events"][number];

export function Events({ events }: { readonly events: readonly Event[] }) {
  const changes = events.filter(({ name }) => name === "AccessChanged");
  const anchors = events.filter(({ name }) => name === "ReceiptAnchored");
  if (events.length === 0) return <p className="text-soft">Nothing that the gate tells of.</p>;
  return (
    <div className="flex flex-col gap-6">
      {anchors.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-card">
          {anchors.map((event) => (
            <li key={event.bcs} className="flex flex-wrap items-center gap-x-6 gap-y-1 px-5 py-3.5 sm:px-6">
              <ReceiptAnchored told={toldBy(event)} />
            </li>
          ))}
        </ul>
      )}
      {changes.length > 0 && (
        <ul className="grid gap-x-6 gap-y-3 sm:grid-cols-2 xl:grid-cols-3">
          {changes.map((event) => (
            <li key={event.bcs} className="flex items-center gap-3">
              <AccessChanged told={toldBy(event)} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

type Told = Readonly<Record<string, unknown>>;
const toldBy = ({ fields }: Event): Told => (fields ?? {}) as Told;

function AccessChanged({ told: { agent, namespace, allowed } }: { readonly told: Told }) {
  return (
    <>
      <Gate open={allowed === true} className="size-7" />
      <p className="min-w-0">
        <Value of={agent} /> {allowed === true ? "may now use" : "may no longer use"} <Value of={namespace} />.
      </p>
    </>
  );
}

function ReceiptAnchored({ told: { agent, receipt, all_authorized, issued } }: { readonly told: Told }) {
  return (
    <>
      <p className="min-w-0 flex-1 basis-60">
        A receipt for <Value of={agent} /> was anchored. <Link href={`/verify/${String(receipt)}`}>Verify it</Link>
      </p>
      <Mark status={all_authorized === true ? "pass" : "fail"}>
        {all_authorized === true ? "all that it claims was authorized" : "not all that it claims was authorized"}
      </Mark>
      <Mark status={issued === true ? "pass" : "fail"}>
        {issued === true ? "issued by this service" : "not issued by this service"}
      </Mark>
    </>
  );
}
