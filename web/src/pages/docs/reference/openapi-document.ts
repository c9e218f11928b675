// The part of an OpenAPI document that the page shows, and its operations as a list.
type Texts = "type" | "description" | "format" | "contentMediaType" | "$ref";
type Bounds = "minimum" | "maximum" | "minLength" | "maxLength" | "maxItems";

export interface Schema extends Readonly<Partial<Record<Texts, string>>>, Readonly<Partial<Record<Bounds, number>>> {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly additionalProperties?: Schema | boolean;
  readonly contentSchema?: Schema;
}

interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value?: unknown }>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header" | "cookie";
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
  readonly example?: unknown;
}

interface Response {
  readonly description?: string;
  readonly content?: Readonly<Record<string, Content>>;
  readonly "x-problem-codes"?: readonly string[];
  readonly $ref?: string;
}

interface RawOperation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content?: Readonly<Record<string, Content>> };
  readonly responses?: Readonly<Record<string, Response>>;
}

export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components?: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly responses?: Readonly<Record<string, Response>>;
  };
}

export type MediaBody = ReturnType<typeof bodiesOf>[number];
export type Operation = ReturnType<typeof toOperation>;

export function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => toOperation(document, method.toUpperCase(), path, raw)),
  );
}

function toOperation(document: OpenApiDocument, method: string, path: string, raw: RawOperation) {
  const responses = Object.entries(raw.responses ?? {}).map(
    ([status, response]) => [status, resolvedResponse(document, response)] as const,
  );
  const [body] = bodiesOf(raw.requestBody?.content);
  return {
    id: raw.operationId,
    method,
    path,
    tag: raw.tags?.[0] ?? "",
    summary: raw.summary ?? "",
    /** Who may call it, in a sentence. */
    callers: raw.description ?? "",
    parameters: raw.parameters ?? [],
    body: body && { ...body, isRequired: raw.requestBody?.required === true },
    replies: responses
      .filter(([, response]) => response["x-problem-codes"] === undefined)
      .map(([status, { description = "", content }]) => ({ status, description, bodies: bodiesOf(content) })),
    problems: responses.flatMap(([status, response]) => problemsOf(status, response)),
  };
}

function bodiesOf(content: Readonly<Record<string, Content>> = {}) {
  return Object.entries(content).map(([mediaType, { schema, example, examples = {} }]) => ({
    mediaType,
    schema,
    example: example ?? Object.values(examples)[0]?.value,
  }));
}

/** The description has a paragraph for each code: "`not-found`: Not found." */
function problemsOf(status: string, { description = "", "x-problem-codes": codes = [] }: Response) {
  const meanings = new Map(
    description.split("\n\n").flatMap((line) => {
      const [, code, meaning] = line.match(/^`([^`]+)`: (.*)$/s) ?? [];
      return code === undefined || meaning === undefined ? [] : [[code, meaning] as const];
    }),
  );
  return codes.map((code) => ({ status, code, meaning: meanings.get(code) ?? "" }));
}

const lastPart = (reference: string): string => reference.split("/").at(-1) ?? "";

function resolvedResponse({ components }: OpenApiDocument, response: Response): Response {
  return response.$ref === undefined ? response : (components?.responses?.[lastPart(response.$ref)] ?? {});
}

/** The name of a schema that is defined once for many places. */
export const refName = ({ $ref }: Schema): string | undefined => ($ref === undefined ? undefined : lastPart($ref));

export function resolved({ components }: OpenApiDocument, schema: Schema): Schema {
  const name = refName(schema);
  return name === undefined ? schema : (components?.schemas?.[name] ?? {});
}

/** Whether an operation says something that has all these words. */
export function matches(operation: Operation, query: string): boolean {
  const { id, method, path, tag, summary, callers, parameters } = operation;
  const text = [id, method, path, tag, summary, callers, ...parameters.map(({ name }) => name)].join(" ").toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
