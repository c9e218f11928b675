import { type ServiceOptions, serviceForTest } from "./service.ts";
import { type KeyedService, withKeys } from "./start-keyed-service.ts";

export type { KeyedService } from "./start-keyed-service.ts";

/** A service for one test, with `AUTH=keys` and an admin's key. */
export async function keyedServiceForTest(options: ServiceOptions = {}): Promise<KeyedService> {
  return withKeys(await serviceForTest({ ...options, environment: { AUTH: "keys", ...options.environment } }));
}
