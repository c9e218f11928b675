// Errors on the wire: RFC 9457 problem details with a stable `code`.
import { z } from "zod";
import type { ErrorCode } from "../core/errors.ts";

export const PROBLEM_TYPE = "application/problem+json";

const problem = z
  .object({
    type: z.string().meta({ description: "urn:portcullis:problem:<code>" }),
    title: z.string(),
    status: z.int(),
    code: z.string().meta({ description: "Stable; what programs should look at." }),
    detail: z.string(),
    requestId: z.string().optional(),
    errors: z
      .array(z.object({ pointer: z.string().optional(), parameter: z.string().optional(), detail: z.string() }))
      .optional()
      .meta({ description: "What is wrong with which field (a JSON pointer) or query parameter." }),
  })
  .meta({ id: "Problem" });

export type Problem = Omit<z.infer<typeof problem>, "code"> & { code: ErrorCode | "unexpected-response" };

export const problemSchema = problem;

/** What the client throws when the service answers with a problem. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly problem: Problem;

  constructor(details: Problem) {
    super(details.detail);
    this.problem = details;
  }

  get status(): number {
    return this.problem.status;
  }

  get code(): Problem["code"] {
    return this.problem.code;
  }
}
