import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Reply } from "#contract/routes.ts";
import { invalidate, operatorClient, queryKeys } from "#web/api/client.ts";

export type Tenant = Reply<"getTenant">["tenant"];

/** One tenant, with what it uses. */
export const useTenant = (tenantId: string) =>
  useQuery({
    queryKey: [...queryKeys.tenants, "one", tenantId],
    queryFn: () => operatorClient.getTenant({ tenantId }),
  });

const LOOK_EVERY_MS = 2_000;

/** Looks again at what is shown while one of these tenants is being deleted. */
export function useDeletionProgress(tenants: readonly Tenant[]): void {
  const isRunning = tenants.some((tenant) => stateOf(tenant) === "being deleted");
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => invalidate("tenants"), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
}

type TenantState = "active" | "suspended" | "being deleted" | "deleted";

export function stateOf({ suspendedAt, deletion }: Tenant): TenantState {
  if (deletion !== undefined) return deletion.endedAt === undefined ? "being deleted" : "deleted";
  return suspendedAt === undefined ? "active" : "suspended";
}
