// The contract as plain TypeScript, in place of what the compiler derives from zod's schemas: a user of the package
// reads interfaces with comments in the editor, and the client's types need no other package.
import { z } from "zod";
import type { RouteName } from "#contract/paths.ts";
import { type Route, routes } from "#contract/routes.ts";
import { gateEvent } from "#contract/rows/answers.ts";
import { shapeOf } from "#contract/schemas/validate.ts";

type Part = "params" | "query" | "body" | "response" | "minimal";

const TABLES: readonly (readonly [part: Part, type: string, description: string])[] = [
  ["body", "Body", "The body of a request."],
  ["params", "Params", "The parameters in its path."],
  ["query", "Query", "The parameters in its query."],
  ["response", "Reply", "What the route answers; one line or one event of a stream."],
  ["minimal", "MinimalReply", "What it answers to who prefers a minimal reply; never if there is none."],
];
const ANSWERED: ReadonlySet<Part> = new Set(["response", "minimal"]);

/** The text of a module that declares `Body`, `Params`, `Query` and the replies of each route, and `GateEvent`, as contract/routes.ts does. */
export function contractTypes(table: Readonly<Record<string, Route>> = routes): string {
  const printer = createPrinter();
  const tables = TABLES.map(([part, type, description]) => {
    const rows = Object.entries(table).map(([name, route]) => {
      const schema = route[part];
      const none = part === "minimal" ? "never" : "undefined";
      const text = schema && printer.named(schema, `${pascal(name)}${type}`, !ANSWERED.has(part));
      return `    ${name}: ${text ?? none};`;
    });
    const map = `interface ${type}Table {\n${rows.join("\n")}\n}`;
    return `${map}\n/** ${description} */\nexport type ${type}<N extends RouteName> = ${type}Table[N];`;
  });
  printer.named(gateEvent);
  return [
    "// Generated from the schemas of the contract.",
    'import type { RouteName } from "./paths.js";',
    ...printer.declarations(),
    ...tables,
    "",
  ].join("\n");
}

/** The source of contract/paths.ts with the summary of each row as the comment of the client's function, where it has none. */
export const withSummaries = (source: string): string =>
  source.replaceAll(/(?<!\*\/\n)^ {2}(\w+): (?=(?:get|post|put|patch|remove)\()/gm, (row, name: string) => {
    const route: Route | undefined = routes[name as RouteName];
    return route === undefined ? row : `  /** ${route.summary} */\n${row}`;
  });

function createPrinter() {
  const declared = new Map<string, string>();
  const names = new Map<z.core.$ZodType, string>();
  /** A caller may give lists that it does not want changed. */
  let isInput = false;

  /** Objects and unions are declared under a name: their own, or `fallback`. Everything else is written out. */
  function named(schema: z.core.$ZodType, fallback?: string, isGiven = isInput): string {
    isInput = isGiven;
    const name = names.get(schema) ?? idOf(schema) ?? fallback;
    const shape = plainShapeOf(schema);
    const isDeclared = ["object", "union", "record"].includes(shape._zod.def.type);
    if (name === undefined || !isDeclared) return inline(schema);
    if (!declared.has(name)) {
      names.set(schema, name);
      declared.set(name, "");
      declared.set(name, declaration(name, shape));
    }
    return name;
  }

  function declaration(name: string, schema: z.core.$ZodType): string {
    const type = printed(schema, "");
    const isInterface = schema instanceof z.ZodObject && variantsOf(schema).length === 1 && type.startsWith("{");
    return `${commentOf(schema, "")}export ${isInterface ? `interface ${name} ${type}` : `type ${name} = ${type};`}`;
  }

  function members(fields: readonly Field[], indent: string): string {
    if (fields.length === 0) return "Record<string, never>";
    const inner = `${indent}    `;
    const lines = fields.map(({ name, schema, isOptional, isNever }) => {
      const { type, mayBeUndefined } = unwrap(schema);
      const undefinedToo = mayBeUndefined && isOptional ? " | undefined" : "";
      const value = isNever ? "undefined" : `${inline(type, inner)}${undefinedToo}`;
      return `${commentOf(schema, inner)}${inner}${name}${isOptional ? "?" : ""}: ${value};`;
    });
    return `{\n${lines.join("\n")}\n${indent}}`;
  }

  const inline = (schema: z.core.$ZodType, indent = ""): string =>
    idOf(schema) === undefined ? printed(plainShapeOf(schema), indent) : named(schema);

  function printed(schema: z.core.$ZodType, indent: string): string {
    const { def } = (schema as z.core.$ZodTypes)._zod;
    switch (def.type) {
      case "string":
      case "boolean":
      case "undefined":
      case "unknown":
        return def.type;
      case "number":
        return "number";
      case "literal":
        return def.values.map((value) => JSON.stringify(value)).join(" | ");
      case "enum":
        return Object.values(def.entries)
          .map((value) => JSON.stringify(value))
          .join(" | ");
      case "array":
        return `${isInput ? "readonly " : ""}${arrayOf(inline(def.element, indent))}`;
      case "nullable":
        return `${inline(def.innerType, indent)} | null`;
      case "optional":
        return `${inline(def.innerType, indent)} | undefined`;
      case "union":
        return unionOf(def.options.map((option) => inline(option, indent)));
      case "record":
        return `Record<${inline(def.keyType)}, ${inline(def.valueType, indent)}>`;
      case "pipe":
        return inline(def.out, indent);
      case "object":
        return variantsOf(schema as z.ZodObject)
          .map((fields) => members(fields, indent))
          .join(" | ");
      default:
        throw new Error(`There is no TypeScript for a schema of the type ${def.type} yet.`);
    }
  }

  return { named, declarations: () => [...declared.values()] };
}

/** Of a schema that checks one shape and yields the value itself: the shape. `describe` makes a copy, with a parent. */
function plainShapeOf(schema: z.core.$ZodType): z.core.$ZodType {
  for (let at: z.core.$ZodType | undefined = schema; at !== undefined; at = at._zod.parent) {
    const shape = shapeOf(at);
    if (shape !== undefined) return shape;
  }
  return schema;
}

const idOf = (schema: z.core.$ZodType): string | undefined =>
  z.globalRegistry.get(schema)?.id ?? z.globalRegistry.get(plainShapeOf(schema))?.id;

interface Field {
  readonly name: string;
  readonly schema: z.core.$ZodType;
  readonly isOptional: boolean;
  /** Left out in this variant. */
  readonly isNever?: boolean;
}

/** The fields of an object. Of one that says `oneOf`, the fields of each variant. */
function variantsOf(schema: z.ZodObject): Field[][] {
  const fields = Object.entries(schema.shape).map(
    ([name, field]): Field => ({ name, schema: field, isOptional: field._zod.optout === "optional" }),
  );
  const meta = z.globalRegistry.get(schema) as { oneOf?: readonly { required: readonly string[] }[] } | undefined;
  if (meta?.oneOf === undefined) return [fields];
  const choices = new Set(meta.oneOf.flatMap(({ required }) => required));
  return meta.oneOf.map(({ required }) =>
    fields.map((field) => {
      if (required.includes(field.name)) return { ...field, isOptional: false };
      return choices.has(field.name) ? { ...field, isNever: true } : field;
    }),
  );
}

/** An optional field without its mark. `exactOptional` allows no `undefined`. */
function unwrap(schema: z.core.$ZodType): { type: z.core.$ZodType; mayBeUndefined: boolean } {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type !== "optional") return { type: schema, mayBeUndefined: false };
  return { type: def.innerType, mayBeUndefined: !(schema instanceof z.ZodExactOptional) };
}

function commentOf(schema: z.core.$ZodType, indent: string): string {
  const description = z.globalRegistry.get(schema)?.description;
  const text = description?.replaceAll("*/", "*\\/").replaceAll(/\s+/g, " ");
  return text === undefined || text === "" ? "" : `${indent}/** ${text} */\n`;
}

/** A text that may be any needs no mention of one that it may be. */
function unionOf(types: readonly string[]): string {
  return types.filter((type) => !(type.startsWith('"') && types.includes("string"))).join(" | ");
}

const arrayOf = (element: string): string =>
  /[|&]/.test(element) && !element.startsWith("{") ? `(${element})[]` : `${element}[]`;
const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
