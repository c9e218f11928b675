// One tenant: its state, what it uses, and what an operator does with it.
import { useState } from "react";
import { useLocation } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { nameFault } from "#core/encoding/text-validation.ts";
import { DEFAULT_TENANT } from "#core/identity/tenant.ts";
import { operatorClient, refetch } from "#web/api/client.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { ExportButton } from "#web/memory/export-button.tsx";
import { EXPIRIES, expiryIn } from "#web/pages/keys/create-key-form.tsx";
import type { IssuedKey } from "#web/pages/keys/key-card.tsx";
import { switchTenant, useSessionState } from "#web/session/session.ts";
import { ActionDialog } from "#web/ui/dialog.tsx";
import { Button, Select, TextField } from "#web/ui/form.tsx";
import { Disclosure, RecordCard } from "#web/ui/page.tsx";
import { ProblemNote, StatusMark } from "#web/ui/status.tsx";
import { Name, say, Timestamp } from "#web/ui/text.tsx";
import { DeleteTenant, DeletionProgress } from "./delete-tenant.tsx";
import { Usage } from "./tenant-quotas.tsx";
import { stateOf, type Tenant } from "./use-tenant.ts";

interface TenantCardProps {
  readonly tenant: Tenant;
  readonly onIssued: (issued: IssuedKey) => void;
}

const STATUS = { active: "pass", suspended: "fail", "being deleted": "unknown", deleted: "fail" } as const;

export function TenantCard({ tenant, onIssued }: TenantCardProps) {
  const { id, createdAt, suspendedAt, deletion } = tenant;
  const state = stateOf(tenant);
  const suspended = state === "suspended" && say(", suspended ", <Timestamp at={suspendedAt ?? ""} />);
  const [isDeletedHere, setDeletedHere] = useState(false);
  return (
    <RecordCard
      name={id}
      mark={<StatusMark status={STATUS[state]}>{state}</StatusMark>}
      isFocused={deletion !== undefined && isDeletedHere}
    >
      <p className="mt-1 text-sm text-soft">
        {createdAt === undefined ? "Always there." : say("Created ", <Timestamp at={createdAt} />, suspended, ".")}
      </p>
      {deletion === undefined ? (
        <LivingTenant tenant={tenant} onIssued={onIssued} onDelete={() => setDeletedHere(true)} />
      ) : (
        <DeletionProgress id={id} deletion={deletion} />
      )}
    </RecordCard>
  );
}

interface LivingTenantProps extends TenantCardProps {
  readonly onDelete: () => void;
}

function LivingTenant({ tenant: { id, suspendedAt }, onIssued, onDelete }: LivingTenantProps) {
  const { session } = useSessionState();
  const isSuspended = suspendedAt !== undefined;
  const ofTenant = <span className="sr-only"> of {id}</span>;
  return (
    <>
      <Disclosure summary={<span>Usage and quotas{ofTenant}</span>} className="mt-2">
        {() => <Usage tenantId={id} />}
      </Disclosure>
      <div className="mt-1 -ml-1.5 flex flex-wrap gap-x-4">
        {session?.identities === false && !isSuspended && (
          <>
            <ActHere id={id} />
            <ExportButton tenant={id} />
          </>
        )}
        {session?.identities === true && <CreateAdminKey id={id} onIssued={onIssued} />}
        {id !== DEFAULT_TENANT.id && (
          <>
            <SetSuspended id={id} suspended={!isSuspended} />
            <DeleteTenant id={id} onDelete={onDelete} />
          </>
        )}
      </div>
    </>
  );
}

/** Without identities everybody may act in every tenant. */
function ActHere({ id }: { readonly id: string }) {
  const [, navigate] = useLocation();
  const [error, setError] = useState<unknown>();
  return (
    <>
      <Button
        look="plain"
        aria-label={`Act here, in ${id}`}
        onClick={() => void switchTenant(id, () => navigate(pagePath("console"))).catch(setError)}
      >
        Act here
      </Button>
      {error !== undefined && <ProblemNote error={error} />}
    </>
  );
}

function SetSuspended({ id, suspended }: { readonly id: string; readonly suspended: boolean }) {
  const tenant = <Name className="font-medium">{id}</Name>;
  const [verb, running] = suspended ? ["Suspend", "Suspending …"] : ["Resume", "Resuming …"];
  return (
    <ActionDialog
      button={`${verb} …`}
      label={`${verb} ${id}`}
      title={`${verb} this tenant?`}
      action={[verb, running]}
      run={async () => {
        await operatorClient.updateTenant({ tenantId: id }, { suspended });
        await refetch("tenants");
      }}
      code={<AsCode route="updateTenant" input={{ params: { tenantId: id }, body: { suspended } }} />}
      lede={
        suspended
          ? say("Nobody may act in ", tenant, " until it is resumed. Its records and keys stay.")
          : say("The keys of ", tenant, " hold again.")
      }
    />
  );
}

function CreateAdminKey({ id, onIssued }: { readonly id: string; readonly onIssued: (issued: IssuedKey) => void }) {
  const [name, setName] = useState(`admin of ${id}`);
  const [days, setDays] = useState(0);
  const [params, body] = [{ tenantId: id }, { name, ...expiryIn(days) }];
  return (
    <ActionDialog
      button="Create an admin's key …"
      label={`Create an admin's key of ${id}`}
      title="Create an admin's key"
      action={["Create the key", "Creating …"]}
      check={() => nameFault(name)}
      run={() => operatorClient.createTenantKey(params, body)}
      onDone={onIssued}
      code={<AsCode route="createTenantKey" input={{ params, body }} />}
      lede={say("It is of an admin of ", <Name>{id}</Name>, ", who makes its other keys. You see it once.")}
    >
      {(error) => (
        <>
          <TextField label="Name" className="mt-4" autoComplete="off" value={name} error={error} onChange={setName} />
          <Select
            label="Expires"
            className="mt-4 max-w-56"
            value={days}
            options={EXPIRIES}
            onChange={(value) => setDays(Number(value))}
          />
        </>
      )}
    </ActionDialog>
  );
}
