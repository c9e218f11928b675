import { setImmediate as turn } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { tenantsServed } from "#async/tenants-served.ts";
import type { Tenant } from "#service/tenant.ts";
import { createTenantDirectory } from "./tenant-directory.ts";

const BYTES = 10;

/** A directory of tenants that take ten bytes each, with room for this many. */
function directory(room: number) {
  const [loaded, unloaded, built, removed]: [number[], number[], number[], number[]] = [[], [], [], []];
  let beforeUnload = Promise.resolve();
  const tenantOf = (number: number) =>
    ({ number, id: `t${number}`, index: { build: async () => built.push(number) } }) as unknown as Tenant;
  const tenants = createTenantDirectory(tenantOf(1), {
    records: { find: async () => undefined, ownerOf: async () => undefined },
    async load({ number }) {
      loaded.push(number);
      await turn();
      return tenantOf(number);
    },
    async unload({ number }) {
      await beforeUnload;
      unloaded.push(number);
    },
    removeFiles: async ({ number }) => void removed.push(number),
    bytesOf: () => BYTES,
    mostBytes: room * BYTES,
  });
  const use = (number: number, work: () => Promise<unknown> = async () => undefined) =>
    tenants.use({ number, id: `t${number}` }, work);
  const holdUnloads = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    beforeUnload = promise;
    return resolve;
  };
  const numbers = () => [...tenants.loaded()].map(({ number }) => number);
  return { tenants, use, loaded, unloaded, built, removed, numbers, holdUnloads };
}

test("The tenant default is there from the beginning, and is never loaded or unloaded", async () => {
  const { use, loaded, numbers } = directory(0);
  await use(1);
  expect([loaded, numbers()]).toEqual([[], [1]]);
});

test("Each use is noted, also of the tenant default: turns of the event loop are short while several are served", async () => {
  const note = vi.spyOn(tenantsServed, "note");
  onTestFinished(() => note.mockRestore());
  const { tenants, use } = directory(3);
  await use(1);
  await use(2);
  await tenants.useRecords({ number: 3, id: "t3" }, async () => undefined);
  expect(note.mock.calls).toEqual([[1], [2], [3]]);
});

test("Those who use a tenant at the same time load it, and build its index, once", async () => {
  const { use, loaded, built } = directory(3);
  await Promise.all([use(2), use(2), use(2)]);
  await use(2);
  expect([loaded, built]).toEqual([[2], [2]]);
});

test("The one that was not used for longest is unloaded when there is no room", async () => {
  const { use, unloaded, numbers } = directory(2);
  for (const number of [2, 3, 2, 4]) await use(number);
  await turn();
  expect([unloaded, numbers()]).toEqual([[3], [1, 2, 4]]);
});

test("One that is in use is not unloaded", async () => {
  const { use, unloaded } = directory(1);
  const { promise, resolve } = Promise.withResolvers<void>();
  const using = use(2, () => promise);
  await use(3);
  await use(4);
  expect(unloaded).toEqual([3]);
  resolve();
  await using;
  await turn();
  expect(unloaded).toEqual([3, 2]);
});

test("One that is being unloaded is loaded again only afterwards: no two of them exist", async () => {
  const { use, loaded, unloaded, holdUnloads } = directory(1);
  await use(2);
  const release = holdUnloads();
  await use(3);
  const again = use(2);
  await turn();
  await turn();
  expect([loaded, unloaded]).toEqual([[2, 3], []]);
  release();
  await again;
  expect(loaded).toEqual([2, 3, 2]);
  expect(unloaded[0]).toBe(2);
});

test("One that was deleted is unloaded if nobody uses it, and its files are removed in any case", async () => {
  const { tenants, use, unloaded, removed, numbers } = directory(3);
  await use(2);
  await use(3, () => tenants.drop({ number: 3, id: "t3" }));
  for (const number of [2, 4]) await tenants.drop({ number, id: `t${number}` });
  expect([unloaded, removed, numbers()]).toEqual([[2], [3, 2, 4], [1, 3]]);
});

test("A tenant that could not be loaded is tried again", async () => {
  let fails = true;
  const tenants = createTenantDirectory({ number: 1 } as Tenant, {
    records: { find: async () => undefined, ownerOf: async () => undefined },
    async load({ number }) {
      if (fails) throw new Error("down");
      return { number, index: { build: async () => ({}) } } as unknown as Tenant;
    },
    unload: async () => undefined,
    removeFiles: async () => undefined,
    bytesOf: () => 1,
    mostBytes: 10,
  });
  const use = () => tenants.use({ number: 2, id: "b" }, async ({ number }) => number);
  await expect(use()).rejects.toThrow("down");
  fails = false;
  expect(await use()).toBe(2);
});
