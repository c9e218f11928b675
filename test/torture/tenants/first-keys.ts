// Keys of tenants, from the operator's key that the first start of a service prints.
import { createClient } from "#contract/client/client.ts";
import type { ServiceProcess } from "#test/support/service-process.ts";

/** Callers have keys, and may send as much as they like. */
export const KEYED = {
  AUTH: "keys",
  LIMIT_ANSWERS_PER_MINUTE: "0",
  LIMIT_WRITES_PER_MINUTE: "0",
  LIMIT_READS_PER_MINUTE: "0",
} as const;

const PRINTED = /operator's key.*\n\n {4}(\S+)\n/;

/** The service prints it after it is ready. */
export async function operatorKeyOf({ out, hasExited }: Pick<ServiceProcess, "out" | "hasExited">): Promise<string> {
  for (;;) {
    const [, key] = PRINTED.exec(out()) ?? [];
    if (key !== undefined) return key;
    if (hasExited()) throw new Error("The service has printed no operator's key.");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Makes the tenant unless it is there. The key of an admin in it. */
export async function adminKeyOf(baseUrl: string, operatorKey: string, tenantId: string): Promise<string> {
  const operator = createClient({ baseUrl, bearer: operatorKey });
  await operator.putTenant({ tenantId });
  return (await operator.createTenantKey({ tenantId }, { name: "first admin" })).key;
}
