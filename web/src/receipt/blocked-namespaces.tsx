import { useState } from "react";
import { classNames } from "#web/lib/class-names.ts";
import { Button } from "#web/ui/form/button.tsx";
import { GateIcon } from "#web/ui/gate-icon.tsx";
import { NamespaceLink } from "#web/ui/links/namespace-link.tsx";

const SHOWN_AT_FIRST = 24;

interface BlockedNamespacesProps {
  readonly namespaces: readonly string[];
  /** How many are blocked. A receipt lists the first 1,000. */
  readonly total: number;
  /** Blocked since the answer that this one is compared with. They come first. */
  readonly newlyBlocked?: readonly string[];
}

/** Every namespace that the agent may not use, whatever the question was. */
export function BlockedNamespaces({ namespaces, total, newlyBlocked = [] }: BlockedNamespacesProps) {
  const [showsAll, setShowsAll] = useState(false);
  if (namespaces.length === 0) return <p className="text-soft text-sm">No namespace was blocked.</p>;
  const recent = new Set(newlyBlocked);
  const ordered = [...namespaces.filter((name) => recent.has(name)), ...namespaces.filter((name) => !recent.has(name))];
  const shown = showsAll ? ordered : ordered.slice(0, SHOWN_AT_FIRST);
  return (
    <>
      <ul className="flex flex-wrap gap-2">
        {shown.map((namespace) => (
          <li
            key={namespace}
            className={classNames(
              "inline-flex max-w-full items-center gap-2 rounded-md border px-2.5 py-1 text-sm",
              recent.has(namespace) ? "border-iron bg-iron-wash" : "border-line bg-card",
            )}
          >
            <GateIcon open={false} className="size-5 flex-none" />
            <NamespaceLink name={namespace} />
            <span className="flex-none text-iron text-xs">{recent.has(namespace) ? "now blocked" : "blocked"}</span>
          </li>
        ))}
      </ul>
      {namespaces.length > SHOWN_AT_FIRST && (
        <Button look="plain" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? "Show fewer" : `Show all ${namespaces.length}`}
        </Button>
      )}
      {showsAll && total > namespaces.length && (
        <p className="mt-2 text-soft text-sm">
          The receipt lists the first {namespaces.length} of {total}, and has the digest of the whole list.
        </p>
      )}
    </>
  );
}
