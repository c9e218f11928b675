// A schema in a few words: "text, 1 to 64 characters", "list of Memory".
import { refName, type Schema } from "./openapi-document.ts";

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
export function boundsText({
  minLength,
  maxLength,
  minimum,
  maximum,
  maxItems,
  format,
  enum: values,
}: Schema): string | undefined {
  if (values !== undefined || format === "date-time") return undefined;
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
