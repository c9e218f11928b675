import { useQuery } from "@tanstack/react-query";
import type { Reply } from "#contract/routes.ts";
import { operatorClient, queryKeys } from "#web/api/client.ts";

export type TenantReply = Reply<"getTenant">;

/** One tenant, with what it uses. */
export const useTenant = (tenantId: string) =>
  useQuery({
    queryKey: [...queryKeys.tenants, "one", tenantId],
    queryFn: () => operatorClient.getTenant({ tenantId }),
  });
