import fc from "fast-check";
import { expect, test } from "vitest";
import { absoluteUrl, basePathOf, withoutBasePath } from "./base-path.ts";

const SEGMENT = fc.stringMatching(/^[\w~-][\w.~-]{0,8}$/);
const basePath = fc.array(SEGMENT, { minLength: 1, maxLength: 3 }).map((segments) => `/${segments.join("/")}`);

test("A base path has an effect only where the path goes on with a slash, a query or nothing", () => {
  fc.assert(
    fc.property(basePath, fc.webPath(), (base, path) => {
      expect(basePathOf(`${base}/`)).toBe(base);
      expect(withoutBasePath(`${base}/${path}`, base)).toBe(`/${path}`);
      expect(withoutBasePath(`${base}x${path}`, base)).toBe(`${base}x${path}`);
      expect(withoutBasePath(base, base)).toBe("/");
      expect(withoutBasePath(`${base}?q=1`, base)).toBe("/?q=1");
      expect(withoutBasePath(`/${path}`, "")).toBe(`/${path}`);
    }),
  );
});

test("What is taken for a base path needs no escape in a URL, in HTML or in a header", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const path = basePathOf(text);
      if (path === undefined || path === "") return;
      expect(new URL(path, "http://a.test").pathname).toBe(path);
      expect(new URL(path, "http://a.test").host).toBe("a.test");
      expect(path).toMatch(/^[\w./~-]+$/);
    }),
  );
  expect(["/..", "/.a", "//a", "/a//b", "a", "/a b", "/ä", `/${"a".repeat(200)}`].map(basePathOf)).toEqual(
    Array.from({ length: 8 }, () => undefined),
  );
});

test("A link to a page of ours becomes absolute, and others stay", () => {
  expect(absoluteUrl("https://a.test/memory", "/ledger/tx/1")).toBe("https://a.test/memory/ledger/tx/1");
  expect(absoluteUrl("https://a.test/memory", "https://b.test/tx/1")).toBe("https://b.test/tx/1");
});
