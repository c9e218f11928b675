// The deletion of a tenant: the question before it, how far it is, and what stays.
import { useState } from "react";
import { operatorClient, refetch } from "#web/api/client.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { plural } from "#web/lib/strings.ts";
import { ActionDialog } from "#web/ui/dialog.tsx";
import { TextField } from "#web/ui/form.tsx";
import { Disclosure, Skeleton } from "#web/ui/page.tsx";
import { ProblemNote, ProgressBar } from "#web/ui/status.tsx";
import { CodeBlock, Count, Name, say, Timestamp } from "#web/ui/text.tsx";
import { type Tenant, useTenant } from "./use-tenant.ts";

interface DeleteTenantProps {
  readonly id: string;
  /** Called before this button is gone. */
  readonly onDelete: () => void;
}

export function DeleteTenant({ id, onDelete }: DeleteTenantProps) {
  const [typed, setTyped] = useState("");
  return (
    <ActionDialog
      button="Delete …"
      label={`Delete ${id}`}
      title="Delete this tenant?"
      action={["Delete for good", "Deleting …"]}
      check={() => (typed === id ? undefined : "is not the id of this tenant")}
      run={async () => {
        await operatorClient.deleteTenant({ tenantId: id });
        onDelete();
        await refetch("tenants");
      }}
      code={<AsCode route="deleteTenant" input={{ params: { tenantId: id } }} />}
      lede={say("Nobody may act in ", <Name className="font-medium">{id}</Name>, ` from now on. ${CONSEQUENCES}`)}
    >
      {(error) => (
        <TextField
          label={say("Type ", <Name>{id}</Name>, " to confirm")}
          className="mt-4"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          error={error}
          onChange={setTyped}
        />
      )}
    </ActionDialog>
  );
}

const CONSEQUENCES =
  "Its memories, receipts, rules and keys are removed, and its id is not given again. This cannot be undone.";

type Deletion = NonNullable<Tenant["deletion"]>;

/** How far a deletion is; once it has ended, what it removed. */
export function DeletionProgress({ id, deletion }: { readonly id: string; readonly deletion: Deletion }) {
  const { removed, remaining, endedAt } = deletion;
  const done = removed.memories + removed.receipts;
  if (endedAt === undefined) {
    return (
      <div className="mt-2 text-sm">
        <ProgressBar label={`Deletion of ${id}`} value={done} max={done + remaining} />
        <p className="mt-1 text-soft">
          <Count value={done} /> of about <Count value={done + remaining} /> memories and receipts removed.
        </p>
      </div>
    );
  }
  return (
    <>
      <p className="mt-1 text-sm text-soft">
        Deleted <Timestamp at={endedAt} />: {plural(removed.memories, "memory", "memories")},{" "}
        {plural(removed.receipts, "receipt")} and {plural(removed.keys, "key")} removed.
      </p>
      <Disclosure summary="Tombstone">{() => <Tombstone id={id} />}</Disclosure>
    </>
  );
}

function Tombstone({ id }: { readonly id: string }) {
  const { data, error, refetch: retry } = useTenant(id);
  if (error !== null) return <ProblemNote error={error} onRetry={() => void retry()} />;
  // What is cached may be from before the end.
  if (data?.tombstone === undefined) return <Skeleton what="the tombstone" className="h-28" />;
  return <CodeBlock label={`tombstone of ${id}`} text={JSON.stringify(data.tombstone, null, 2)} />;
}
