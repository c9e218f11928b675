// The routes of the API without their schemas: name, method, path, who may call each, and which limit counts it.
// routes.ts adds the rest to each row. The client has a function for each row; that of the package has the comment that stands
// here, or else the row's summary. A page that only calls the API imports this file and carries no schemas.
import type { Access } from "#core/identity/permissions.ts";
import type { RouteClass } from "#core/route-class.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type Path = `/api/${string}` | "/metrics" | "/.well-known/portcullis.json";

export interface Place {
  readonly method: Method;
  /** `{name}` stands for a parameter. */
  readonly path: Path;
  /** Where its reply is always events, without an `Accept`: for OpenAPI, which has one operation a path. */
  readonly streamPath?: Path;
  /** Who may call it, beside admins. */
  readonly access: Access;
  /** Which limit counts a call. */
  readonly limit: RouteClass;
  /** It takes parameters in its query. */
  readonly hasQuery?: true;
  /** It gives pages: the field that has the elements. */
  readonly lists?: string;
  /** The body may be left out. */
  readonly bodyOptional?: true;
  /** What it makes, once for an Idempotency-Key. An import is idempotent by itself: what is on record is not added again. */
  readonly idempotent?: "answer" | "memory" | "key" | "webhook" | "anchor" | "import";
  /** A repeat changes nothing more, and needs no key: of any call, or of one that only closes gates. */
  readonly repeats?: "always" | "revokes";
}

type More = Partial<Omit<Place, "method" | "path" | "access">>;

/** A row with the method's usual limit. */
const row =
  <const M extends Method, const L extends RouteClass>(method: M, limit: L) =>
  <const P extends Path, const A extends Access, const R extends More = object>(path: P, access: A, more?: R) =>
    ({ method, path, access, limit, ...more }) as { method: M; path: P; access: A; limit: RouteClass } & Readonly<R>;

const get = row("GET", "read");
const post = row("POST", "write");
const put = row("PUT", "write");
const patch = row("PATCH", "write");
const remove = row("DELETE", "write");

const EVERY_ROLE = ["agent", "namespace-admin", "auditor"] as const;

/** When two paths match a request, the first one counts. */
export const paths = {
  chat: post("/api/chat", ["agent"], { limit: "answer", idempotent: "answer", streamPath: "/api/chat/stream" }),
  companion: post("/api/companion", ["agent"], {
    limit: "answer",
    idempotent: "answer",
    streamPath: "/api/companion/stream",
  }),
  recall: post("/api/recall", ["agent"], { limit: "answer", idempotent: "answer" }),
  explain: post("/api/explain", ["namespace-admin"], { limit: "answer", repeats: "always" }),
  learn: post("/api/conversations", ["agent"], { limit: "answer", idempotent: "answer" }),
  listProposals: get("/api/proposals", ["namespace-admin"], { hasQuery: true, lists: "proposals" }),
  acceptProposal: post("/api/proposals/{proposalId}/accept", ["namespace-admin"], {
    bodyOptional: true,
    repeats: "always",
  }),
  declineProposal: post("/api/proposals/{proposalId}/decline", ["namespace-admin"], {
    bodyOptional: true,
    repeats: "always",
  }),
  capture: post("/api/memories", ["agent"], { idempotent: "memory" }),
  listMemories: get("/api/memories", ["agent", "namespace-admin"], { hasQuery: true, lists: "memories" }),
  /** Results come as the facts are stored. A browser may refuse to send while it reads: give it a small Blob. */
  importMemories: post("/api/memories/import", ["agent"], { hasQuery: true, idempotent: "import" }),
  forgetMemories: post("/api/memories/forget", ["agent", "namespace-admin"]),
  forgetMemory: remove("/api/memories/{memoryId}", ["agent", "namespace-admin"], { hasQuery: true, repeats: "always" }),
  listUses: get("/api/memories/{memoryId}/uses", ["namespace-admin", "auditor"], { hasQuery: true, lists: "uses" }),
  getTombstone: get("/api/tombstones/{memoryId}", "public"),
  listNamespaces: get("/api/namespaces", EVERY_ROLE, { hasQuery: true, lists: "namespaces" }),
  getNamespace: get("/api/namespaces/{name}", EVERY_ROLE),
  putNamespace: put("/api/namespaces/{name}", ["namespace-admin"]),
  getByKey: get("/api/namespaces/{name}/keys/{key}", ["agent", "namespace-admin"], { hasQuery: true }),
  forgetByKey: remove("/api/namespaces/{name}/keys/{key}", ["agent", "namespace-admin"], { hasQuery: true }),
  updateMemory: patch("/api/memories/{memoryId}", ["namespace-admin"]),
  getMemory: get("/api/memories/{memoryId}", ["agent", "namespace-admin"]),
  getPolicy: get("/api/policy", EVERY_ROLE),
  setAccess: post("/api/policy", ["namespace-admin"], { repeats: "revokes" }),
  setAccessBatch: post("/api/policy/batch", ["namespace-admin"], { repeats: "revokes" }),
  listPolicyChanges: get("/api/policy/changes", ["namespace-admin", "auditor"], { hasQuery: true, lists: "changes" }),
  listReceipts: get("/api/receipts", ["agent", "auditor"], { hasQuery: true, lists: "receipts" }),
  getReceipt: get("/api/receipts/{answerId}", ["agent", "auditor"]),
  listBlocked: get("/api/receipts/{answerId}/blocked", ["agent", "auditor"]),
  getReceiptProof: get("/api/receipts/{answerId}/proof", ["agent", "auditor"]),
  getReceiptProofFile: get("/api/receipts/{answerId}/proof.tlog-proof", ["agent", "auditor"]),
  getLog: get("/api/log", ["auditor"]),
  /** Your entries in the log, by number. Ask again after the last one. */
  listLogEntries: get("/api/log/entries", ["auditor"], { hasQuery: true }),
  getLogConsistency: get("/api/log/consistency", "public", { hasQuery: true }),
  anchorReceipt: post("/api/anchor", ["agent"], { idempotent: "anchor" }),
  anchorOnChain: post("/api/anchor-chain", ["agent"], { idempotent: "anchor" }),
  /** The anchors that anyone may know of, by any id of theirs. Rejects with `not-found` when there are none. */
  findAnchors: get("/api/anchors/{id}", "public"),
  verify: get("/api/verify/{receiptId}", "public", { limit: "verify", hasQuery: true }),
  verifyWithOpening: post("/api/verify/{receiptId}", "public", { limit: "verify", hasQuery: true }),
  getLedger: get("/api/ledger", "public"),
  getTrustRoot: get("/.well-known/portcullis.json", "public"),
  ledgerObject: get("/api/ledger/objects/{objectId}", "public"),
  ledgerTransaction: get("/api/ledger/transactions/{digest}", "public"),
  ledgerTransactions: get("/api/ledger/transactions", ["auditor"], { hasQuery: true, lists: "transactions" }),
  getOverview: get("/api/overview", ["auditor"]),
  getReports: get("/api/reports", ["auditor"], { hasQuery: true }),
  getService: get("/api/service", "public"),
  getMetrics: get("/metrics", ["auditor", "operator"]),
  resetDemo: post("/api/reset", [], { bodyOptional: true }),
  listDecisions: get("/api/decisions", ["agent", "auditor"], { hasQuery: true, lists: "decisions" }),
  /** Events as they happen. Goes on by itself when a connection breaks. After `reset`, load anew what you show. */
  listenToEvents: get("/api/events", EVERY_ROLE),
  listWebhooks: get("/api/webhooks", ["namespace-admin"]),
  createWebhook: post("/api/webhooks", ["namespace-admin"], { idempotent: "webhook" }),
  removeWebhook: remove("/api/webhooks/{webhookId}", ["namespace-admin"], { repeats: "always" }),
  listDeliveries: get("/api/webhooks/{webhookId}/deliveries", ["namespace-admin"], {
    hasQuery: true,
    lists: "deliveries",
  }),
  /** The lines of an export as they come. The last one is the trailer. */
  exportRecords: get("/api/export", EVERY_ROLE, { hasQuery: true }),
  /** Sends an export, and gives the steps of its import. */
  importRecords: post("/api/import", [], { hasQuery: true, idempotent: "import" }),
  listKeys: get("/api/keys", ["operator"], { hasQuery: true, lists: "keys" }),
  createKey: post("/api/keys", ["operator"], { idempotent: "key" }),
  rotateKey: post("/api/keys/{keyId}/rotate", ["operator"], { idempotent: "key", bodyOptional: true }),
  revokeKey: remove("/api/keys/{keyId}", ["operator"], { limit: "never", repeats: "always" }),
  listTenants: get("/api/tenants", "operators", { hasQuery: true, lists: "tenants" }),
  createTenant: post("/api/tenants", "operators"),
  applyTemplate: post("/api/tenants/apply-template", "operators"),
  putTenant: put("/api/tenants/{tenantId}", "operators", { bodyOptional: true }),
  getTenant: get("/api/tenants/{tenantId}", "operators"),
  updateTenant: patch("/api/tenants/{tenantId}", "operators"),
  deleteTenant: remove("/api/tenants/{tenantId}", "operators", { limit: "never" }),
  listTemplates: get("/api/tenant-templates", "operators"),
  getTemplate: get("/api/tenant-templates/{template}", "operators"),
  putTemplate: put("/api/tenant-templates/{template}", "operators"),
  deleteTemplate: remove("/api/tenant-templates/{template}", "operators"),
  createTenantKey: post("/api/tenants/{tenantId}/keys", "operators", { idempotent: "key" }),
  getSession: get("/api/session", "public"),
  signIn: post("/api/session", "public", { limit: "sign-in" }),
  signOut: remove("/api/session", "public", { limit: "never" }),
} as const satisfies Record<string, Place>;

export type RouteName = keyof typeof paths;

/** Where the service speaks MCP. It is another protocol, so it is no row of the table. */
export const MCP_PATH = "/mcp";

/** Names the agent that an admin acts as, percent-encoded. The request then has that agent's rights and no others. */
export const AGENT_HEADER = "portcullis-agent";
/** Names the tenant to act in, for those who may act in several. */
export const TENANT_HEADER = "portcullis-tenant";
