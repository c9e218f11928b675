import { useState } from "react";
import { classes } from "#web/lib/class-names.ts";
import { Button } from "#web/ui/form/button.tsx";
import { Gate } from "#web/ui/gate-icon.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";

const SHOWN = 24;

interface BlockedNamespacesProps {
  readonly namespaces: readonly string[];
  /** Closed since the answer that this one is compared with. */
  readonly news?: readonly string[];
}

/** Closed gates: every namespace that the agent may not use, whatever was asked. */
export function BlockedNamespaces({ namespaces, news = [] }: BlockedNamespacesProps) {
  const [all, setAll] = useState(false);
  if (namespaces.length === 0) return <p className="text-soft text-sm">No namespace was blocked.</p>;
  const fresh = new Set(news);
  const ordered = [...namespaces.filter((name) => fresh.has(name)), ...namespaces.filter((name) => !fresh.has(name))];
  const shown = all ? ordered : ordered.slice(0, SHOWN);
  return (
    <>
      <ul className="flex flex-wrap gap-2">
        {shown.map((namespace) => (
          <li
            key={namespace}
            className={classes(
              "inline-flex max-w-full items-center gap-2 rounded-md border px-2.5 py-1 text-sm",
              fresh.has(namespace) ? "border-iron bg-iron-wash" : "border-line bg-card",
            )}
          >
            <Gate open={false} className="size-5" />
            <Name>{namespace}</Name>
            <span className="text-iron text-xs">{fresh.has(namespace) ? "now blocked" : "blocked"}</span>
          </li>
        ))}
      </ul>
      {namespaces.length > SHOWN && (
        <Button look="plain" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show all ${namespaces.length}`}
        </Button>
      )}
    </>
  );
}
