// Examples of requests and replies. `npm run openapi` records them from a session with a real service.
import type { ServedProblemCode } from "#contract/problem.ts";
import recorded from "./examples.json" with { type: "json" };
import type { Json } from "./json-schema.ts";

export interface OperationExample {
  readonly params?: Json;
  readonly query?: Json;
  readonly body?: unknown;
  readonly reply: unknown;
  /** What it replies with another `Accept`, by media type. */
  readonly others?: Readonly<Record<string, string>>;
}

export interface RecordedExamples {
  readonly operations: Readonly<Record<string, OperationExample>>;
  /** One problem for each code that the session met. */
  readonly problems: Readonly<Record<string, Json>>;
}

const { operations, problems }: RecordedExamples = recorded;

export const operationExample = (operationId: string): OperationExample | undefined =>
  Object.hasOwn(operations, operationId) ? operations[operationId] : undefined;

export const problemExample = (code: ServedProblemCode): Json | undefined =>
  Object.hasOwn(problems, code) ? problems[code] : undefined;
