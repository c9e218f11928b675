// The tenants of this process. One is loaded when it is first used, and unloaded when nobody uses it and the memory that
// all may take together is exceeded: the one that was not used for longest first. The tenant `default` stays.
import { untilSuccess } from "#async/coalesce.ts";
import { tenantsServed } from "#async/tenants-served.ts";
import { fullAddress } from "#core/encoding/address.ts";
import type { TenantRef } from "#core/identity/tenant.ts";
import type { TenantRecords } from "#ports.ts";
import type { Tenant } from "#service/tenant.ts";

export interface TenantDirectory {
  /** What is on record now. */
  readonly find: TenantRecords["find"];
  readonly ownerOf: TenantRecords["ownerOf"];
  /** Runs `work` with a tenant, which stays loaded meanwhile. */
  use<T>(tenant: TenantRef, work: (tenant: Tenant) => Promise<T>): Promise<T>;
  /** The same for work that does not search, and so needs no index. */
  useRecords<T>(tenant: TenantRef, work: (tenant: Tenant) => Promise<T>): Promise<T>;
  /** Unloads a tenant that was deleted, unless somebody uses it, and removes its files. */
  drop(tenant: TenantRef): Promise<void>;
  /** Those that are loaded now. */
  loaded(): Iterable<Tenant>;
}

interface DirectoryParts {
  readonly records: Pick<TenantRecords, "find" | "ownerOf">;
  /** Makes the tenant, with an empty index. */
  readonly load: (tenant: TenantRef) => Promise<Tenant>;
  readonly unload: (tenant: Tenant) => Promise<void>;
  /** Removes what the process keeps of a tenant beside the records. */
  readonly removeFiles: (tenant: TenantRef) => Promise<void>;
  /** What a loaded tenant takes in memory. */
  readonly bytesOf: (tenant: Tenant) => number;
  /** What all of them may take together. */
  readonly mostBytes: number;
}

interface Entry {
  readonly loading: Promise<Tenant>;
  tenant?: Tenant;
  readonly buildIndex: () => Promise<unknown>;
  users: number;
  /** When it was measured last. */
  bytes: number;
}

/** All others are not worth a question: a database may refuse their characters. */
const PUBLIC_ID = /^[\w.~=-]{1,128}$/;

export function createTenantDirectory(first: Tenant, parts: DirectoryParts): TenantDirectory {
  const { records, load, unload, removeFiles, bytesOf, mostBytes } = parts;
  /** In the order of their last use: a Map keeps the order of insertion. */
  const entries = new Map<number, Entry>();
  /** A tenant that is being unloaded is loaded again afterwards: no two of them may exist at a time. */
  const unloading = new Map<number, Promise<void>>();
  let bytes = 0;

  async function loadAfterUnloading(tenant: TenantRef): Promise<Tenant> {
    await unloading.get(tenant.number);
    return load(tenant);
  }

  function entryOf(tenant: TenantRef): Entry {
    const found = entries.get(tenant.number);
    if (found !== undefined) {
      entries.delete(tenant.number);
      entries.set(tenant.number, found);
      return found;
    }
    const loading = loadAfterUnloading(tenant);
    const buildIndex = untilSuccess(async () => (await loading).index.build());
    const entry: Entry = { loading, buildIndex, users: 0, bytes: 0 };
    entries.set(tenant.number, entry);
    loading.then(
      (loaded) => {
        entry.tenant = loaded;
      },
      // The next caller tries again.
      () => entries.delete(tenant.number),
    );
    return entry;
  }

  function measure(entry: Entry): void {
    if (entry.tenant === undefined) return;
    const now = bytesOf(entry.tenant);
    bytes += now - entry.bytes;
    entry.bytes = now;
  }

  function unloadOldest(): void {
    for (const [number, entry] of entries) {
      if (bytes <= mostBytes) return;
      unloadUnused(number, entry);
    }
  }

  function unloadUnused(number: number, { users, tenant, bytes: taken }: Entry): void {
    if (users > 0 || tenant === undefined) return;
    entries.delete(number);
    bytes -= taken;
    const gone = unload(tenant)
      .catch(() => undefined)
      .finally(() => unloading.delete(number));
    unloading.set(number, gone);
  }

  function useFirst<T>(work: (tenant: Tenant) => Promise<T>): Promise<T> {
    tenantsServed.note(first.number);
    return work(first);
  }

  async function useRecords<T>(tenant: TenantRef, work: (tenant: Tenant, entry: Entry) => Promise<T>): Promise<T> {
    tenantsServed.note(tenant.number);
    const entry = entryOf(tenant);
    entry.users += 1;
    try {
      return await work(await entry.loading, entry);
    } finally {
      entry.users -= 1;
      if (entry.users === 0) {
        measure(entry);
        unloadOldest();
      }
    }
  }

  return {
    find: records.find,
    ownerOf: async (id, preferred) =>
      PUBLIC_ID.test(id) ? records.ownerOf(fullAddress(id) ?? id, preferred) : undefined,
    use: async (tenant, work) =>
      tenant.number === first.number
        ? useFirst(work)
        : useRecords(tenant, async (loaded, entry) => {
            await entry.buildIndex();
            return work(loaded);
          }),
    useRecords: async (tenant, work) => (tenant.number === first.number ? useFirst(work) : useRecords(tenant, work)),
    async drop(tenant) {
      const entry = entries.get(tenant.number);
      if (entry !== undefined) unloadUnused(tenant.number, entry);
      await unloading.get(tenant.number);
      await removeFiles(tenant);
    },
    *loaded() {
      yield first;
      for (const { tenant } of entries.values()) if (tenant !== undefined) yield tenant;
    },
  };
}
