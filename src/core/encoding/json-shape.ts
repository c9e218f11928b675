// Rules for JSON values from outside, where zod is not at hand: core validates without dependencies.

/** The path from the validated value to the part that does not fit, and the reason. */
export type Fault = { readonly path: string; readonly why: string } | undefined;
export type Rule = (value: unknown) => Fault;

export function faultText(fault: NonNullable<Fault>): string {
  return `${fault.path === "" ? "it" : `its ${fault.path.slice(1)}`} ${fault.why}`;
}

const here = (why: string | undefined): Fault => (why === undefined ? undefined : { path: "", why });

export const string =
  (fault: (value: string) => string | undefined): Rule =>
  (value) =>
    here(typeof value === "string" ? fault(value) : "must be a string");

export const matching = (pattern: RegExp, what: string): Rule =>
  string((value) => (pattern.test(value) ? undefined : `must be ${what}`));

export const flag: Rule = (value) => here(typeof value === "boolean" ? undefined : "must be true or false");

export const count: Rule = (value) =>
  here(Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : "must be a whole number");

export const oneOf =
  (...values: readonly unknown[]): Rule =>
  (value) =>
    here(values.includes(value) ? undefined : `must be ${values.map((one) => JSON.stringify(one)).join(" or ")}`);

export const orNull =
  (rule: Rule): Rule =>
  (value) =>
    value === null ? undefined : rule(value);

export function listOf(rule: Rule, limit: number): Rule {
  return (value) => {
    if (!Array.isArray(value)) return here("must be a list");
    if (value.length > limit) return here(`must have at most ${limit} entries`);
    return firstFault(value.map((entry, i) => [i, rule, entry]));
  };
}

/** An object with at least these members. */
export function fields(rules: Readonly<Record<string, Rule>>): Rule {
  return (value) => {
    if (!isObject(value)) return here("must be an object");
    const members = new Map(Object.entries(value));
    return firstFault(Object.entries(rules).map(([key, rule]) => [key, rule, members.get(key)]));
  };
}

/** An object with exactly these members; the optional ones may be absent. */
export function exactFields(
  required: Readonly<Record<string, Rule>>,
  optional: Readonly<Record<string, Rule>> = {},
): Rule {
  const known = new Map([...Object.entries(required), ...Object.entries(optional)]);
  return (value) => {
    if (!isObject(value)) return here("must be an object");
    const unknown = Object.keys(value).find((key) => !known.has(key));
    if (unknown !== undefined) return { path: `/${unknown}`, why: "is not known" };
    const members = new Map(Object.entries(value));
    const present = [...known].filter(([key]) => members.has(key) || key in required);
    return firstFault(present.map(([key, rule]) => [key, rule, members.get(key)]));
  };
}

/** An object by names from outside, whose members all fit one rule. */
export function everyMember(rule: Rule): Rule {
  return (value) => {
    if (!isObject(value)) return here("must be an object");
    return firstFault(Object.entries(value).map(([key, member]) => [key, rule, member]));
  };
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function firstFault(members: readonly (readonly [key: string | number, rule: Rule, value: unknown])[]): Fault {
  for (const [key, rule, value] of members) {
    const fault = rule(value);
    if (fault !== undefined) return { ...fault, path: `/${key}${fault.path}` };
  }
  return undefined;
}
