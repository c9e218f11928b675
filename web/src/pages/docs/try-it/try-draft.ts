// What the form of "Try it" holds.
import type { Operation, Parameter } from "#web/pages/docs/reference/openapi-document.ts";
import { isPathStep } from "#web/ui/links/page-link.tsx";

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
  place === "path" && isPathStep(value) ? "No path can name it." : undefined;

export const typedIn = ({ in: place, name }: Parameter, { params, query }: TryDraft): string =>
  (place === "path" ? params[name] : query[name]) ?? "";

/** The first parameter that has to be filled in. */
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
  try {
    JSON.parse(draft.body);
    return undefined;
  } catch {
    return "is not valid JSON";
  }
}
