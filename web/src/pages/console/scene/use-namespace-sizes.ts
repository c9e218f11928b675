import { useMemo } from "react";
import type { GateEvent } from "#contract/client/answer-stream.ts";
import { useOverview } from "#web/api/queries.ts";

/** How many memories each namespace has, as far as the caller may know: from the overview, and newer from the gate. */
export function useNamespaceSizes(gate: GateEvent | undefined): ReadonlyMap<string, number> {
  const counts = useOverview().data?.memories.byNamespace;
  return useMemo(
    () =>
      new Map([
        ...(counts ?? []).map(({ namespace, count }) => [namespace, count] as const),
        ...(gate?.blockedSizes ?? []).map(({ namespace, memories }) => [namespace, memories] as const),
      ]),
    [counts, gate],
  );
}
