// The groups of operations: those of the files in rows/.
import { answerRows } from "#contract/rows/answers.ts";
import { identityRows } from "#contract/rows/identity.ts";
import { ledgerRows } from "#contract/rows/ledger.ts";
import { logRows } from "#contract/rows/logs.ts";
import { memoryRows } from "#contract/rows/memories.ts";
import { namespaceRows } from "#contract/rows/namespaces.ts";
import { operationRows } from "#contract/rows/operations.ts";
import { policyRows } from "#contract/rows/policy.ts";
import { receiptRows } from "#contract/rows/receipts.ts";
import type { Rows } from "#contract/rows/row.ts";
import { transferRows } from "#contract/rows/transfer.ts";
import type { Json } from "./json-schema.ts";

const GROUPS: readonly (readonly [name: string, rows: Rows, description: string])[] = [
  ["Answers", answerRows, "Ask as an agent, or recall memories for a model of your own. The gate decides first."],
  ["Memories", memoryRows, "Capture facts, read, pin and forget them."],
  ["Namespaces", namespaceRows, "What a namespace is for, how long its memories are kept, and facts by their keys."],
  ["Policy", policyRows, "Which agent may use which namespace. Whatever is not allowed is blocked."],
  ["Receipts", receiptRows, "The receipts of answers: read them, anchor them, verify them."],
  ["Ledger", ledgerRows, "Where anchors are recorded, for a verifier."],
  ["Logs", logRows, "What was decided, and what happens now."],
  ["Transfer", transferRows, "Take records away, and bring them into another service."],
  ["Identities", identityRows, "Keys of callers, and sessions of the app."],
  ["Service", operationRows, "What the service runs on, and how it does."],
];

export const TAGS: readonly Json[] = GROUPS.map(([name, , description]) => ({ name, description }));

const tagOfRoute = new Map(GROUPS.flatMap(([name, rows]) => Object.keys(rows).map((route) => [route, name] as const)));

export const tagOf = (routeName: string): string => tagOfRoute.get(routeName) ?? "Service";
