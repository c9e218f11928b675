import type { Route } from "./routes.ts";

type Row = Pick<Route, "path" | "limit" | "isUrgent" | "forgets">;

/**
 * Whether an overloaded service may refuse a call. It never refuses a row with urgent calls, one that forgets, one
 * without a limit, or a sign-in.
 */
export function isRefusedUnderLoad({ path, limit, isUrgent, forgets }: Row): boolean {
  return path.startsWith("/api/") && isUrgent === undefined && !forgets && limit !== "never" && limit !== "sign-in";
}
