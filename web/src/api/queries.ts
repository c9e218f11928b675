// The queries that several pages share.
import { useQuery } from "@tanstack/react-query";
import { client, queryClient, queryKeys } from "./client.ts";

export const usePolicy = () => useQuery({ queryKey: queryKeys.policy, queryFn: () => client.getPolicy() });

export const useOverview = () => useQuery({ queryKey: queryKeys.overview, queryFn: () => client.getOverview() });

/** The number of memories of each namespace. */
export function useMemoryCounts(): ReadonlyMap<string, number> {
  const rows = useOverview().data?.memories.byNamespace ?? [];
  return new Map(rows.map(({ namespace, count }) => [namespace, count]));
}

/** The service's set-up does not change while it runs. */
const SERVICE_INFO = {
  queryKey: queryKeys.service,
  queryFn: () => client.getService(),
  staleTime: Number.POSITIVE_INFINITY,
};

export const useServiceInfo = () => useQuery(SERVICE_INFO);
export const fetchServiceInfo = () => queryClient.fetchQuery(SERVICE_INFO);
