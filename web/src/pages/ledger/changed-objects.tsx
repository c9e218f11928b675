// What a transaction wrote. Entries of tables are objects to the chain and noise to people: they come last, folded.
import { Fold } from "#web/ui/disclosure.tsx";
import { Mono } from "#web/ui/text/copyable-id.tsx";
import { ObjectLink } from "./field-rows.tsx";
import { shortType, type Transaction } from "./ledger-wording.ts";

type Changed = Transaction["changedObjects"][number];

export function ChangedObjects({ objects }: { readonly objects: readonly Changed[] }) {
  const entries = objects.filter(isEntry);
  return (
    <>
      <List objects={objects.filter((object) => !isEntry(object))} />
      {entries.length > 0 && (
        <div className="mt-3">
          <Fold summary={`${entries.length} ${entries.length === 1 ? "entry" : "entries"} of tables`}>
            <List objects={entries} />
          </Fold>
        </div>
      )}
    </>
  );
}

const isEntry = ({ type }: Changed): boolean => shortType(type).startsWith("dynamic_field::");

function List({ objects }: { readonly objects: readonly Changed[] }) {
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-card">
      {objects.map(({ objectId, type, change, version }) => (
        <li key={objectId} className="px-5 py-3 sm:px-6">
          <p className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="outside min-w-0">{shortType(type)}</span>
            <span className="text-soft text-sm">
              {change}, version <Mono>{version}</Mono>
            </span>
          </p>
          <ObjectLink objectId={objectId} />
        </li>
      ))}
    </ul>
  );
}
