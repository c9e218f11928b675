// Decisions as lines of a file.
import { type CsvCell, csvLine } from "#web/lib/csv.ts";
import type { Decision } from "./decision.ts";

const COLUMNS: readonly (readonly [head: string, cell: (decision: Decision) => CsvCell])[] = [
  ["at", ({ at }) => at],
  ["kind", ({ kind }) => kind],
  ["outcome", ({ outcome }) => outcome],
  ["route", ({ route }) => route],
  ["caller", ({ principalName }) => principalName],
  ["role", ({ role }) => role],
  ["agent", ({ agentId }) => agentId],
  ["namespace", ({ namespace }) => namespace],
  ["allowed", ({ details }) => details?.allowed],
  ["cause", ({ details }) => details?.cause],
  ["memories", ({ details }) => details?.memories],
  ["open", ({ allowedNamespaces }) => allowedNamespaces?.join(" | ")],
  ["held back", ({ blockedNamespaces }) => blockedNamespaces?.join(" | ")],
  ["policy version", ({ policyVersion }) => policyVersion],
  ["answer", ({ answerId }) => answerId],
  ["memory", ({ memoryId }) => memoryId],
  ["blob", ({ details }) => details?.blobId],
  ["receipt on the ledger", ({ details }) => details?.receiptId],
  ["transaction", ({ details }) => details?.txDigest],
];

export const CSV_HEAD = csvLine(COLUMNS.map(([head]) => head));

export const toCsvLine = (decision: Decision): string => csvLine(COLUMNS.map(([, cell]) => cell(decision)));
