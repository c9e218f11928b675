import { expect, test } from "vitest";
import { findPython, NO_PYTHON } from "#test/support/python.ts";
import { checkEntryPoint } from "./check-entry-point.ts";
import type { EntryPoint } from "./entry-point.ts";
import { entryPoints } from "./entry-points.ts";
import { httpEntryPoint } from "./http.ts";
import { ALL_POLICIES, somePolicies } from "./policies.ts";

const POLICIES = somePolicies(8);

test.for([...entryPoints])(
  "%s gives the memories of 8 policies as the oracle says, and no other",
  async ([name, entryPoint], { skip }) => {
    if (name === "Python" && (await findPython()) === undefined) skip(NO_PYTHON);
    const { compared, violations } = await checkEntryPoint(entryPoint, { policies: POLICIES });
    expect(violations).toEqual([]);
    expect(compared).toBeGreaterThanOrEqual(POLICIES.length * 3);
  },
);

test("finds an entry point that gives a blocked memory, one that keeps an allowed one back, and one that talks in an error", async () => {
  const broken = (change: (text: string, all: string) => string): EntryPoint => {
    return async (visitor) => {
      const { reads } = await httpEntryPoint(visitor);
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
  const found = async (entryPoint: EntryPoint) => (await checkEntryPoint(entryPoint, { policies })).violations.length;
  expect(await found(broken((text) => text))).toBe(0);
  expect(await found(broken((_, all) => all))).toBe(9); // Three reads under the second policy, and six probes.
  expect(await found(broken(() => ""))).toBe(3);
});

test("the 8 policies are different ones, and the two extremes are among them", () => {
  expect(new Set(POLICIES).size).toBe(8);
  expect(POLICIES).toEqual(expect.arrayContaining([0, ALL_POLICIES - 1]));
});
