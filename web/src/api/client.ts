// The typed client of the service, and the cache of what it answered (TanStack Query).
import { QueryClient } from "@tanstack/react-query";
import { createClient } from "#contract/client/client.ts";
import { ProblemError } from "#contract/problem.ts";

export const client = createClient();

const STALE_MS = 5_000;
const RETRIES = 1;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_MS,
      // A problem is the service's answer: a retry would bring the same one.
      retry: (failures, error) => !(error instanceof ProblemError) && failures < RETRIES,
    },
  },
});

/** The first element names the resource, so that one call invalidates every page and filter of it. */
export const queryKeys = {
  policy: ["policy"],
  policyChanges: ["policy-changes"],
  memories: ["memories"],
  receipts: ["receipts"],
  overview: ["overview"],
  service: ["service"],
  ledger: ["ledger"],
} as const;

/** Marks cached answers as stale, after a change that they do not show yet. */
export function invalidate(...resources: readonly (keyof typeof queryKeys)[]): void {
  for (const name of resources) void queryClient.invalidateQueries({ queryKey: queryKeys[name] });
}
