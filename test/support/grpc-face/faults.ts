// What can go wrong between a client and a full node. Each is spent on one call.
import type { GrpcStatusCode } from "@mysten/sui/grpc";

export type Fault =
  /** Executes at once, and answers so many milliseconds later. */
  | { readonly kind: "late"; readonly ms: number }
  /** Executes so many milliseconds later, when the client may have given up. */
  | { readonly kind: "held"; readonly ms: number }
  /** Never answers. */
  | { readonly kind: "never"; readonly executes: boolean }
  | {
      readonly kind: "error";
      readonly executes: boolean;
      readonly code?: keyof typeof GrpcStatusCode;
      readonly message?: string;
    }
  /** Closes the connection instead of answering. */
  | { readonly kind: "drop"; readonly executes: boolean };

export interface Faults {
  /** The next calls of the method, such as `ExecuteTransaction`, meet these, one each. */
  inject(method: string, ...faults: Fault[]): void;
  take(method: string): Fault | undefined;
  clear(): void;
}

export function createFaults(): Faults {
  const waiting = new Map<string, Fault[]>();
  return {
    inject: (method, ...faults) => void waiting.set(method, [...(waiting.get(method) ?? []), ...faults]),
    take: (method) => waiting.get(method)?.shift(),
    clear: () => waiting.clear(),
  };
}
