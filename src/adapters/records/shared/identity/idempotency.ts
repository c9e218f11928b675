import type { Begun } from "#ports.ts";

export interface RequestRow {
  readonly request: string;
  readonly outcome: string | null;
}

/** What a request finds that cannot begin. */
export function foundRequest({ request, outcome }: RequestRow, digest: string): Begun {
  if (request !== digest) return { kind: "other-request" };
  return outcome === null ? { kind: "in-progress" } : { kind: "done", outcome };
}
