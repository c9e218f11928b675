// Rules for JSON values from outside, where zod is not at hand: core validates without dependencies.

/** The path from the validated value to the part that does not fit, and the reason. */
export type Fault = { readonly path: string; readonly why: string } | undefined;
declare const shaped: unique symbol;

/** A value without a fault is a `T`: so one table says what is taken, and what its type is. */
export interface Rule<T = unknown> {
  (value: unknown): Fault;
  readonly [shaped]?: T;
}
export type Shaped<R> = R extends Rule<infer T> ? T : never;
type Rules = Readonly<Record<string, Rule>>;
type Members<R extends Rules> = { readonly [Key in keyof R]: Shaped<R[Key]> };

export const fits = <T>(rule: Rule<T>, value: unknown): value is T => rule(value) === undefined;

export const faultText = (fault: NonNullable<Fault>): string =>
  `${fault.path === "" ? "it" : `its ${fault.path.slice(1)}`} ${fault.why}`;

const here = (why: string | undefined): Fault => (why === undefined ? undefined : { path: "", why });

export const string =
  (fault: (value: string) => string | undefined): Rule<string> =>
  (value) =>
    here(typeof value === "string" ? fault(value) : "must be a string");

export const anyString = string(() => undefined);

export const anything: Rule = () => undefined;

export const matching = (pattern: RegExp, what: string): Rule<string> =>
  string((value) => (pattern.test(value) ? undefined : `must be ${what}`));

export const flag: Rule<boolean> = (value) => here(typeof value === "boolean" ? undefined : "must be true or false");

export const count: Rule<number> = (value) =>
  here(Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : "must be a whole number");

export const oneOf =
  <const T>(...values: readonly T[]): Rule<T> =>
  (value) =>
    here(values.includes(value as T) ? undefined : `must be ${values.map((one) => JSON.stringify(one)).join(" or ")}`);

export const orNull =
  <T>(rule: Rule<T>): Rule<T | null> =>
  (value) =>
    value === null ? undefined : rule(value);

export function listOf<T>(rule: Rule<T>, limit: number): Rule<readonly T[]> {
  return (value) => {
    if (!Array.isArray(value)) return here("must be a list");
    if (value.length > limit) return here(`must have at most ${limit} entries`);
    return firstFault(value.map((entry, i) => [i, rule, entry]));
  };
}

/** An object with at least these members. */
export function fields<R extends Rules>(rules: R): Rule<Members<R>> {
  return (value) => {
    if (!isObject(value)) return here("must be an object");
    const members = new Map(Object.entries(value));
    return firstFault(Object.entries(rules).map(([key, rule]) => [key, rule, members.get(key)]));
  };
}

/** An object with exactly these members; the optional ones may be absent. */
export function exactFields<R extends Rules, O extends Rules = Record<never, never>>(
  required: R,
  optional?: O,
): Rule<Members<R> & Partial<Members<O>>> {
  const known = new Map([...Object.entries(required), ...Object.entries(optional ?? {})]);
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
export function everyMember<T>(rule: Rule<T>): Rule<Readonly<Record<string, T>>> {
  return (value) => {
    if (!isObject(value)) return here("must be an object");
    return firstFault(Object.entries(value).map(([key, member]) => [key, rule, member]));
  };
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function firstFault(members: readonly (readonly [key: string | number, rule: Rule, value: unknown])[]): Fault {
  for (const [key, rule, value] of members) {
    const fault = rule(value);
    if (fault !== undefined) return { ...fault, path: `/${key}${fault.path}` };
  }
  return undefined;
}
