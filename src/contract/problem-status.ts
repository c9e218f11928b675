// The status and the title of each code of a problem (RFC 9457). Nothing else gives a code a status.
import problems from "#core/problems.json" with { type: "json" };
import type { ServedProblemCode } from "./problem.ts";

export const PROBLEMS: Readonly<Record<ServedProblemCode, { readonly status: number; readonly title: string }>> =
  problems;
