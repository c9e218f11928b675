// All that there is to say of one operation: who may call it, what it takes, what it gives, and what can go wrong.

import type { ReactNode } from "react";
import { paths, type RouteName } from "#contract/paths.ts";
import { plural } from "#web/lib/strings.ts";
import { TryIt } from "#web/pages/docs/try-it/try-it.tsx";
import { usePermissions } from "#web/session/permissions.ts";
import { Disclosure } from "#web/ui/page.tsx";
import { CodeBlock } from "#web/ui/text.tsx";
import type { MediaBody, Operation } from "./openapi-document.ts";
import { FieldRow, InlineCode, SchemaView } from "./schema-view.tsx";

export function OperationDetails({ operation }: { readonly operation: Operation }) {
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

const isRoute = (id: string): id is RouteName => Object.hasOwn(paths, id);

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section aria-label={title}>
    <h4 className="mb-1 font-medium text-sm">{title}</h4>
    {children}
  </section>
);

interface BodyProps extends MediaBody {
  /** Its fields are shown at once. */
  readonly isUnfolded?: boolean;
}

function Body({ mediaType, schema, example, isUnfolded = false }: BodyProps) {
  return (
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
}
