// The limits of a record store, and what a caller is told who would exceed one.
import { PortcullisError } from "#core/errors.ts";
import type { RecordLimits } from "#ports.ts";

export const DEFAULT_LIMITS: RecordLimits = { namespaces: 10_000, policyLeaves: 100_000 };

export function limitReached(limit: keyof RecordLimits, limits: Pick<RecordLimits, typeof limit>, cause?: unknown) {
  const most = limits[limit].toLocaleString("en");
  const [what, variable] =
    limit === "namespaces"
      ? [`There are ${most} namespaces with memories, and this would be another one.`, "LIMIT_NAMESPACES"]
      : [`The policy may have ${most} leaves, and would have more.`, "LIMIT_POLICY_LEAVES"];
  return new PortcullisError("limit-reached", `${what} The operator can raise ${variable}.`, { cause });
}

/** Of a memory that is to be superseded. It may never have been, and the caller is told the same. */
export const notCurrent = () =>
  new PortcullisError("not-found", "There is no memory with the id that `supersedes` names.");
