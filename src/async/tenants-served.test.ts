import { expect, test } from "vitest";
import { createTenantsServed } from "./tenants-served.ts";

test("several are served while each of two has asked for something in the last minute", () => {
  let clock = 0;
  const served = createTenantsServed(() => clock);
  const note = (tenant: number, at: number) => {
    clock = at;
    served.note(tenant);
    return served.areSeveral();
  };
  expect([note(1, 0), note(1, 10_000), note(2, 20_000), note(1, 30_000)]).toEqual([false, false, true, true]);
  // The second was there last after 20 s.
  expect([note(1, 79_999), note(1, 80_000)]).toEqual([true, false]);
  // The first was there just now.
  expect(note(2, 80_001)).toBe(true);
});
