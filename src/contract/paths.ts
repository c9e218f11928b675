// The routes of the API without their schemas: name, method, path, who may call each, and which limit counts it.
// routes.ts adds the rest to each row. A page that only calls the API imports this file and carries no schemas.
import type { Access } from "#core/identity/permissions.ts";
import type { RouteClass } from "#core/route-class.ts";

export interface Place {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `{name}` stands for a parameter. */
  readonly path: `/api/${string}` | "/metrics" | "/.well-known/portcullis.json";
  /** Who may call it, beside admins. */
  readonly access: Access;
  /** Which limit counts a call. */
  readonly limit: RouteClass;
  /**
   * What it makes. A request with an Idempotency-Key makes it once. Every POST that makes something has this. An import
   * takes the header, and is idempotent by itself: a fact that is on record is not added again.
   */
  readonly idempotent?: "answer" | "memory" | "key" | "anchor" | "import";
}

/** When two paths match a request, the first one counts. */
export const paths = {
  chat: { method: "POST", path: "/api/chat", access: ["agent"], limit: "answer", idempotent: "answer" },
  companion: { method: "POST", path: "/api/companion", access: ["agent"], limit: "answer", idempotent: "answer" },
  recall: { method: "POST", path: "/api/recall", access: ["agent"], limit: "answer", idempotent: "answer" },
  capture: { method: "POST", path: "/api/memories", access: ["agent"], limit: "write", idempotent: "memory" },
  listMemories: { method: "GET", path: "/api/memories", access: ["agent", "namespace-admin"], limit: "read" },
  importMemories: {
    method: "POST",
    path: "/api/memories/import",
    access: ["agent"],
    limit: "write",
    idempotent: "import",
  },
  forgetMemories: {
    method: "POST",
    path: "/api/memories/forget",
    access: ["agent", "namespace-admin"],
    limit: "write",
  },
  forgetMemory: {
    method: "DELETE",
    path: "/api/memories/{memoryId}",
    access: ["agent", "namespace-admin"],
    limit: "write",
  },
  listUses: {
    method: "GET",
    path: "/api/memories/{memoryId}/uses",
    access: ["namespace-admin", "auditor"],
    limit: "read",
  },
  getTombstone: { method: "GET", path: "/api/tombstones/{memoryId}", access: "public", limit: "read" },
  listNamespaces: {
    method: "GET",
    path: "/api/namespaces",
    access: ["agent", "namespace-admin", "auditor"],
    limit: "read",
  },
  getNamespace: {
    method: "GET",
    path: "/api/namespaces/{name}",
    access: ["agent", "namespace-admin", "auditor"],
    limit: "read",
  },
  putNamespace: { method: "PUT", path: "/api/namespaces/{name}", access: ["namespace-admin"], limit: "write" },
  getByKey: {
    method: "GET",
    path: "/api/namespaces/{name}/keys/{key}",
    access: ["agent", "namespace-admin"],
    limit: "read",
  },
  forgetByKey: {
    method: "DELETE",
    path: "/api/namespaces/{name}/keys/{key}",
    access: ["agent", "namespace-admin"],
    limit: "write",
  },
  updateMemory: { method: "PATCH", path: "/api/memories/{memoryId}", access: ["namespace-admin"], limit: "write" },
  getMemory: { method: "GET", path: "/api/memories/{memoryId}", access: ["agent", "namespace-admin"], limit: "read" },
  getPolicy: { method: "GET", path: "/api/policy", access: ["agent", "namespace-admin", "auditor"], limit: "read" },
  setAccess: { method: "POST", path: "/api/policy", access: ["namespace-admin"], limit: "write" },
  listPolicyChanges: {
    method: "GET",
    path: "/api/policy/changes",
    access: ["namespace-admin", "auditor"],
    limit: "read",
  },
  listReceipts: { method: "GET", path: "/api/receipts", access: ["agent", "auditor"], limit: "read" },
  getReceipt: { method: "GET", path: "/api/receipts/{answerId}", access: ["agent", "auditor"], limit: "read" },
  listBlocked: { method: "GET", path: "/api/receipts/{answerId}/blocked", access: ["agent", "auditor"], limit: "read" },
  anchorReceipt: { method: "POST", path: "/api/anchor", access: ["agent"], limit: "write", idempotent: "anchor" },
  anchorOnChain: { method: "POST", path: "/api/anchor-chain", access: ["agent"], limit: "write", idempotent: "anchor" },
  findAnchors: { method: "GET", path: "/api/anchors/{id}", access: "public", limit: "read" },
  verify: { method: "GET", path: "/api/verify/{receiptId}", access: "public", limit: "verify" },
  getLedger: { method: "GET", path: "/api/ledger", access: "public", limit: "read" },
  getOperatorsWord: { method: "GET", path: "/.well-known/portcullis.json", access: "public", limit: "read" },
  ledgerObject: { method: "GET", path: "/api/ledger/objects/{objectId}", access: "public", limit: "read" },
  ledgerTransaction: { method: "GET", path: "/api/ledger/transactions/{digest}", access: "public", limit: "read" },
  ledgerTransactions: { method: "GET", path: "/api/ledger/transactions", access: ["auditor"], limit: "read" },
  getOverview: { method: "GET", path: "/api/overview", access: ["auditor"], limit: "read" },
  getReports: { method: "GET", path: "/api/reports", access: ["auditor"], limit: "read" },
  getService: { method: "GET", path: "/api/service", access: "public", limit: "read" },
  getMetrics: { method: "GET", path: "/metrics", access: ["auditor"], limit: "read" },
  resetDemo: { method: "POST", path: "/api/reset", access: [], limit: "write" },
  listDecisions: { method: "GET", path: "/api/decisions", access: ["agent", "auditor"], limit: "read" },
  listenToEvents: {
    method: "GET",
    path: "/api/events",
    access: ["agent", "namespace-admin", "auditor"],
    limit: "read",
  },
  exportRecords: {
    method: "GET",
    path: "/api/export",
    access: ["agent", "namespace-admin", "auditor"],
    limit: "read",
  },
  importRecords: { method: "POST", path: "/api/import", access: [], limit: "write", idempotent: "import" },
  listKeys: { method: "GET", path: "/api/keys", access: [], limit: "read" },
  createKey: { method: "POST", path: "/api/keys", access: [], limit: "write", idempotent: "key" },
  rotateKey: { method: "POST", path: "/api/keys/{keyId}/rotate", access: [], limit: "write", idempotent: "key" },
  revokeKey: { method: "DELETE", path: "/api/keys/{keyId}", access: [], limit: "never" },
  getSession: { method: "GET", path: "/api/session", access: "public", limit: "read" },
  signIn: { method: "POST", path: "/api/session", access: "public", limit: "sign-in" },
  signOut: { method: "DELETE", path: "/api/session", access: "public", limit: "never" },
} as const satisfies Record<string, Place>;

export type RouteName = keyof typeof paths;
