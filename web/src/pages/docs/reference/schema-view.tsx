// The fields of a schema. A field that has fields of its own is folded, so that a large schema costs nothing until it is
// opened, and one that holds itself comes to an end.
import { createContext, useContext } from "react";
import { Disclosure } from "#web/ui/page.tsx";
import { say } from "#web/ui/text.tsx";
import { type OpenApiDocument, refName, resolved, type Schema } from "./openapi-document.ts";

/** The document that references lead into. */
export const DocumentContext = createContext<OpenApiDocument | undefined>(undefined);

function useFields(schema: Schema): readonly [name: string, schema: Schema, isRequired: boolean][] {
  const document = useContext(DocumentContext);
  const { properties = {}, required = [] } = document === undefined ? schema : resolved(document, schema);
  return Object.entries(properties).map(([name, field]) => [name, field, required.includes(name)] as const);
}

export function SchemaView({ schema }: { readonly schema: Schema }) {
  const inner = innerOf(schema);
  const fields = useFields(inner);
  const choices = inner.anyOf ?? (inner.properties === undefined ? inner.oneOf : undefined);
  if (choices !== undefined) {
    return (
      <ul className="flex flex-col gap-3">
        {choices.map((choice) => (
          <li key={JSON.stringify(choice)} className="border-line border-l-2 pl-3">
            <SchemaView schema={choice} />
          </li>
        ))}
      </ul>
    );
  }
  if (fields.length === 0) {
    return (
      <p className="text-soft text-sm">
        <TypeWords schema={inner} />
      </p>
    );
  }
  return (
    <ul className="divide-y divide-line">
      {fields.map(([name, field, isRequired]) => (
        <FieldRow key={name} name={name} schema={field} isRequired={isRequired} />
      ))}
    </ul>
  );
}

interface FieldRowProps {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

export function FieldRow({ name, schema, isRequired }: FieldRowProps) {
  const inner = innerOf(schema);
  const hasFields = useFields(inner).length > 0 || inner.anyOf?.some((each) => each.type === "object" || each.$ref);
  return (
    <li className="py-2 text-sm">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <code className="font-mono text-[0.9em]">{name}</code>
        <TypeWords schema={schema} />
        {!isRequired && <span className="text-soft text-xs">optional</span>}
      </p>
      {schema.description !== undefined && (
        <p className="text-soft">
          <InlineCode>{schema.description}</InlineCode>
        </p>
      )}
      {hasFields && (
        <Disclosure summary={`Fields of ${name}`}>
          {() => (
            <div className="border-line border-l-2 pl-4">
              <SchemaView schema={inner} />
            </div>
          )}
        </Disclosure>
      )}
    </li>
  );
}

function TypeWords({ schema }: { readonly schema: Schema }) {
  const bounds = boundsText(schema);
  return (
    <span className="text-soft text-xs">
      {typeText(schema)}
      {bounds !== undefined && `, ${bounds}`}
    </span>
  );
}

/** What a list, a map or lines of JSON hold. */
function innerOf(schema: Schema): Schema {
  if (schema.contentSchema !== undefined) return innerOf(schema.contentSchema);
  if (schema.items !== undefined) return innerOf(schema.items);
  if (typeof schema.additionalProperties === "object" && schema.properties === undefined)
    return innerOf(schema.additionalProperties);
  return schema;
}

export function InlineCode({ children }: { readonly children: string }) {
  const code = (text: string) => <code className="font-mono text-[0.9em] text-ink">{text}</code>;
  return say(...children.split("`").map((part, i) => (i % 2 === 1 ? code(part) : part)));
}

const NAMES: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  number: "number",
  boolean: "true or false",
  object: "object",
  null: "null",
};

export function typeText(schema: Schema): string {
  const name = refName(schema);
  if (name !== undefined) return name;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? (schema.properties === undefined ? schema.oneOf : undefined);
  if (choices !== undefined) return choices.map(typeText).join(" or ");
  if (schema.type === "array") return schema.items === undefined ? "list" : `list of ${typeText(schema.items)}`;
  if (schema.format === "date-time") return "time";
  return NAMES[schema.type ?? ""] ?? schema.type ?? "anything";
}

/** Beyond this, a bound says only that there is one. */
const NOTABLE = 1_000_000;

/** The bounds of a value: "1 to 64 characters". */
export function boundsText(schema: Schema): string | undefined {
  const { minLength, maxLength, minimum, maximum, maxItems } = schema;
  if (schema.enum !== undefined || schema.format === "date-time") return undefined;
  if (maxLength !== undefined) return `${range(minLength, maxLength)} characters`;
  if (maxItems !== undefined && maxItems <= NOTABLE) return `at most ${maxItems.toLocaleString("en")}`;
  if (maximum !== undefined && maximum <= NOTABLE) return range(minimum, maximum);
  return minimum !== undefined && minimum > 0 ? `at least ${minimum.toLocaleString("en")}` : undefined;
}

function range(from: number | undefined, to: number): string {
  const most = to.toLocaleString("en");
  if (from === to) return most;
  return from === undefined || from === 0 ? `at most ${most}` : `${from.toLocaleString("en")} to ${most}`;
}
