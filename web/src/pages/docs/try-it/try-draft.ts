// What the form of "Try it" holds.
import type { Operation } from "#web/pages/docs/reference/openapi-document.ts";
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

/** What is wrong with a parameter of the path: one of these would have the request reach another operation. */
export const parameterFault = (value: string): string | undefined =>
  isPathStep(value) ? "No path can name it." : undefined;

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
