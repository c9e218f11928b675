// /docs: the reference of the API, rendered from the service's own openapi.json, with a form to try each operation.
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { BASE_PATH } from "#web/lib/base-path.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { Field, TextInput } from "#web/ui/form/field.tsx";
import { PageHeader } from "#web/ui/page-header.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { OperationGroups } from "./operation-groups.tsx";
import type { OpenApiDocument } from "./reference/openapi-document.ts";
import { RequestLookup } from "./request-lookup.tsx";

export default function DocsPage() {
  const { may } = usePermissions();
  const [query, setQuery] = useState("");
  const deferred = useDeferredValue(query.trim());
  const { data, error, refetch } = useQuery({
    queryKey: ["openapi"],
    queryFn: fetchDocument,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <>
      <PageHeader
        title="API reference"
        lede={
          <>
            Every operation of this service, as <a href={`${BASE_PATH}/openapi.json`}>openapi.json</a> describes it. Try
            one here: it is sent with your own session, and does what it says.
          </>
        }
      />
      {may("listDecisions") && <RequestLookup />}
      <Field label="Search the operations" className="mb-10 max-w-[36rem]">
        {(control) => (
          <TextInput
            {...control}
            type="search"
            value={query}
            autoComplete="off"
            onChange={({ target }) => setQuery(target.value)}
          />
        )}
      </Field>
      {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton what="the reference" className="h-[60rem]" />}
      {data !== undefined && <OperationGroups document={data} query={deferred} />}
    </>
  );
}

async function fetchDocument(): Promise<OpenApiDocument> {
  const response = await fetch(`${BASE_PATH}/openapi.json`);
  if (!response.ok) throw new Error("The service does not describe itself.");
  return response.json();
}
