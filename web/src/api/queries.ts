// The queries that several pages share.
import { queryOptions, useQuery } from "@tanstack/react-query";
import { ProblemError } from "#contract/problem.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { client, queryClient, queryKeys } from "./client.ts";

export const usePolicy = () => useQuery({ queryKey: queryKeys.policy, queryFn: () => client.getPolicy() });

/** Fetches nothing for a caller who may not see the overview. */
export function useOverview() {
  const enabled = usePermissions().may("getOverview");
  return useQuery({ queryKey: queryKeys.overview, queryFn: () => client.getOverview(), enabled });
}

/** Looks up how many memories a namespace has; undefined for a caller who may not see it. */
export function useMemoryCounts(): (namespace: string) => number | undefined {
  const maySee = usePermissions().may("getOverview");
  const rows = useOverview().data?.memories.byNamespace ?? [];
  const counts = new Map(rows.map(({ namespace, count }) => [namespace, count]));
  return (namespace) => (maySee ? (counts.get(namespace) ?? 0) : undefined);
}

/** The service's set-up does not change while it runs. */
const SERVICE_INFO = {
  queryKey: queryKeys.service,
  queryFn: () => client.getService(),
  staleTime: Number.POSITIVE_INFINITY,
};

export const useServiceInfo = () => useQuery(SERVICE_INFO);
export const fetchServiceInfo = () => queryClient.fetchQuery(SERVICE_INFO);

/** Null when the service gives no tombstone: the memory is not forgotten, or the caller may not know. */
export const tombstoneQuery = (memoryId: string) =>
  queryOptions({
    queryKey: ["tombstone", memoryId],
    queryFn: ({ signal }) =>
      client.getTombstone({ memoryId }, { signal }).then(
        ({ tombstone }) => tombstone,
        (error: unknown) => {
          if (error instanceof ProblemError && error.status < 500) return null;
          throw error;
        },
      ),
  });
