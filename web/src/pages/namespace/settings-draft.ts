// What the form of a namespace's settings holds, what is wrong with it, and the request that it becomes.
import type { Body, Reply } from "#contract/routes.ts";
import { LIMITS, textFault } from "#core/encoding/text-validation.ts";

export type NamespaceEntry = Reply<"getNamespace">["namespace"];

export interface SettingsDraft {
  readonly description: string;
  /** How many days memories are kept; empty: without an end. */
  readonly days: string;
  readonly sealed: boolean;
}

const DAY_SECONDS = 86_400;
const MAX_DAYS = 36_500;

export const draftOf = (namespace: NamespaceEntry | undefined): SettingsDraft => ({
  description: namespace?.description ?? "",
  days: namespace?.retentionSeconds === undefined ? "" : String(namespace.retentionSeconds / DAY_SECONDS),
  sealed: namespace?.sealed ?? false,
});

export interface SettingsFaults {
  readonly description?: string | undefined;
  readonly days?: string | undefined;
}

export function faultsOf({ description, days }: SettingsDraft): SettingsFaults {
  const isDays = days.trim() === "" || (Number(days) * DAY_SECONDS >= 1 && Number(days) <= MAX_DAYS);
  return {
    description: description.trim() === "" ? undefined : textFault(description.trim(), LIMITS.description),
    days: isDays ? undefined : `must be a number up to ${MAX_DAYS.toLocaleString("en")}`,
  };
}

/** Of a draft without faults. A PUT replaces all settings, so one that is left out ends. */
export function requestOf({ description, days, sealed }: SettingsDraft): Body<"putNamespace"> {
  return {
    ...(description.trim() !== "" && { description: description.trim() }),
    ...(days.trim() !== "" &&
      Number.isFinite(Number(days)) && { retentionSeconds: Math.round(Number(days) * DAY_SECONDS) }),
    sealed,
  };
}
