import fc from "fast-check";
import { expect, test } from "vitest";
import { pagePath } from "#contract/page-paths.ts";
import { lastSegment } from "./address.ts";

test("a name in a path is read as it was written, whatever it holds", () => {
  const names = fc.string({ minLength: 1, maxLength: 64, unit: "grapheme" }).filter((name) => !/^\.{1,2}$/.test(name));
  fc.assert(
    fc.property(names, (name) => {
      const { pathname } = new URL(pagePath("namespace", { name }), "http://localhost");
      expect(lastSegment(pathname)).toBe(name);
    }),
    { examples: [["a/b"], ["a%2Fb"], ["50%25"], ["50%"], ["?"], ["#"], ["%"], ["سلام"]] },
  );
});

test("a path that nobody encoded is taken as it is", () => {
  expect(lastSegment("/namespaces/50%")).toBe("50%");
  expect(lastSegment("/namespaces/diet/")).toBe("diet");
});
