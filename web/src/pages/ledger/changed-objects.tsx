// The objects that a transaction wrote. Entries of tables are objects too; they come last and are hidden at first.
import { ANONYMOUS } from "#core/identity/principal.ts";
import { mayReadObject } from "#core/ledger/public-part.ts";
import { plural } from "#web/lib/plural.ts";
import { Disclosure } from "#web/ui/disclosure.tsx";
import { Monospace } from "#web/ui/text/monospace.tsx";
import { ObjectLink } from "./field-rows.tsx";
import { shortType, type Transaction } from "./ledger-wording.ts";

type Changed = Transaction["changedObjects"][number];

export function ChangedObjects({ objects }: { readonly objects: readonly Changed[] }) {
  const entries = objects.filter(isTableEntry);
  return (
    <>
      <List objects={objects.filter((object) => !isTableEntry(object))} />
      {entries.length > 0 && (
        <div className="mt-3">
          <Disclosure summary={plural(entries.length, "table entry", "table entries")}>
            <List objects={entries} />
          </Disclosure>
        </div>
      )}
    </>
  );
}

const isTableEntry = ({ type }: Changed): boolean => shortType(type).startsWith("dynamic_field::");

function List({ objects }: { readonly objects: readonly Changed[] }) {
  return (
    <ul className="divide-y divide-line rounded-lg border border-line bg-card">
      {objects.map(({ objectId, type, change, version }) => (
        <li key={objectId} className="px-5 py-3 sm:px-6">
          <p className="flex flex-wrap items-baseline justify-between gap-x-4">
            <span className="untrusted min-w-0">{shortType(type)}</span>
            <span className="text-soft text-sm">
              {change}, version <Monospace>{version}</Monospace>
            </span>
          </p>
          <ObjectLink objectId={objectId} isPublic={mayReadObject(ANONYMOUS, { type })} />
        </li>
      ))}
    </ul>
  );
}
