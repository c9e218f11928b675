import type { z } from "zod";
import type { RouteCalls } from "./route-calls.ts";

export interface Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Strict: an argument that it does not name is refused. No tool names an agent. */
  readonly input: I;
  readonly output: O;
  readonly annotations: Annotations;
  run(calls: RouteCalls, input: z.output<I>): Promise<z.output<O>>;
  /** The result in words, for hosts that show a model nothing else. */
  textOf(result: z.output<O>): string;
}

/** Hints for a host, all of them: the defaults of the protocol are the dangerous ones. */
interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: boolean;
}

/** Types a tool, and forgets its types: what calls it has checked the input with its own schema. */
export const tool = <I extends z.ZodObject, O extends z.ZodObject>(given: Tool<I, O>): Tool => given as unknown as Tool;

/** It changes nothing that anybody can see. Receipts and the decision log do not count. */
export const READS: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};
