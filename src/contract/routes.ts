// The API, one row a route. The server has a handler for each row, the client a function, openapi.json an operation.
import type { z } from "zod";
import { type Place, paths, type RouteName } from "./paths.ts";
import { answerRows } from "./rows/answers.ts";
import { identityRows } from "./rows/identity.ts";
import { ledgerRows } from "./rows/ledger.ts";
import { logRows } from "./rows/logs.ts";
import { memoryRows } from "./rows/memories.ts";
import { namespaceRows } from "./rows/namespaces.ts";
import { operationRows } from "./rows/operations.ts";
import { policyRows } from "./rows/policy.ts";
import { receiptRows } from "./rows/receipts.ts";
import type { Row } from "./rows/row.ts";
import { transferRows } from "./rows/transfer.ts";

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
} as const satisfies Readonly<Record<RouteName, Row>>;

/** The rows with their paths. */
export const routes = Object.fromEntries(
  Object.entries(paths).map(([name, place]) => [name, { ...place, ...rows[name as RouteName] }]),
) as { readonly [N in RouteName]: (typeof paths)[N] & (typeof rows)[N] };

type Schema<R, K extends string> = R extends { readonly [key in K]: infer S extends z.ZodType } ? S : z.ZodUndefined;

export type Body<N extends RouteName> = z.output<Schema<(typeof rows)[N], "body">>;
export type Params<N extends RouteName> = z.output<Schema<(typeof rows)[N], "params">>;
export type Query<N extends RouteName> = z.output<Schema<(typeof rows)[N], "query">>;
export type Reply<N extends RouteName> = z.output<Schema<(typeof rows)[N], "response">>;
