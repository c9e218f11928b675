// The routes of the API without their schemas: name, method, path, and who may call each. routes.ts adds the rest to
// each row. A page that only calls the API imports this file and carries no schemas.
import type { Access } from "#core/identity/permissions.ts";

export interface Place {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `{name}` stands for a parameter. */
  readonly path: `/api/${string}`;
  /** Who may call it, beside admins. */
  readonly access: Access;
}

/** When two paths match a request, the first one counts. */
export const paths = {
  chat: { method: "POST", path: "/api/chat", access: ["agent"] },
  companion: { method: "POST", path: "/api/companion", access: ["agent"] },
  recall: { method: "POST", path: "/api/recall", access: ["agent"] },
  capture: { method: "POST", path: "/api/memories", access: ["agent"] },
  listMemories: { method: "GET", path: "/api/memories", access: ["agent", "namespace-admin"] },
  importMemories: { method: "POST", path: "/api/memories/import", access: ["agent"] },
  updateMemory: { method: "PATCH", path: "/api/memories/{memoryId}", access: ["namespace-admin"] },
  getMemory: { method: "GET", path: "/api/memories/{memoryId}", access: ["agent", "namespace-admin"] },
  getPolicy: { method: "GET", path: "/api/policy", access: ["agent", "namespace-admin", "auditor"] },
  setAccess: { method: "POST", path: "/api/policy", access: ["namespace-admin"] },
  listPolicyChanges: { method: "GET", path: "/api/policy/changes", access: ["namespace-admin", "auditor"] },
  listReceipts: { method: "GET", path: "/api/receipts", access: ["agent", "auditor"] },
  getReceipt: { method: "GET", path: "/api/receipts/{answerId}", access: ["agent", "auditor"] },
  listBlocked: { method: "GET", path: "/api/receipts/{answerId}/blocked", access: ["agent", "auditor"] },
  anchorReceipt: { method: "POST", path: "/api/anchor", access: ["agent"] },
  anchorOnChain: { method: "POST", path: "/api/anchor-chain", access: ["agent"] },
  verify: { method: "GET", path: "/api/verify/{receiptId}", access: "public" },
  getLedger: { method: "GET", path: "/api/ledger", access: "public" },
  ledgerObject: { method: "GET", path: "/api/ledger/objects/{objectId}", access: "public" },
  ledgerTransaction: { method: "GET", path: "/api/ledger/transactions/{digest}", access: "public" },
  ledgerTransactions: { method: "GET", path: "/api/ledger/transactions", access: ["auditor"] },
  getOverview: { method: "GET", path: "/api/overview", access: ["auditor"] },
  getService: { method: "GET", path: "/api/service", access: "public" },
  resetDemo: { method: "POST", path: "/api/reset", access: [] },
  listDecisions: { method: "GET", path: "/api/decisions", access: ["agent", "auditor"] },
  listenToEvents: { method: "GET", path: "/api/events", access: ["agent", "namespace-admin", "auditor"] },
  listKeys: { method: "GET", path: "/api/keys", access: [] },
  createKey: { method: "POST", path: "/api/keys", access: [] },
  rotateKey: { method: "POST", path: "/api/keys/{keyId}/rotate", access: [] },
  revokeKey: { method: "DELETE", path: "/api/keys/{keyId}", access: [] },
  getSession: { method: "GET", path: "/api/session", access: "public" },
  signIn: { method: "POST", path: "/api/session", access: "public" },
  signOut: { method: "DELETE", path: "/api/session", access: "public" },
} as const satisfies Record<string, Place>;

export type RouteName = keyof typeof paths;
