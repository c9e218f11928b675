// The fields of "Try it": one for each parameter, and one for the body.
import type { Operation, Parameter } from "#web/pages/docs/reference/openapi-document.ts";
import { Field, Select, TextArea, TextInput } from "#web/ui/form/field.tsx";
import { parameterFault, type TryDraft, typedIn } from "./try-draft.ts";

interface TryFieldsProps {
  readonly operation: Operation;
  readonly draft: TryDraft;
  /** Of the body. */
  readonly fault: string | undefined;
  /** Whether parameters that have to be filled in, and are not, say so. */
  readonly showsMissing: boolean;
  readonly onChange: (draft: TryDraft) => void;
}

export function TryFields({ operation: { parameters, body }, draft, fault, showsMissing, onChange }: TryFieldsProps) {
  const inPath = parameters.filter((each) => each.in === "path");
  const inQuery = parameters.filter((each) => each.in === "query");
  return (
    <>
      {inPath.length + inQuery.length > 0 && (
        <div className="grid gap-4 sm:grid-cols-2">
          {inPath.map((parameter) => (
            <ParameterField
              key={parameter.name}
              {...{ parameter, showsMissing }}
              value={typedIn(parameter, draft)}
              onChange={(value) => onChange({ ...draft, params: { ...draft.params, [parameter.name]: value } })}
            />
          ))}
          {inQuery.map((parameter) => (
            <ParameterField
              key={parameter.name}
              {...{ parameter, showsMissing }}
              value={typedIn(parameter, draft)}
              onChange={(value) => onChange({ ...draft, query: { ...draft.query, [parameter.name]: value } })}
            />
          ))}
        </div>
      )}
      {body !== undefined && (
        <Field label={`Body, ${body.mediaType}`} error={fault && `The body ${fault}.`}>
          {(control) => (
            <TextArea
              {...control}
              dir="ltr"
              rows={Math.min(12, Math.max(3, draft.body.split("\n").length))}
              spellCheck={false}
              className="font-mono text-xs"
              value={draft.body}
              onChange={({ target }) => onChange({ ...draft, body: target.value })}
            />
          )}
        </Field>
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
  const choices = schema?.enum;
  const missing = showsMissing && required === true && value === "" ? "It must not be empty." : undefined;
  return (
    <Field label={required === true ? name : `${name} (optional)`} error={parameterFault(parameter, value) ?? missing}>
      {(control) =>
        choices === undefined ? (
          <TextInput
            {...control}
            name={name}
            value={value}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => onChange(target.value)}
          />
        ) : (
          <Select {...control} name={name} value={value} onChange={({ target }) => onChange(target.value)}>
            <option value="">not set</option>
            {choices.map((choice) => (
              <option key={String(choice)}>{String(choice)}</option>
            ))}
          </Select>
        )
      }
    </Field>
  );
}
