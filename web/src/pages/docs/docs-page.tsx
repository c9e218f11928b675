// /docs: the reference of the API, rendered from the service's own openapi.json, with a form to try each operation.
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useDeferredValue, useEffect, useMemo, useState } from "react";
import { orUndefined } from "#core/defined.ts";
import { BASE_PATH } from "#web/lib/address.ts";
import { classNames, plural } from "#web/lib/strings.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { SearchField } from "#web/ui/form.tsx";
import { Disclosure, EmptyState, PageHeader, Section, Skeleton } from "#web/ui/page.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { CodeBlock } from "#web/ui/text.tsx";
import {
  type MediaBody,
  matches,
  type OpenApiDocument,
  type Operation,
  operationsOf,
} from "./reference/openapi-document.ts";
import { DocumentContext, FieldRow, InlineCode, SchemaView } from "./reference/schema-view.tsx";
import { isRoute, TryIt } from "./try-it/try-it.tsx";

export default function DocsPage() {
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
      <SearchField label="Search the operations" className="mb-10 max-w-[36rem]" value={query} onChange={setQuery} />
      {error !== null && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton what="the reference" className="h-[60rem]" />}
      {data !== undefined && <OperationGroups document={data} query={deferred} />}
    </>
  );
}

async function fetchDocument(): Promise<OpenApiDocument> {
  const response = await fetch(`${BASE_PATH}/openapi.json`);
  if (!response.ok) throw new Error("The service did not send openapi.json.");
  return response.json();
}

/** The operations by group. Each is one line until it is unfolded. /docs#setAccess unfolds one. */
function OperationGroups({ document, query }: { readonly document: OpenApiDocument; readonly query: string }) {
  const operations = useMemo(() => operationsOf(document), [document]);
  const found = query === "" ? operations : operations.filter((operation) => matches(operation, query));
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set([hashId()]));
  useEffect(() => {
    function openNamed(): void {
      const id = hashId();
      setOpen((before) => new Set([...before, id]));
      globalThis.document.getElementById(id)?.scrollIntoView({ block: "start" });
    }
    openNamed();
    addEventListener("hashchange", openNamed);
    return () => removeEventListener("hashchange", openNamed);
  }, []);

  function toggle(id: string): void {
    const next = new Set(open);
    const isClosing = next.delete(id);
    if (!isClosing) next.add(id);
    setOpen(next);
    // The address names what was opened last, so that it can be passed on. The state of the router stays.
    if (!isClosing) history.replaceState(history.state, "", `#${encodeURIComponent(id)}`);
  }

  const groups = (document.tags ?? []).flatMap(({ name, description }) => {
    const members = found.filter(({ tag }) => tag === name);
    return members.length === 0 ? [] : [{ name, description, members }];
  });
  return (
    <DocumentContext value={document}>
      <p role="status" className="sr-only">
        {query === "" ? "" : `${found.length} operations`}
      </p>
      {groups.length === 0 && <EmptyState title="No operation matches." />}
      {groups.map(({ name, description, members }) => (
        <Section key={name} title={name} lede={description} className="mb-12">
          <ul className="divide-y divide-line border-line border-y">
            {members.map((operation) => (
              <OperationRow
                key={operation.id}
                operation={operation}
                isOpen={open.has(operation.id)}
                onToggle={() => toggle(operation.id)}
              />
            ))}
          </ul>
        </Section>
      ))}
    </DocumentContext>
  );
}

const hashId = (): string => orUndefined(() => decodeURIComponent(location.hash.slice(1))) ?? "";

interface OperationRowProps {
  readonly operation: Operation;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}

function OperationRow({ operation, isOpen, onToggle }: OperationRowProps) {
  const { id, method, path, summary } = operation;
  return (
    <li id={id} className="scroll-mt-4">
      <h3>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          className="grid w-full grid-cols-[4.5rem_minmax(0,1fr)] items-baseline gap-x-3 gap-y-0.5 py-3 text-left hover:bg-well lg:grid-cols-[4.5rem_minmax(0,22rem)_minmax(0,1fr)]"
        >
          <span className={classNames("font-mono text-xs", method === "GET" ? "text-pass" : "text-iron")}>
            {method}
          </span>
          <code className="break-words font-mono text-sm">{path}</code>
          <span className="col-start-2 text-sm text-soft lg:col-start-3">{summary.replaceAll("`", "")}</span>
        </button>
      </h3>
      {isOpen && (
        <div className="sm:pl-[5.25rem]">
          <OperationDetails operation={operation} />
        </div>
      )}
    </li>
  );
}

function OperationDetails({ operation }: { readonly operation: Operation }) {
  const { callers, parameters, body, replies, problems } = operation;
  const { may } = usePermissions();
  const mayCall = !isRoute(operation.id) || may(operation.id);
  return (
    <div className="grid items-start gap-x-10 gap-y-6 pt-2 pb-10 lg:grid-cols-[minmax(0,1fr)_minmax(0,30rem)]">
      <div className="flex flex-col gap-6">
        <p className="text-sm">
          {callers}
          {!mayCall && <strong className="ml-2 font-medium">You may not call it.</strong>}
        </p>
        {parameters.length > 0 && (
          <Part title="Parameters">
            <ul className="divide-y divide-line">
              {parameters.map(({ name, in: place, required, description, schema = {} }) => (
                <FieldRow
                  key={`${place} ${name}`}
                  name={place === "path" ? `{${name}}` : name}
                  schema={{ ...schema, ...(description !== undefined && { description }) }}
                  isRequired={required === true}
                />
              ))}
            </ul>
          </Part>
        )}
        {body !== undefined && (
          <Part title={body.isRequired ? "Body" : "Body, optional"}>
            <Body {...body} isUnfolded />
          </Part>
        )}
        {replies.map(({ status, description, bodies }) => (
          <Part key={status} title={`Reply ${status}`}>
            <p className="text-soft text-sm">
              <InlineCode>{description}</InlineCode>
            </p>
            {bodies.map((each) => (
              <Body key={each.mediaType} {...each} />
            ))}
          </Part>
        ))}
        {problems.length > 0 && (
          <Part title="Problems">
            <Disclosure summary={plural(problems.length, "problem")}>
              <ul className="divide-y divide-line">
                {problems.map(({ status, code, meaning }) => (
                  <li key={code} className="grid gap-x-4 py-1.5 text-sm sm:grid-cols-[3rem_14rem_minmax(0,1fr)]">
                    <span className="font-mono text-[0.9em]">{status}</span>
                    <code className="font-mono text-[0.9em]">{code}</code>
                    <span className="text-soft">{meaning}</span>
                  </li>
                ))}
              </ul>
            </Disclosure>
          </Part>
        )}
      </div>
      <TryIt operation={operation} mayCall={mayCall} />
    </div>
  );
}

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section aria-label={title}>
    <h4 className="mb-1 font-medium text-sm">{title}</h4>
    {children}
  </section>
);

interface BodyProps extends MediaBody {
  readonly isUnfolded?: boolean;
}

const Body = ({ mediaType, schema, example, isUnfolded = false }: BodyProps) => (
  <div className="mt-1">
    <p className="text-soft text-xs">
      <code className="font-mono">{mediaType}</code>
    </p>
    {schema !== undefined && isUnfolded && <SchemaView schema={schema} />}
    {schema !== undefined && !isUnfolded && (
      <Disclosure summary="Fields">{() => <SchemaView schema={schema} />}</Disclosure>
    )}
    {example !== undefined && (
      <Disclosure summary="Example">
        {() => (
          <CodeBlock
            label={`Example, ${mediaType}`}
            text={typeof example === "string" ? example : JSON.stringify(example, null, 2)}
          />
        )}
      </Disclosure>
    )}
  </div>
);
