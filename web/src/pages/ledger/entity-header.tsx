// The header of the page of one transaction or one object.
import type { ReactNode } from "react";
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { visible } from "#core/encoding/visible-text.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { CopyButton } from "#web/ui/form/copy-button.tsx";
import { PageHeader } from "#web/ui/page-header.tsx";
import { LOCAL_LEDGER_LEDE } from "./local-ledger-only.tsx";

interface EntityHeaderProps {
  readonly title: string;
  readonly id: string;
  /** What the id is, for the copy button: "object id". */
  readonly idLabel: string;
  readonly actions?: ReactNode;
}

export function EntityHeader({ title, id, idLabel, actions }: EntityHeaderProps) {
  const { mayOpen } = usePermissions();
  return (
    <>
      <p className="mb-4 text-sm">
        {mayOpen("ledger") ? <Link href={pagePath("ledger")}>The local ledger</Link> : "The local ledger"}
      </p>
      <PageHeader
        title={title}
        lede={
          <>
            <span className="flex flex-wrap items-center gap-x-2">
              <code className="break-all font-mono text-ink text-sm">{visible(id)}</code>
              <CopyButton text={id} what={idLabel} />
            </span>
            <span className="mt-3 block text-base">{LOCAL_LEDGER_LEDE}</span>
          </>
        }
        actions={actions}
      />
    </>
  );
}
