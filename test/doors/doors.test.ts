import { expect, test } from "vitest";
import { checkDoor } from "./check-door.ts";
import type { Door } from "./door.ts";
import { doors } from "./doors.ts";
import { httpDoor } from "./http-door.ts";
import { ALL_POLICIES, somePolicies } from "./policies.ts";

const POLICIES = somePolicies(8);

test.for([...doors])("%s gives the memories of 8 policies as the oracle says, and no other", async ([, door]) => {
  const { compared, violations } = await checkDoor(door, { policies: POLICIES });
  expect(violations).toEqual([]);
  expect(compared).toBeGreaterThanOrEqual(POLICIES.length * 3);
});

test("finds a door that gives a blocked memory, one that keeps an allowed one back, and one that talks in an error", async () => {
  const broken = (change: (text: string, all: string) => string): Door => {
    return async (visitor) => {
      const { reads } = await httpDoor(visitor);
      let all = "";
      return {
        reads: {
          async recall() {
            const text = JSON.stringify(await reads.recall?.());
            if (text.length > all.length) all = text;
            return { text: change(text, all) };
          },
        },
        probes: { error: async () => change("", all) },
      };
    };
  };
  const policies = [ALL_POLICIES - 1, 0];
  const found = async (door: Door) => (await checkDoor(door, { policies })).violations.length;
  expect(await found(broken((text) => text))).toBe(0);
  expect(await found(broken((_, all) => all))).toBe(9); // Three reads under the second policy, and six probes.
  expect(await found(broken(() => ""))).toBe(3);
});

test("the 8 policies are different ones, and the two extremes are among them", () => {
  expect(new Set(POLICIES).size).toBe(8);
  expect(POLICIES).toEqual(expect.arrayContaining([0, ALL_POLICIES - 1]));
});
