// /tenants: what an operator does. Tenants are created, found, suspended, deleted and given the first admin's key.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { TENANT_ID, TENANT_ID_RULE } from "#core/identity/tenant.ts";
import { isUnknown, operatorClient, queryKeys, refetch } from "#web/api/client.ts";
import { useCursorPages } from "#web/api/use-cursor-pages.ts";
import { useMutation } from "#web/api/use-mutation.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { useSearchParams } from "#web/lib/address.ts";
import { type IssuedKey, IssuedKeyNote } from "#web/pages/keys/key-card.tsx";
import { Button, Form, RunButton, SearchField, TextField } from "#web/ui/form.tsx";
import { ListEnd, NoMatch } from "#web/ui/list.tsx";
import { asOptions, FilterSelect } from "#web/ui/name-fields.tsx";
import { PageHeader, Section, Skeleton } from "#web/ui/page.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { Name, say } from "#web/ui/text.tsx";
import { TenantCard } from "./tenant-card.tsx";
import { useDeletionProgress, useTenant } from "./use-tenant.ts";

const PAGE_SIZE = 50;
const LONGEST_ID = 128;

export default function TenantsPage() {
  const [issued, setIssued] = useState<IssuedKey>();
  const [params, setParams] = useSearchParams();
  const wanted = params.get("id") ?? "";
  const show = (id: string) => setParams(id === "" ? {} : { id });
  function showAll(): void {
    // The button is gone with the one tenant.
    document.querySelector("h1")?.focus();
    show("");
  }
  return (
    <>
      <PageHeader title="Tenants" lede="Nothing passes between two of them." />
      {issued !== undefined && (
        <IssuedKeyNote key={issued.key} issued={issued} onDismiss={() => setIssued(undefined)} />
      )}
      <div className="grid gap-x-12 gap-y-10 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <Section title="Create a tenant" className="lg:self-start">
          <CreateTenantForm onCreated={show} />
        </Section>
        <Section title={wanted === "" ? "All tenants" : "One tenant"} className="min-w-0">
          <FindForm wanted={wanted} onFind={show} />
          {wanted === "" ? (
            <TenantList onIssued={setIssued} />
          ) : (
            <FoundTenant id={wanted} showAll={showAll} onIssued={setIssued} />
          )}
        </Section>
      </div>
    </>
  );
}

function CreateTenantForm({ onCreated }: { readonly onCreated: (id: string) => void }) {
  const [id, setId] = useState("");
  const [template, setTemplate] = useState("");
  const [error, setError] = useState<string>();
  const body = { id, ...(template !== "" && { template }) };
  const creating = useMutation({
    mutationFn: () => operatorClient.createTenant(body),
    async onSuccess() {
      setId("");
      await refetch("tenants");
      onCreated(id);
    },
  });

  function submit(form: HTMLFormElement): void {
    const isId = TENANT_ID.test(id);
    setError(isId ? undefined : TENANT_ID_RULE);
    if (isId) creating.mutate();
    else form.querySelector("input")?.focus();
  }

  return (
    <Form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        label="Id"
        hint="Letters, digits and . _ : @ + -. It cannot be changed."
        error={error}
        maxLength={LONGEST_ID}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={id}
        onChange={setId}
      />
      <TemplateSelect value={template} onChange={setTemplate} />
      <RunButton type="submit" className="self-start" of={creating} words={["Create the tenant", "Creating …"]} />
      <AsCode route="createTenant" input={{ body }} />
      <p role="status" className="text-sm empty:hidden">
        {creating.isSuccess && say("Created ", <Name>{creating.data.tenant.id}</Name>, ".")}
      </p>
      {creating.error !== null && <ProblemNote error={creating.error} />}
    </Form>
  );
}

function TemplateSelect(props: { readonly value: string; readonly onChange: (template: string) => void }) {
  const { data } = useQuery({
    queryKey: [...queryKeys.tenants, "templates"],
    queryFn: () => operatorClient.listTemplates(),
  });
  const options = asOptions(data?.templates ?? []);
  return <FilterSelect label="Template" all="None: begins empty" options={options} {...props} />;
}

/** There may be 100,000 tenants: one is found by its id. */
function FindForm({ wanted, onFind }: { readonly wanted: string; readonly onFind: (id: string) => void }) {
  const [id, setId] = useState(wanted);
  useEffect(() => setId(wanted), [wanted]);
  return (
    <Form role="search" onSubmit={() => onFind(id.trim())} className="mb-4 flex items-end gap-3">
      <SearchField
        label="Find by id"
        className="min-w-0 max-w-80 flex-1"
        maxLength={LONGEST_ID}
        value={id}
        onChange={setId}
      />
      <Button type="submit">Find</Button>
    </Form>
  );
}

function TenantList({ onIssued }: { readonly onIssued: (issued: IssuedKey) => void }) {
  const pages = useCursorPages({
    queryKey: queryKeys.tenants,
    fetchPage: (page, signal) => operatorClient.listTenants(page, { signal }),
    pageSize: PAGE_SIZE,
  });
  useDeletionProgress(pages.items);
  return (
    <>
      {pages.isPending && <Skeleton what="the tenants" className="h-72" />}
      <ul aria-label="Tenants, oldest first" className="flex flex-col gap-3 empty:hidden">
        {pages.items.map((tenant) => (
          <li key={tenant.id}>
            <TenantCard tenant={tenant} onIssued={onIssued} />
          </li>
        ))}
      </ul>
      <ListEnd pages={pages} more="Show more tenants" />
    </>
  );
}

interface FoundTenantProps {
  readonly id: string;
  readonly showAll: () => void;
  readonly onIssued: (issued: IssuedKey) => void;
}

function FoundTenant({ id, showAll, onIssued }: FoundTenantProps) {
  const { data, error, refetch: retry } = useTenant(id);
  useDeletionProgress(data === undefined ? [] : [data.tenant]);
  if (isUnknown(error)) return <NoMatch title="No tenant has this id." all="Show all tenants" clear={showAll} />;
  if (error !== null) return <ProblemNote error={error} onRetry={() => void retry()} />;
  if (data === undefined) return <Skeleton what="the tenant" className="h-40" />;
  return (
    <>
      <TenantCard key={id} tenant={data.tenant} onIssued={onIssued} />
      <Button className="mt-4" onClick={showAll}>
        Show all tenants
      </Button>
    </>
  );
}
