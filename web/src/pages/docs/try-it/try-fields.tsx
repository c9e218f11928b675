// The fields of "Try it": one for each parameter, and one for the body.
import { orUndefined } from "#core/defined.ts";
import type { Operation, Parameter } from "#web/pages/docs/reference/openapi-document.ts";
import { Select, TextArea, TextField } from "#web/ui/form.tsx";
import { isPathStep } from "#web/ui/links.tsx";
import { asOptions } from "#web/ui/name-fields.tsx";

interface TryFieldsProps {
  readonly operation: Operation;
  readonly draft: TryDraft;
  readonly fault: string | undefined;
  /** Whether parameters that have to be filled in, and are not, say so. */
  readonly showsMissing: boolean;
  readonly onChange: (draft: TryDraft) => void;
}

export function TryFields({ operation: { parameters, body }, draft, fault, showsMissing, onChange }: TryFieldsProps) {
  const shown = parameters.filter((each) => each.in === "path" || each.in === "query");
  return (
    <>
      {shown.length > 0 && (
        <div className="grid gap-4 sm:grid-cols-2">
          {shown.map((parameter) => (
            <ParameterField
              key={parameter.name}
              {...{ parameter, showsMissing }}
              value={typedIn(parameter, draft)}
              onChange={(value) => onChange(withTyped(parameter, value, draft))}
            />
          ))}
        </div>
      )}
      {body !== undefined && (
        <TextArea
          label={`Body, ${body.mediaType}`}
          error={fault && `The body ${fault}.`}
          dir="ltr"
          rows={Math.min(12, Math.max(3, draft.body.split("\n").length))}
          spellCheck={false}
          look="font-mono text-xs"
          value={draft.body}
          onChange={(value) => onChange({ ...draft, body: value })}
        />
      )}
    </>
  );
}

interface ParameterFieldProps {
  readonly parameter: Parameter;
  readonly value: string;
  readonly showsMissing: boolean;
  readonly onChange: (value: string) => void;
}

function ParameterField({ parameter, value, showsMissing, onChange }: ParameterFieldProps) {
  const { name, required, schema } = parameter;
  const missing = showsMissing && required === true && value === "" ? "It must not be empty." : undefined;
  const field = {
    ...{ name, value, onChange },
    label: required === true ? name : `${name} (optional)`,
    error: parameterFault(parameter, value) ?? missing,
  };
  if (schema?.enum === undefined) return <TextField {...field} autoComplete="off" spellCheck={false} />;
  return <Select {...field} options={[["", "not set"], ...asOptions(schema.enum.map(String))]} />;
}

export interface TryDraft {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The body begins with the example. Parameters begin empty: the example's ids are of another service. */
export function draftOf({ parameters, body }: Operation): TryDraft {
  const names = (place: string) =>
    Object.fromEntries(parameters.filter((each) => each.in === place).map(({ name }) => [name, ""]));
  const example = body?.example;
  return {
    params: names("path"),
    query: names("query"),
    body: example === undefined ? "" : typeof example === "string" ? example : JSON.stringify(example, null, 2),
  };
}

/** What is wrong with a parameter that was typed: a step in a path would have the request reach another operation. */
export const parameterFault = ({ in: place }: Parameter, value: string): string | undefined =>
  place === "path" && isPathStep(value) ? "A path cannot contain it." : undefined;

export const typedIn = ({ in: place, name }: Parameter, { params, query }: TryDraft): string =>
  (place === "path" ? params[name] : query[name]) ?? "";

const withTyped = ({ in: place, name }: Parameter, value: string, draft: TryDraft): TryDraft =>
  place === "path"
    ? { ...draft, params: { ...draft.params, [name]: value } }
    : { ...draft, query: { ...draft.query, [name]: value } };

export const missingParameter = ({ parameters }: Operation, draft: TryDraft): Parameter | undefined =>
  parameters.find((parameter) => parameter.required === true && typedIn(parameter, draft) === "");

/** The parameters of the path, and for those that are not filled in their names: MEMORY_ID. */
export const shownParams = ({ params }: TryDraft): TryDraft["params"] =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, value || name.replace(/[A-Z]/g, "_$&").toUpperCase()]),
  );

/** What is wrong with the body, as far as it can be told before it is sent. */
export function bodyFault({ body }: Operation, draft: TryDraft): string | undefined {
  if (body === undefined) return undefined;
  if (draft.body.trim() === "") return body.isRequired ? "must not be empty" : undefined;
  if (body.mediaType !== "application/json") return undefined;
  return orUndefined(() => JSON.parse(draft.body)) === undefined ? "is not valid JSON" : undefined;
}
