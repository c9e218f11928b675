// The tenant that the caller acts in, and the dialog to act in another.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { TENANT_ID, TENANT_ID_RULE } from "#core/identity/tenant.ts";
import { operatorClient, queryKeys } from "#web/api/client.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { switchTenant } from "#web/session/session.ts";
import { ActionDialog } from "#web/ui/dialog.tsx";
import { NameField } from "#web/ui/name-fields.tsx";

export default function TenantDialog({ tenant }: { readonly tenant: string }) {
  const [wanted, setWanted] = useState("");
  const [, navigate] = useLocation();
  return (
    <ActionDialog
      button={<span className="max-w-48 truncate">Tenant {tenant}</span>}
      label={`Tenant ${tenant}, switch to another`}
      title="Act in another tenant"
      action={["Switch", "Switching …"]}
      check={() => (TENANT_ID.test(wanted) ? undefined : TENANT_ID_RULE)}
      // The address may name something of the former tenant.
      run={() => switchTenant(wanted, () => navigate(pagePath("console"), { replace: true }))}
    >
      {(error) => <TenantField value={wanted} error={error} onChange={setWanted} />}
    </ActionDialog>
  );
}

interface TenantFieldProps {
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (tenant: string) => void;
}

const SUGGESTED = 100;

/** Suggests tenants to those who may list them. */
function TenantField(props: TenantFieldProps) {
  const { data } = useQuery({
    queryKey: [...queryKeys.tenants, "suggested"],
    queryFn: () => operatorClient.listTenants({ limit: SUGGESTED }),
    enabled: usePermissions().may("listTenants"),
  });
  const ids = (data?.tenants ?? []).flatMap(({ id, suspendedAt }) => (suspendedAt === undefined ? [id] : []));
  return (
    <NameField
      label="Tenant"
      name="tenant"
      hint="Nothing of the tenant that you leave stays on the page."
      suggestions={ids}
      {...props}
    />
  );
}
