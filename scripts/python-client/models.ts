// The models: a class for every object of the contract that a method takes or gives.
import type { Contract, Schema } from "./contract.ts";
import { bracketed, docstring, pascal, singular, snake } from "./python-text.ts";

/** What a reply has may grow, so its models keep what they do not know. A request's model refuses it. */
export type Use = "reply" | "request";

const GIVEN_TIME = "datetime | str";
const GIVEN_DATE = "date | str";

/** Better names than the place where a class stands first. */
const NAMES: Readonly<Record<string, string>> = {
  AnswerReceiptEvidence: "Evidence",
  AnswerReceiptSignature: "Signature",
  AnswerReceiptUsedMemory: "UsedMemory",
  ApplyTemplateReplyProgress: "TemplateProgress",
  CaptureReplySimilar: "SimilarMemory",
  CompanionReply: "ChatReply",
  GetTenantReplyUsage: "TenantUsage",
  ImportMemoriesLine: "Fact",
  ListenToEventsEvent: "FeedEvent",
  ProblemError: "ProblemField",
  SetAccessBatchRule: "AccessRule",
  ViewedReceiptEvidence2: "UnfinishedEvidence",
};

export interface Models {
  /** The annotation of a value, and the classes that it needs. `name` is for an object that has none. */
  typeOf(schema: Schema, name: string, use: Use): string;
  addAlias(name: string, members: readonly string[]): void;
  readonly names: readonly string[];
  text(): string;
}

export function modelsOf({ components }: Contract): Models {
  const definitions = new Map<string, string>();
  /** Equal objects are one class, whatever is said about their fields. */
  const known = new Map<string, string>();
  const shapes = new Map<string, string>();

  function typeOf(schema: Schema, name: string, use: Use): string {
    if (schema.$ref !== undefined) return component(schema.$ref, use);
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum !== undefined) return `Literal[${schema.enum.map(literal).join(", ")}]`;
    if (schema.contentSchema !== undefined) return typeOf(schema.contentSchema, name, use);
    const variants = schema.anyOf ?? (schema.properties === undefined ? schema.oneOf : undefined);
    if (variants !== undefined) return union(variants, name, use);
    if (Array.isArray(schema.type)) {
      const types = schema.type as readonly string[];
      return union(
        types.map((type) => ({ ...schema, type })),
        name,
        use,
      );
    }
    if (schema.type === "array") return listOf(typeOf(schema.items ?? {}, singular(name), use), use);
    if (schema.type === "object") return objectType(schema, name, use);
    return scalar(schema, use);
  }

  function union(variants: readonly Schema[], name: string, use: Use): string {
    const types = variants.map((each, i) => typeOf(each, i === 0 ? name : `${name}${i + 1}`, use));
    const ordered = [...types.filter((type) => type !== "None"), ...types.filter((type) => type === "None")];
    return [
      ...new Set(ordered.flatMap((type) => (type === GIVEN_TIME || type === GIVEN_DATE ? type.split(" | ") : type))),
    ].join(" | ");
  }

  function component(ref: string, use: Use): string {
    const name = ref.split("/").at(-1) ?? "";
    const schema = components.schemas[name];
    if (schema === undefined) throw new Error(`The contract has no ${ref}.`);
    if (definitions.has(name)) return name;
    const type = typeOf(schema, name, use);
    if (type !== name) definitions.set(name, `${comment(schema)}${name} = ${type}`);
    return name;
  }

  function objectType(schema: Schema, place: string, use: Use): string {
    const { properties, additionalProperties: more } = schema;
    if (properties === undefined) {
      const values = typeof more === "object" ? typeOf(more, singular(place), use) : "object";
      return `dict[str, ${values}]`;
    }
    const isStrict = use === "request" && more === false;
    const shape = JSON.stringify([isStrict, withoutDescriptions(schema)]);
    const name = NAMES[place] ?? place;
    if (shapes.get(name) === shape) return name;
    const same = known.get(shape);
    // A reply is its route's own: two that are equal today may differ tomorrow.
    if (same !== undefined && !isOwn(place)) return same;
    if (shapes.has(name)) throw new Error(`Two different objects would be ${name}.`);
    const required = new Set(schema.required);
    const fields = Object.entries(properties).map(([wire, field]) => {
      const type = typeOf(field, `${name}${pascal(wire)}`, use);
      return fieldLine(snake(wire), type, required.has(wire)) + about(field);
    });
    shapes.set(name, shape);
    if (!known.has(shape) && fields.length > 0) known.set(shape, name);
    const doc = schema.description === undefined ? "" : `${docstring({ text: [schema.description] }, "    ")}\n`;
    const body = `${doc}${doc !== "" && fields.length > 0 ? "\n" : ""}${fields.join("")}`;
    definitions.set(name, `class ${name}(${isStrict ? "RequestModel" : "Model"}):\n${body || "    pass\n"}`.trimEnd());
    return name;
  }

  return {
    typeOf,
    addAlias: (name, members) => definitions.set(name, bracketed(`${name} = Union[`, members, "]")),
    get names() {
      return [...definitions.keys()].sort();
    },
    text: () => [...definitions.values()].map((each) => `\n\n${each}\n`).join(""),
  };
}

const isOwn = (place: string): boolean => place.endsWith("Reply");

const literal = (value: string | number | boolean): string =>
  typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value);

/** A request takes any sequence: a list of a subclass is no list of the class. */
const listOf = (type: string, use: Use): string => (use === "request" ? `Sequence[${type}]` : `list[${type}]`);

function scalar({ type, format }: Schema, use: Use): string {
  if (type === "string" && format === "date-time") return use === "request" ? GIVEN_TIME : "datetime";
  if (type === "string" && format === "date" && use === "request") return GIVEN_DATE;
  if (type === "string") return "str";
  if (type === "integer") return "int";
  if (type === "number") return "float";
  if (type === "boolean") return "bool";
  if (type === "null") return "None";
  // The contract says nothing about it.
  return "object";
}

export const optional = (type: string): string => (type.endsWith("None") ? type : `${type} | None`);

const fieldLine = (name: string, type: string, isRequired: boolean): string =>
  `${annotated("    ", name, isRequired ? type : optional(type), isRequired ? "" : " = None")}\n`;

/** A name with its type, and with a value of a list on each line where they are too many. */
export function annotated(indent: string, name: string, type: string, tail: string, margin = 0): string {
  const values = /^Literal\[(.*)\]( \| None)?$/.exec(type);
  if (values === null) return `${indent}${name}: ${type}${tail}`;
  return bracketed(`${indent}${name}: Literal[`, (values[1] ?? "").split(", "), `]${values[2] ?? ""}${tail}`, margin);
}

const about = ({ description }: Schema): string =>
  description === undefined ? "" : `${docstring({ text: [description] }, "    ")}\n`;

const comment = ({ description }: Schema): string => (description === undefined ? "" : `# ${description}\n`);

function withoutDescriptions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDescriptions);
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([key, each]) => key !== "description" || typeof each === "object");
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutDescriptions(each)]));
}
