// What a tenant uses, of what it may, and the dialog that changes its quotas.
import { useState } from "react";
import type { Reply } from "#contract/routes.ts";
import type { QuotaName, TenantQuotas } from "#core/identity/tenant.ts";
import { operatorClient, refetch } from "#web/api/client.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { ActionDialog } from "#web/ui/dialog.tsx";
import { TextField } from "#web/ui/form.tsx";
import { Skeleton } from "#web/ui/page.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { Count, Facts } from "#web/ui/text.tsx";
import { useTenant } from "./use-tenant.ts";

const LABELS: Readonly<Record<QuotaName, string>> = {
  memories: "Memories",
  textBytes: "Bytes of text",
  namespaces: "Namespaces",
  policyRules: "Rules",
  receipts: "Receipts",
  answersPerMinute: "Answers a minute",
  writesPerMinute: "Writes a minute",
};
const NAMES = Object.keys(LABELS) as QuotaName[];

export function Usage({ tenantId }: { readonly tenantId: string }) {
  const { data, error, refetch: retry } = useTenant(tenantId);
  if (error !== null) return <ProblemNote error={error} onRetry={() => void retry()} />;
  if (data === undefined) return <Skeleton what="the usage" lines={NAMES.length} />;
  const rows = NAMES.map((name) => [LABELS[name], <UsedOf key={name} name={name} of={data} />] as const);
  return (
    <>
      <Facts className="grid-cols-[9rem_minmax(0,1fr)] pb-2 text-sm" rows={Object.fromEntries(rows)} />
      <div className="-ml-1.5">
        <SetQuotas id={tenantId} quotas={data.tenant.quotas ?? {}} />
      </div>
    </>
  );
}

/** "12 of 1,000". Of a rate there is the limit alone. */
function UsedOf({ name, of: { usage, limits } }: { readonly name: QuotaName; readonly of: Reply<"getTenant"> }) {
  const used = name === "answersPerMinute" || name === "writesPerMinute" ? undefined : usage[name];
  const limit = limits[name];
  if (limit === undefined) return used === undefined ? "any number" : <Count value={used} />;
  if (used === undefined) return <Count value={limit} />;
  return (
    <>
      <Count value={used} /> of <Count value={limit} />
    </>
  );
}

type Draft = Readonly<Record<QuotaName, string>>;

function SetQuotas({ id, quotas }: { readonly id: string; readonly quotas: TenantQuotas }) {
  const [edits, setEdits] = useState<Partial<Draft>>({});
  const draft = { ...draftOf(quotas), ...edits };
  const [params, body] = [{ tenantId: id }, { quotas: changesOf(quotas, draft) }];
  const isFaulty = (name: QuotaName) => !WHOLE_NUMBER.test(draft[name]);
  return (
    <ActionDialog
      button="Quotas …"
      label={`Quotas … of ${id}`}
      title={`Quotas of ${id}`}
      action={["Set the quotas", "Setting …"]}
      check={() => (NAMES.some(isFaulty) ? "must be a whole number" : undefined)}
      run={async () => {
        await operatorClient.updateTenant(params, body);
        await refetch("tenants");
        setEdits({});
      }}
      code={<AsCode route="updateTenant" input={{ params, body }} />}
      lede="An empty field stands for the default. A revoke, a forgetting and an export are never refused."
    >
      {(fault) => (
        <div className="mt-4 grid grid-cols-2 gap-4">
          {NAMES.map((name) => (
            <TextField
              key={name}
              label={LABELS[name]}
              inputMode="numeric"
              autoComplete="off"
              placeholder="default"
              value={draft[name]}
              error={isFaulty(name) ? fault : undefined}
              onChange={(value) => setEdits({ ...edits, [name]: value.trim() })}
            />
          ))}
        </div>
      )}
    </ActionDialog>
  );
}

/** Or nothing. The service takes numbers up to 10^15. */
const WHOLE_NUMBER = /^\d{0,15}$/;

const draftOf = (quotas: TenantQuotas): Draft =>
  Object.fromEntries(NAMES.map((name) => [name, quotas[name]?.toString() ?? ""])) as Draft;

/** Only what was changed, so that nobody undoes what another operator sets meanwhile. */
export function changesOf(quotas: TenantQuotas, draft: Draft): Partial<Record<QuotaName, number | null>> {
  const before = draftOf(quotas);
  const changed = NAMES.filter((name) => draft[name] !== before[name]);
  return Object.fromEntries(changed.map((name) => [name, draft[name] === "" ? null : Number(draft[name])]));
}
