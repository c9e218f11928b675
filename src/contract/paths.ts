// The routes of the API without their schemas: name, method, path, and who may call each. routes.ts adds the rest to
// each row. A page that only calls the API imports this file and carries no schemas.

/**
 * Who may call a route: anybody, agents for themselves, auditors, or admins alone. An admin may call every route. This is
 * not enforced yet: callers are not told apart, and each counts as an admin.
 */
export type Access = "public" | "agent" | "auditor" | "admin";

export interface Place {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `{name}` stands for a parameter. */
  readonly path: `/api/${string}`;
  readonly access: Access;
}

/** When two paths match a request, the first one counts. */
export const paths = {
  chat: { method: "POST", path: "/api/chat", access: "agent" },
  companion: { method: "POST", path: "/api/companion", access: "agent" },
  recall: { method: "POST", path: "/api/recall", access: "agent" },
  capture: { method: "POST", path: "/api/memories", access: "agent" },
  listMemories: { method: "GET", path: "/api/memories", access: "agent" },
  importMemories: { method: "POST", path: "/api/memories/import", access: "agent" },
  updateMemory: { method: "PATCH", path: "/api/memories/{memoryId}", access: "admin" },
  getMemory: { method: "GET", path: "/api/memories/{memoryId}", access: "agent" },
  getPolicy: { method: "GET", path: "/api/policy", access: "agent" },
  setAccess: { method: "POST", path: "/api/policy", access: "admin" },
  listPolicyChanges: { method: "GET", path: "/api/policy/changes", access: "auditor" },
  listReceipts: { method: "GET", path: "/api/receipts", access: "agent" },
  getReceipt: { method: "GET", path: "/api/receipts/{answerId}", access: "agent" },
  listBlocked: { method: "GET", path: "/api/receipts/{answerId}/blocked", access: "agent" },
  anchorReceipt: { method: "POST", path: "/api/anchor", access: "agent" },
  anchorOnChain: { method: "POST", path: "/api/anchor-chain", access: "agent" },
  verify: { method: "GET", path: "/api/verify/{receiptId}", access: "public" },
  getLedger: { method: "GET", path: "/api/ledger", access: "public" },
  ledgerObject: { method: "GET", path: "/api/ledger/objects/{objectId}", access: "public" },
  ledgerTransaction: { method: "GET", path: "/api/ledger/transactions/{digest}", access: "public" },
  ledgerTransactions: { method: "GET", path: "/api/ledger/transactions", access: "auditor" },
  getOverview: { method: "GET", path: "/api/overview", access: "auditor" },
  getService: { method: "GET", path: "/api/service", access: "public" },
  resetDemo: { method: "POST", path: "/api/reset", access: "admin" },
} as const satisfies Record<string, Place>;

export type RouteName = keyof typeof paths;
