// The query of a request. A parameter that the route does not have is refused: `?viewas=` in place of `?viewAs=` would
// otherwise show everything. A repeated one is refused, because readers of it could disagree which one counts.
import { type FieldFault, PortcullisError } from "#core/errors.ts";

const FAULTS_SHOWN = 20;
/** A parameter's name comes back in the error. */
const NAME_SHOWN = 64;

/** The parameters of the query by name. `known` are those that the route takes. */
export function readQuery(url: string, known: readonly string[]): Readonly<Record<string, string>> {
  const values = new Map<string, string>();
  const faults = new Map<string, FieldFault>();
  for (const [name, value] of new URL(url).searchParams) {
    const detail = known.includes(name) ? repeated(values.has(name)) : unknown(name, known);
    if (detail !== undefined) faults.set(name, { parameter: name.toWellFormed().slice(0, NAME_SHOWN), detail });
    values.set(name, value);
  }
  if (faults.size === 0) return Object.fromEntries(values);
  throw new PortcullisError("invalid-request", "Some parameters are not valid; `errors` lists them.", {
    fields: [...faults.values()].slice(0, FAULTS_SHOWN),
  });
}

const repeated = (isRepeated: boolean): string | undefined => (isRepeated ? "must be given once" : undefined);

function unknown(name: string, known: readonly string[]): string {
  const meant = known.find((other) => other.toLowerCase() === name.toLowerCase());
  if (meant !== undefined) return `is not a parameter of this route; did you mean ${meant}?`;
  return `is not a parameter of this route, which takes ${known.join(", ")}`;
}
