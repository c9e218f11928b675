import type { Query } from "#contract/routes.ts";

export const DEFAULT_PAGE = 100;

export function pageOf({ limit = DEFAULT_PAGE, cursor }: Query<"ledgerTransactions">): {
  limit: number;
  before?: number;
} {
  return cursor === undefined ? { limit } : { limit, before: Number(cursor) };
}

export function nextCursor(next: number | string | undefined): { nextCursor?: string } {
  return next === undefined ? {} : { nextCursor: String(next) };
}
