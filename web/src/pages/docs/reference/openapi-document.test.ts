import { expect, test } from "vitest";
import { paths } from "#contract/paths.ts";
import { openApiDocument } from "../../../../../scripts/openapi/document.ts";
import { matches, type OpenApiDocument, operationsOf } from "./openapi-document.ts";
import { boundsText, typeText } from "./schema-view.tsx";

const DOCUMENT = openApiDocument("0.0.0") as unknown as OpenApiDocument;
const operations = operationsOf(DOCUMENT);
const operation = (id: string) => operations.find((each) => each.id === id);

test("every route is an operation of a group, with who may call it and a reply", () => {
  // Two have one more, for their answers as events.
  const expected = [...Object.keys(paths), "chatStream", "companionStream"];
  expect(operations.map(({ id }) => id).sort()).toEqual(expected.sort());
  const groups = DOCUMENT.tags?.map(({ name }) => name);
  for (const { id, tag, summary, callers, replies } of operations) {
    expect(groups, id).toContain(tag);
    expect([summary, callers, replies.length], id).not.toContain("");
    expect(replies.length, id).toBeGreaterThan(0);
  }
});

test("problems are told by code, with what each means", () => {
  expect(operation("getMemory")?.problems).toContainEqual({ status: "404", code: "not-found", meaning: "Not found." });
  for (const { problems } of operations) for (const { code, meaning } of problems) expect(meaning, code).not.toBe("");
});

test("a search finds operations by path, name and words, all of which must be there", () => {
  const found = (query: string) => operations.filter((each) => matches(each, query)).map(({ id }) => id);
  expect(found("POST /api/policy")).toEqual(["setAccess", "setAccessBatch"]);
  expect(found("forgetByKey")).toEqual(["forgetByKey"]);
  expect(found("no such thing")).toEqual([]);
});

test("a schema is said in a few words", () => {
  expect(typeText({ type: "array", items: { $ref: "#/components/schemas/Memory" } })).toBe("list of Memory");
  expect(typeText({ enum: ["yes", "no"] })).toBe('"yes" | "no"');
  expect(boundsText({ type: "string", minLength: 1, maxLength: 64 })).toBe("1 to 64 characters");
  expect(boundsText({ type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER })).toBeUndefined();
});
