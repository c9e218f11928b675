// A forgery: what a verifier is given when somebody lies, and the code of the check that must notice it.
import type { CheckCode } from "#core/verify/check.ts";
import type { Observation } from "#core/verify/observation.ts";

export interface Forgery {
  readonly name: string;
  readonly seen: Observation;
  readonly code: CheckCode;
  /** By default `fail`. `unknown` is for what is no proof, but no lie either. */
  readonly status?: "fail" | "unknown";
}

export const forgery = (name: string, seen: Observation, code: CheckCode): Forgery => ({ name, seen, code });

/** What proves nothing, and must not be green. */
export const noProof = (name: string, seen: Observation, code: CheckCode): Forgery => ({
  name,
  seen,
  code,
  status: "unknown",
});

type Path = readonly (string | number)[];

/** The paths to every value of a JSON tree that is neither a list nor an object. */
export function leavesOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([key, member]) =>
    leavesOf(member, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

export const textOf = (path: Path): string => `/${path.join("/")}`;

/** The tree with another value at the path. */
export function altered<T>(tree: T, [key, ...rest]: Path, change: (value: unknown) => unknown): T {
  if (key === undefined) return change(tree) as T;
  const copy = Array.isArray(tree) ? [...tree] : { ...tree };
  Object.defineProperty(copy, key, {
    value: altered((tree as never)[key], rest, change),
    enumerable: true,
    configurable: true,
    writable: true,
  });
  return copy as T;
}

/** Another value of the same kind, which may stand in its place. */
export function another(value: unknown): unknown {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  if (typeof value !== "string") return "x";
  if (/^\d{4}-/.test(value)) return value.replace("10:00", "09:59");
  if (/^[0-9a-f]{32,}$/.test(value)) return value.replace(/./, (digit) => (digit === "a" ? "b" : "a"));
  return value.replace(/^./u, (first) => (first === "y" ? "z" : "y"));
}

/** The object without a member. */
export function without<T extends object>(value: T, member: string): T {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== member)) as T;
}
