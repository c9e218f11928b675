// The faults between a client and a full node. Each one is met by one call.
import type { GrpcStatusCode } from "@mysten/sui/grpc";

export type Fault =
  /** Executes at once, and answers when the client has closed its connection. */
  | { readonly kind: "late" }
  /** Executes when the client has closed its connection, or when it has sent the call again and has its answer. */
  | { readonly kind: "held"; readonly until: "client-gone" | "next-answer" }
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
  /** The next calls of the method, such as `ExecuteTransaction`, meet these faults, one each. */
  inject(method: string, ...faults: Fault[]): void;
  take(method: string): Fault | undefined;
  clear(): void;
}

export function createFaults(): Faults {
  const queues = new Map<string, Fault[]>();
  return {
    inject: (method, ...faults) => void queues.set(method, [...(queues.get(method) ?? []), ...faults]),
    take: (method) => queues.get(method)?.shift(),
    clear: () => queues.clear(),
  };
}
