// The queries that several pages share.
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { ProblemError } from "#contract/problem.ts";
import { COMPANION_AGENT } from "#core/identity/principal.ts";
import { permissionsOf, usePermissions } from "#web/session/permissions.ts";
import { currentSession } from "#web/session/session.ts";
import { client, queryClient, queryKeys } from "./client.ts";

export const policyQuery = queryOptions({
  queryKey: queryKeys.policy,
  queryFn: () => client.getPolicy(),
  // A policy may have 100,000 rules: comparing all of them with the last answer takes longer than it saves.
  structuralSharing: false,
});

export const usePolicy = (options: { readonly enabled?: boolean } = {}) => useQuery({ ...policyQuery, ...options });

const overviewQuery = queryOptions({ queryKey: queryKeys.overview, queryFn: () => client.getOverview() });

/** Fetches nothing for a caller who may not see the overview. */
export function useOverview() {
  const enabled = usePermissions().may("getOverview");
  return useQuery({ ...overviewQuery, enabled });
}

/** Asks for what the table of gates needs. A large policy takes longer to come than the code of its page. */
export function prefetchGates(): void {
  void queryClient.prefetchQuery(policyQuery);
  if (permissionsOf(currentSession()).may("getOverview")) void queryClient.prefetchQuery(overviewQuery);
}

/** Whether the demo is there, as far as the caller can tell: its companion is. Undefined until the service has said so. */
export function useHasDemo(): boolean | undefined {
  const agents = useOverview().data?.agents;
  const seed = useServiceInfo().data?.seed;
  return seed && seed === "demo" && agents?.includes(COMPANION_AGENT) !== false;
}

/** Looks up how many memories a namespace has; undefined for a caller who may not see it, and where the list was cut. */
export function useMemoryCounts(): (namespace: string) => number | undefined {
  const maySee = usePermissions().may("getOverview");
  const memories = useOverview().data?.memories;
  return useMemo(() => {
    const rows = memories?.byNamespace ?? [];
    const counts = new Map(rows.map(({ namespace, count }) => [namespace, count]));
    const absent = maySee && rows.length === memories?.namespaces ? 0 : undefined;
    return (namespace) => counts.get(namespace) ?? absent;
  }, [memories, maySee]);
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
    queryFn: () =>
      client.getTombstone({ memoryId }).then(
        ({ tombstone }) => tombstone,
        (error: unknown) => {
          if (error instanceof ProblemError && error.status < 500) return null;
          throw error;
        },
      ),
  });

/** Whether a namespace is encrypted; undefined while it is not known, and where it is not among those listed. */
export function useIsEncrypted(): (namespace: string) => boolean | undefined {
  const { data } = useQuery({
    queryKey: queryKeys.namespaces,
    queryFn: () => client.listNamespaces({ limit: 1_000 }),
  });
  return (namespace) => {
    const listed = data?.namespaces.find(({ name }) => name === namespace)?.encrypted;
    return listed ?? (data !== undefined && data.nextCursor === undefined ? false : undefined);
  };
}
