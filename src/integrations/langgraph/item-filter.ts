// The filters of a search, as LangGraph's own stores read them.
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { UnsupportedOperationError } from "./unsupported-operation-error.ts";

type Compare = (value: unknown, wanted: unknown) => boolean;

const isIn: Compare = (value, wanted) => Array.isArray(wanted) && wanted.some((each) => isEqual(value, each));

const OPERATORS: ReadonlyMap<string, Compare> = new Map<string, Compare>([
  ["$eq", isEqual],
  ["$ne", (value, wanted) => !isEqual(value, wanted)],
  ["$gt", (value, wanted) => Number(value) > Number(wanted)],
  ["$gte", (value, wanted) => Number(value) >= Number(wanted)],
  ["$lt", (value, wanted) => Number(value) < Number(wanted)],
  ["$lte", (value, wanted) => Number(value) <= Number(wanted)],
  ["$in", isIn],
  ["$nin", (value, wanted) => !isIn(value, wanted)],
]);

export type ItemFilter = (value: Readonly<Record<string, unknown>>) => boolean;

/** Every field must be equal, or pass every operator. Refuses operators that LangGraph does not have. */
export function itemFilter(filter: Readonly<Record<string, unknown>> = {}): ItemFilter {
  const tests = Object.entries(filter).map(([field, wanted]) => ({ field, test: testFor(wanted) }));
  return (value) => tests.every(({ field, test }) => test(Object.hasOwn(value, field) ? value[field] : undefined));
}

function testFor(wanted: unknown): (value: unknown) => boolean {
  const operations = isObject(wanted) ? Object.entries(wanted) : [];
  if (!operations.some(([name]) => name.startsWith("$"))) return (value) => isEqual(value, wanted);
  const tests = operations.map(([name, operand]) => {
    const compare = OPERATORS.get(name);
    if (compare === undefined)
      throw new UnsupportedOperationError(
        `A filter has no operator ${name}. It has ${[...OPERATORS.keys()].join(", ")}.`,
      );
    return (value: unknown) => compare(value, operand);
  });
  return (value) => tests.every((test) => test(value));
}

function isEqual(value: unknown, wanted: unknown): boolean {
  if (value === wanted) return true;
  return isStructure(value) && isStructure(wanted) && canonicalJson(value) === canonicalJson(wanted);
}

const isStructure = (value: unknown): value is object => typeof value === "object" && value !== null;
const isObject = (value: unknown): value is object => isStructure(value) && !Array.isArray(value);
