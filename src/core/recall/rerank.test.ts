import fc from "fast-check";
import { expect, test } from "vitest";
import { sortShort } from "./rerank.ts";

test("sorts lists of any length as the engine does", () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { maxLength: 100 }), (numbers) => {
      expect(sortShort([...numbers], (a, b) => a - b)).toEqual(numbers.toSorted((a, b) => a - b));
    }),
  );
});
