// A service with identities, and clients with keys of it. Outside of a test too.
import { type Client, createClient } from "#contract/client/client.ts";
import type { Body } from "#contract/routes.ts";
import { ensureFirstKey } from "#service/identity/keys.ts";
import { fetchWithoutKeepAlive } from "./fetch-without-keep-alive.ts";
import { type Service, type ServiceOptions, startService } from "./start-service.ts";

export interface KeyedService extends Service {
  /** The first admin's key, and a client with it. */
  readonly adminKey: string;
  readonly admin: Client;
  /** A client with this bearer; without one, an anonymous one. */
  as(bearer?: string): Client;
  /** Makes a key. */
  keyFor(role: string, more?: Partial<Body<"createKey">>): Promise<{ key: string; keyId: string; client: Client }>;
}

/** A service with `AUTH=keys` and an admin's key. */
export async function startKeyedService(options: ServiceOptions = {}): Promise<KeyedService> {
  return withKeys(await startService({ ...options, environment: { AUTH: "keys", ...options.environment } }));
}

export async function withKeys(service: Service): Promise<KeyedService> {
  const as = (bearer?: string) => createClient({ baseUrl: service.url, fetch: fetchWithoutKeepAlive, bearer });
  const first = await ensureFirstKey(service.tenant, "admin");
  if (first === undefined) throw new Error("the database has an admin's key already");
  const admin = as(first.key);
  return {
    ...service,
    adminKey: first.key,
    admin,
    as,
    async keyFor(role, more = {}) {
      const { key, record } = await admin.createKey({ name: `key of ${role}`, role, ...more });
      return { key, keyId: record.keyId, client: as(key) };
    },
  };
}
