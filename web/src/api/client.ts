// The service as the pages see it: one client, one cache, a hook for each thing that several pages read.
import { QueryClient, useQuery } from "@tanstack/react-query";
import { createClient } from "#contract/client/client.ts";
import { ProblemError } from "#contract/problem.ts";

export const client = createClient();

const STALE_MS = 5_000;
const RETRIES = 1;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_MS,
      // A problem is an answer, and asking again at once would not change it.
      retry: (failures, error) => !(error instanceof ProblemError) && failures < RETRIES,
    },
  },
});

/** The first word names the thing, so that a change can invalidate every page and filter of it at once. */
export const keys = {
  policy: ["policy"],
  policyChanges: ["policy-changes"],
  memories: ["memories"],
  receipts: ["receipts"],
  overview: ["overview"],
  service: ["service"],
  ledger: ["ledger"],
} as const;

export const usePolicy = () => useQuery({ queryKey: keys.policy, queryFn: () => client.getPolicy() });

export const useOverview = () => useQuery({ queryKey: keys.overview, queryFn: () => client.getOverview() });

/** How the service is composed. It does not change while it runs. */
export const useService = () =>
  useQuery({ queryKey: keys.service, queryFn: () => client.getService(), staleTime: Number.POSITIVE_INFINITY });

/** After something was answered, captured, anchored or restored: what shows counts and histories is stale. */
export function refresh(...what: readonly (keyof typeof keys)[]): void {
  for (const name of what) void queryClient.invalidateQueries({ queryKey: keys[name] });
}
