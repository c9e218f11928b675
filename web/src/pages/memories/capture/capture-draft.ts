// What the capture form holds, what is wrong with it, and the request that it becomes.
import { ProblemError } from "#contract/problem.ts";
import type { Body } from "#contract/routes.ts";
import { keyFault, LIMITS, nameFault, textFault } from "#core/encoding/text-validation.ts";

export interface CaptureDraft {
  readonly namespace: string;
  readonly sourceAgent: string;
  readonly content: string;
  /** Empty: it has none. */
  readonly key: string;
  readonly expiry: "" | "days" | "time";
  readonly days: string;
  /** As the browser's own field gives it: local time, without a zone. */
  readonly time: string;
}

/** The fields that can be at fault, in the order of the form. */
export const FIELDS = ["namespace", "sourceAgent", "content", "key", "days", "time"] as const;

export type Faults = { readonly [F in (typeof FIELDS)[number]]?: string | undefined };

export const MAX_DAYS = 36_500;
const DAY_SECONDS = 86_400;

export function faultsOf(draft: CaptureDraft): Faults {
  const { namespace, sourceAgent, content, key, expiry, days, time } = draft;
  return {
    namespace: nameFault(namespace),
    sourceAgent: nameFault(sourceAgent),
    content: textFault(content, LIMITS.content),
    key: key === "" ? undefined : keyFault(key),
    days: expiry === "days" ? daysFault(days) : undefined,
    time: expiry === "time" && Number.isNaN(Date.parse(time)) ? "must be a day and a time" : undefined,
  };
}

export function daysFault(days: string): string | undefined {
  const count = Number(days);
  const isValid = days.trim() !== "" && count * DAY_SECONDS >= 1 && count <= MAX_DAYS;
  return isValid ? undefined : `must be a number up to ${MAX_DAYS.toLocaleString("en")}`;
}

/** A time that is not whole yet is left out: the form shows the request while it is written. */
export function requestOf({ namespace, sourceAgent, content, key, ...expires }: CaptureDraft): Body<"capture"> {
  return {
    namespace,
    sourceAgent,
    content,
    ...(key !== "" && { key }),
    ...(expires.expiry === "days" &&
      daysFault(expires.days) === undefined && { ttl: Math.round(Number(expires.days) * DAY_SECONDS) }),
    ...(expires.expiry === "time" &&
      !Number.isNaN(Date.parse(expires.time)) && { expiresAt: new Date(expires.time).toISOString() }),
  };
}

const FIELD_OF_POINTER: Readonly<Record<string, keyof Faults>> = { ttl: "days", expiresAt: "time" };

/** The faults that the service found, by field. */
export function faultsFrom(error: unknown): Faults {
  const errors = error instanceof ProblemError ? (error.problem.errors ?? []) : [];
  return Object.fromEntries(
    errors.flatMap(({ pointer, detail }) => {
      const name = pointer?.split("/").at(-1) ?? "";
      const field = FIELD_OF_POINTER[name] ?? FIELDS.find((each) => each === name);
      return field === undefined ? [] : [[field, detail]];
    }),
  );
}
