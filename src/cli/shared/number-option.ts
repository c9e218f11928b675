import { UsageError } from "#cli/usage-error.ts";

/** A whole number from 1 on. */
export function parseCount(option: string, text: string): number {
  const count = /^\d{1,12}$/.test(text) ? Number(text) : 0;
  if (count >= 1) return count;
  throw new UsageError(`${option} takes a whole number from 1 on.`);
}
