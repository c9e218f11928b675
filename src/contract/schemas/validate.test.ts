import { expect, test } from "vitest";
import { z } from "zod";
import { validate } from "./validate.ts";

const schema = z.strictObject({
  name: z.string().min(2).optional(),
  limit: z.int().min(1).max(64).optional(),
  share: z.number().max(1).optional(),
  flag: z.boolean().optional(),
  list: z.array(z.string()).min(1).max(2).optional(),
  mode: z.enum(["propose", "review", "store"]).optional(),
  n: z.literal(1).optional(),
  either: z.union([z.string(), z.array(z.string())]).optional(),
  inner: z.strictObject({ id: z.string() }).optional(),
});

test.each([
  [{ name: 3 }, "must be a text"],
  [{ name: null }, "must be a text"],
  [{ name: "x" }, "must have at least 2 characters"],
  [{ limit: "3" }, "must be a number"],
  [{ limit: 1.5 }, "must be a whole number"],
  [{ limit: 0 }, "must be at least 1"],
  [{ limit: 65 }, "must be at most 64"],
  [{ share: 1.1 }, "must be at most 1"],
  [{ flag: "yes" }, "must be true or false"],
  [{ list: {} }, "must be a list"],
  [{ list: [] }, "must have at least 1 element"],
  [{ list: ["a", "b", "c"] }, "must have at most 2 elements"],
  [{ mode: "x" }, 'must be "propose", "review" or "store"'],
  [{ n: 2 }, "must be 1"],
  [{ either: 3 }, "has a form that is not taken here"],
  [{ inner: [] }, "must be an object"],
  [{ inner: {} }, "is required"],
  [{ nmae: "x" }, "is not a member of this object; did you mean name?"],
  [[], "must be an object"],
])("what is said of %j goes on after the name of the field", (value, message) => {
  expect(validate(schema, value).faults?.map((fault) => fault.message)).toEqual([message]);
});
