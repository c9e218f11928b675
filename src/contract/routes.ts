// The API, one row a route. The server has a handler for each row, the client a function, openapi.json an operation.
import type { z } from "zod";
import { answerRows, type gateEvent } from "#contract/rows/answers.ts";
import { identityRows } from "#contract/rows/identity.ts";
import { ledgerRows } from "#contract/rows/ledger.ts";
import { logRows } from "#contract/rows/logs.ts";
import { memoryRows, namespaceRows } from "#contract/rows/memories.ts";
import { operationRows } from "#contract/rows/operations.ts";
import { receiptRows } from "#contract/rows/receipts.ts";
import { tenantRows } from "#contract/rows/tenants.ts";
import { transferRows } from "#contract/rows/transfer.ts";
import { transparencyLogRows } from "#contract/rows/transparency-log.ts";
import { type Place, paths, type RouteName } from "./paths.ts";
import { policyRows } from "./rows/policy.ts";
import type { Row } from "./rows/row.ts";

export interface Route extends Place, Row {}

const rows = {
  ...answerRows,
  ...memoryRows,
  ...namespaceRows,
  ...policyRows,
  ...receiptRows,
  ...ledgerRows,
  ...operationRows,
  ...logRows,
  ...identityRows,
  ...transferRows,
  ...tenantRows,
  ...transparencyLogRows,
} as const satisfies Readonly<Record<RouteName, Row>>;

export const routes = Object.fromEntries(
  Object.entries(paths).map(([name, place]) => [name, { ...place, ...rows[name as RouteName] }]),
) as { readonly [N in RouteName]: (typeof paths)[N] & (typeof rows)[N] };

type Schema<R, K extends string> = R extends { readonly [key in K]: infer S extends z.ZodType } ? S : z.ZodUndefined;

export type Body<N extends RouteName> = z.output<Schema<(typeof rows)[N], "body">>;
export type Params<N extends RouteName> = z.output<Schema<(typeof rows)[N], "params">>;
export type Query<N extends RouteName> = z.output<Schema<(typeof rows)[N], "query">>;
export type Reply<N extends RouteName> = z.output<Schema<(typeof rows)[N], "response">>;
/** The reply of a caller who prefers a minimal one; never if the row has none. */
export type MinimalReply<N extends RouteName> = (typeof rows)[N] extends { readonly minimal: infer S extends z.ZodType }
  ? z.output<S>
  : never;

/** Of a streamed answer: what passed the gate, and what is closed. */
export type GateEvent = z.output<typeof gateEvent>;

/** Whether overload may refuse a call: not one that may be urgent, forgets, has no limit, or signs in. */
export function isRefusedUnderLoad(route: Pick<Route, "path" | "limit" | "isUrgent" | "forgets">): boolean {
  const { path, limit, isUrgent, forgets } = route;
  return /^\/(?:api|v1)\//.test(path) && isUrgent === undefined && !forgets && limit !== "never" && limit !== "sign-in";
}
