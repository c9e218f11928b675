// The error responses of an operation: one for each status, with the codes that the route can give.
import { PROBLEM_TYPE } from "#contract/media-types.ts";
import { PROBLEM_STATUS, type ProblemCode } from "#contract/problem-status.ts";
import { problemSchema } from "#contract/schemas/problem.ts";
import { problemExample } from "./examples.ts";
import type { Json, ToJsonSchema } from "./json-schema.ts";

interface Shared {
  readonly responses: Json;
  readonly toJsonSchema: ToJsonSchema;
}

/** Responses by status. Each is described once, in `responses`, under its codes, and referred to. */
export function problemResponses(codes: readonly ProblemCode[], { responses, toJsonSchema }: Shared): Json {
  const byStatus = Map.groupBy(codes, (code) => PROBLEM_STATUS[code][0]);
  const statuses = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    statuses.map(([status, own]) => {
      const name = own.join("_");
      responses[name] ??= response(status, own, toJsonSchema);
      return [String(status), { $ref: `#/components/responses/${name}` }];
    }),
  );
}

function response(status: number, codes: readonly ProblemCode[], toJsonSchema: ToJsonSchema): Json {
  const headers = headersOf(status, codes);
  const examples = codes.flatMap((code) => {
    const value = problemExample(code);
    return value === undefined ? [] : [[code, { value }] as const];
  });
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEM_STATUS[code][1]}.`).join("\n\n"),
    ...(headers !== undefined && { headers }),
    content: {
      [PROBLEM_TYPE]: {
        schema: toJsonSchema(problemSchema, "output"),
        ...(examples.length > 0 && { examples: Object.fromEntries(examples) }),
      },
    },
    // In a list of their own for programs. No enum of the schema: a later version may have further codes.
    "x-problem-codes": codes,
  };
}

function headersOf(status: number, codes: readonly ProblemCode[]): Json | undefined {
  if (status === 401 || codes.includes("forbidden")) return { "WWW-Authenticate": ref("WWW-Authenticate") };
  if (status === 429 || status === 503 || codes.includes("in-progress")) return { "Retry-After": ref("Retry-After") };
  return undefined;
}

const ref = (name: string): Json => ({ $ref: `#/components/headers/${name}` });
