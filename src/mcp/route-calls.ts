// What the tools need of the service: some rows of the route table, called as one agent, or as the admin of namespaces. No
// row that changes the policy is among them.
import type { RouteName } from "#contract/paths.ts";
import type { Problem } from "#contract/problem.ts";
import type { Body, Params, Query, Reply } from "#contract/routes.ts";

export type CalledRoute = Extract<
  RouteName,
  | ("capture" | "learn" | "recall" | "chat" | "forgetMemory" | "getMemory" | "listMemories" | "listNamespaces")
  | ("listProposals" | "acceptProposal" | "declineProposal")
  | ("getPolicy" | "getSession" | "getReceipt" | "listReceipts" | "verify" | "getService")
>;

export type RouteInput<N extends CalledRoute> = Given<"params", Params<N>> &
  Given<"query", Query<N>> &
  Given<"body", Body<N>>;

type Given<K extends string, T> = [T] extends [undefined] ? object : { readonly [key in K]: T };

export interface RouteCalls {
  /** The reply may have a fence around it, which lasts until it has left the process. So it is handed on at once. */
  call<N extends CalledRoute>(name: N, input: RouteInput<N>): Promise<Reply<N>>;
  problemOf(error: unknown): Problem;
}
