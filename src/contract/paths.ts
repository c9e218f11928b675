// The routes of the API without their schemas: name, method, path, who may call each, and which limit counts it.
// routes.ts adds the rest to each row. The client has a function for each row, with the comment that stands here. A page
// that only calls the API imports this file and carries no schemas.
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
  /**
   * What it makes. A request with an Idempotency-Key makes it once. Every POST that makes something has this. An import
   * takes the header, and is idempotent by itself: a fact that is on record is not added again.
   */
  readonly idempotent?: "answer" | "memory" | "key" | "anchor" | "import";
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

const OPERATORS = "operators" as const;
const ADMINS = [] as const;
const ADMINS_AND_OPERATORS = ["operator"] as const;
const AGENTS = ["agent"] as const;
const AUDITORS = ["auditor"] as const;
const AUDITORS_AND_OPERATORS = ["auditor", "operator"] as const;
const NAMESPACE_ADMINS = ["namespace-admin"] as const;
const AGENTS_AND_AUDITORS = ["agent", "auditor"] as const;
const AGENTS_AND_NAMESPACE_ADMINS = ["agent", "namespace-admin"] as const;
const NAMESPACE_ADMINS_AND_AUDITORS = ["namespace-admin", "auditor"] as const;
const EVERY_ROLE = ["agent", "namespace-admin", "auditor"] as const;

/** When two paths match a request, the first one counts. */
export const paths = {
  /** Asks as an agent. The gate runs first; the answer comes with its receipt. */
  chat: post("/api/chat", AGENTS, { limit: "answer", idempotent: "answer", streamPath: "/api/chat/stream" }),
  /** Asks the health companion. Its answer says so when a namespace was closed to it. */
  companion: post("/api/companion", AGENTS, {
    limit: "answer",
    idempotent: "answer",
    streamPath: "/api/companion/stream",
  }),
  /** The memories that an agent may use for a question, best first, for your own model. Always on record. */
  recall: post("/api/recall", AGENTS, { limit: "answer", idempotent: "answer" }),
  /** What an agent would be given for a question, and why; and why not the rest. Nothing is put on record but the decision. */
  explain: post("/api/explain", NAMESPACE_ADMINS, { limit: "answer", repeats: "always" }),
  /** Facts out of a conversation: proposed, kept for review, or stored. The gate runs first; what went to the model is on record. */
  learn: post("/api/conversations", AGENTS, { limit: "answer", idempotent: "answer" }),
  /** Proposals that wait in namespaces that you govern, newest first. */
  listProposals: get("/api/proposals", NAMESPACE_ADMINS, { hasQuery: true, lists: "proposals" }),
  /** Stores a proposal as a memory of its agent, as it is or edited. A repeat gets the same memory. */
  acceptProposal: post("/api/proposals/{proposalId}/accept", NAMESPACE_ADMINS, {
    bodyOptional: true,
    repeats: "always",
  }),
  /** Declines a proposal. Its text is gone. */
  declineProposal: post("/api/proposals/{proposalId}/decline", NAMESPACE_ADMINS, {
    bodyOptional: true,
    repeats: "always",
  }),
  /** Stores a fact and remembers it. */
  capture: post("/api/memories", AGENTS, { idempotent: "memory" }),
  /** Memories, newest first. Without any parameter all of them come at once. */
  listMemories: get("/api/memories", AGENTS_AND_NAMESPACE_ADMINS, { hasQuery: true, lists: "memories" }),
  /** Results come as the facts are stored. A browser may refuse to send while it reads: give it a small Blob. */
  importMemories: post("/api/memories/import", AGENTS, { hasQuery: true, idempotent: "import" }),
  /** Forgets many memories, up to 2,000 a call. Call again with `nextCursor` while there is one. */
  forgetMemories: post("/api/memories/forget", AGENTS_AND_NAMESPACE_ADMINS),
  /** Forgets a memory. Final when it is answered. */
  forgetMemory: remove("/api/memories/{memoryId}", AGENTS_AND_NAMESPACE_ADMINS, { hasQuery: true, repeats: "always" }),
  /** The answers that were given a memory, newest first. */
  listUses: get("/api/memories/{memoryId}/uses", NAMESPACE_ADMINS_AND_AUDITORS, { hasQuery: true, lists: "uses" }),
  /** The signed tombstone of a forgotten memory. */
  getTombstone: get("/api/tombstones/{memoryId}", "public"),
  /** Namespaces that have memories or settings, by name. */
  listNamespaces: get("/api/namespaces", EVERY_ROLE, { hasQuery: true, lists: "namespaces" }),
  /** One namespace. */
  getNamespace: get("/api/namespaces/{name}", EVERY_ROLE),
  /** Says what a namespace is for, how long its memories are kept, and whether they are encrypted. */
  putNamespace: put("/api/namespaces/{name}", NAMESPACE_ADMINS),
  /** The memory that its source agent captured under a key. */
  getByKey: get("/api/namespaces/{name}/keys/{key}", AGENTS_AND_NAMESPACE_ADMINS, { hasQuery: true }),
  /** Forgets the memory under a key. */
  forgetByKey: remove("/api/namespaces/{name}/keys/{key}", AGENTS_AND_NAMESPACE_ADMINS, { hasQuery: true }),
  /** Pins or unpins a memory. */
  updateMemory: patch("/api/memories/{memoryId}", NAMESPACE_ADMINS),
  /** One memory. */
  getMemory: get("/api/memories/{memoryId}", AGENTS_AND_NAMESPACE_ADMINS),
  /** The policy and its version. */
  getPolicy: get("/api/policy", EVERY_ROLE),
  /** Allows or revokes an agent's use of a namespace, or removes the rule. */
  setAccess: post("/api/policy", NAMESPACE_ADMINS, { repeats: "revokes" }),
  /** Sets up to 1,000 rules of the policy as one change: all of them, or none. */
  setAccessBatch: post("/api/policy/batch", NAMESPACE_ADMINS, { repeats: "revokes" }),
  /** The changes of the policy, newest first. */
  listPolicyChanges: get("/api/policy/changes", NAMESPACE_ADMINS_AND_AUDITORS, { hasQuery: true, lists: "changes" }),
  /** The receipts on record, newest first, with their anchors. */
  listReceipts: get("/api/receipts", AGENTS_AND_AUDITORS, { hasQuery: true, lists: "receipts" }),
  /** One receipt on record, with its anchors. */
  getReceipt: get("/api/receipts/{answerId}", AGENTS_AND_AUDITORS),
  /** All namespaces that were blocked for an answer. */
  listBlocked: get("/api/receipts/{answerId}/blocked", AGENTS_AND_AUDITORS),
  /** That the receipt is in the transparency log. */
  getReceiptProof: get("/api/receipts/{answerId}/proof", AGENTS_AND_AUDITORS),
  /** The same as a file, for other programs. */
  getReceiptProofFile: get("/api/receipts/{answerId}/proof.tlog-proof", AGENTS_AND_AUDITORS),
  /** The transparency log, and where your entries end in it. */
  getLog: get("/api/log", AUDITORS),
  /** Your entries in the log, by number. Ask again after the last one. */
  listLogEntries: get("/api/log/entries", AUDITORS, { hasQuery: true }),
  /** That one tree of the log is the beginning of another. */
  getLogConsistency: get("/api/log/consistency", "public", { hasQuery: true }),
  /** Stores a receipt as a blob. */
  anchorReceipt: post("/api/anchor", AGENTS, { idempotent: "anchor" }),
  /** Stores a receipt as a blob and records its digest on the ledger. */
  anchorOnChain: post("/api/anchor-chain", AGENTS, { idempotent: "anchor" }),
  /** The anchors that anyone may know of, by any id of theirs. Rejects with `not-found` when there are none. */
  findAnchors: get("/api/anchors/{id}", "public"),
  /** Verifies an anchored receipt, as the service sees it. */
  verify: get("/api/verify/{receiptId}", "public", { limit: "verify", hasQuery: true }),
  /** The same with an opening, which the service then knows. */
  verifyWithOpening: post("/api/verify/{receiptId}", "public", { limit: "verify", hasQuery: true }),
  /** The ledger's network and package, for a verifier. */
  getLedger: get("/api/ledger", "public"),
  /** The keys that sign receipts, and where anchors are recorded, as the operator says: what a verifier may trust. */
  getTrustRoot: get("/.well-known/portcullis.json", "public"),
  /** An object of the local ledger, decoded and as BCS. */
  ledgerObject: get("/api/ledger/objects/{objectId}", "public"),
  /** A transaction of the local ledger, decoded and as BCS. */
  ledgerTransaction: get("/api/ledger/transactions/{digest}", "public"),
  /** The local ledger's transactions, newest first. */
  ledgerTransactions: get("/api/ledger/transactions", AUDITORS, { hasQuery: true, lists: "transactions" }),
  /** Counts of memories, answers and anchors. */
  getOverview: get("/api/overview", AUDITORS),
  /** Accesses prevented, time from revoke to in force, share of answers on the ledger, gates never used. */
  getReports: get("/api/reports", AUDITORS, { hasQuery: true }),
  /** The version of the service, and what it runs on. */
  getService: get("/api/service", "public"),
  /** Metrics of one process, in the text format of Prometheus. */
  getMetrics: get("/metrics", AUDITORS_AND_OPERATORS),
  /** Restores the seed memories and the default policy. Receipts and anchors stay. */
  resetDemo: post("/api/reset", ADMINS, { bodyOptional: true }),
  /** The decision log, newest first. */
  listDecisions: get("/api/decisions", AGENTS_AND_AUDITORS, { hasQuery: true, lists: "decisions" }),
  /** Events as they happen. Goes on by itself when a connection breaks. After `reset`, load anew what you show. */
  listenToEvents: get("/api/events", EVERY_ROLE),
  /** The webhooks: all for an admin, its own for the admin of namespaces. */
  listWebhooks: get("/api/webhooks", NAMESPACE_ADMINS),
  /** Sends events to a URL from now on, signed. The secret is shown this once. */
  createWebhook: post("/api/webhooks", NAMESPACE_ADMINS, { idempotent: "key" }),
  /** Ends a webhook. Nothing is sent any more, but for what is under way. */
  removeWebhook: remove("/api/webhooks/{webhookId}", NAMESPACE_ADMINS, { repeats: "always" }),
  /** The last deliveries of a webhook, newest first. */
  listDeliveries: get("/api/webhooks/{webhookId}/deliveries", NAMESPACE_ADMINS, {
    hasQuery: true,
    lists: "deliveries",
  }),
  /** The lines of an export as they come. The last one is the trailer. */
  exportRecords: get("/api/export", EVERY_ROLE, { hasQuery: true }),
  /** Sends an export, and gives the steps of its import. */
  importRecords: post("/api/import", ADMINS, { hasQuery: true, idempotent: "import" }),
  /** The keys of callers, newest first. Never the keys themselves. An operator's are those of the deployment. */
  listKeys: get("/api/keys", ADMINS_AND_OPERATORS, { hasQuery: true, lists: "keys" }),
  /** Makes a key. It is shown this once. */
  createKey: post("/api/keys", ADMINS_AND_OPERATORS, { idempotent: "key" }),
  /** Gives a key another secret. The old one ends at once, or after the grace period. */
  rotateKey: post("/api/keys/{keyId}/rotate", ADMINS_AND_OPERATORS, { idempotent: "key", bodyOptional: true }),
  /** Ends a key, its sessions and its streams. */
  revokeKey: remove("/api/keys/{keyId}", ADMINS_AND_OPERATORS, { limit: "never", repeats: "always" }),
  /** The tenants, oldest first. */
  listTenants: get("/api/tenants", OPERATORS, { hasQuery: true, lists: "tenants" }),
  /** Makes a tenant. */
  createTenant: post("/api/tenants", OPERATORS),
  /** Brings the tenants that were made from a template to its newest version, in the background. */
  applyTemplate: post("/api/tenants/apply-template", OPERATORS),
  /** Makes a tenant unless there is one of this id. */
  putTenant: put("/api/tenants/{tenantId}", OPERATORS, { bodyOptional: true }),
  /** One tenant, with counts. */
  getTenant: get("/api/tenants/{tenantId}", OPERATORS),
  /** Suspends or resumes a tenant. */
  updateTenant: patch("/api/tenants/{tenantId}", OPERATORS),
  /** Deletes a tenant. From the answer on nobody may act in it. Its records are removed in the background. */
  deleteTenant: remove("/api/tenants/{tenantId}", OPERATORS, { limit: "never" }),
  /** The names of the templates. */
  listTemplates: get("/api/tenant-templates", OPERATORS),
  /** What tenants are made from, and how many have its newest version. */
  getTemplate: get("/api/tenant-templates/{template}", OPERATORS),
  /** Makes or changes a template. */
  putTemplate: put("/api/tenant-templates/{template}", OPERATORS),
  /** Removes a template. Tenants that were made from it stay. */
  deleteTemplate: remove("/api/tenant-templates/{template}", OPERATORS),
  /** Makes a key of an admin of the tenant. It is shown this once. */
  createTenantKey: post("/api/tenants/{tenantId}/keys", OPERATORS, { idempotent: "key" }),
  /** Who you are. */
  getSession: get("/api/session", "public"),
  /** Begins a session of the app with a key, for a page of the service itself. */
  signIn: post("/api/session", "public", { limit: "sign-in" }),
  /** Ends the session of the cookie. */
  signOut: remove("/api/session", "public", { limit: "never" }),
} as const satisfies Record<string, Place>;

export type RouteName = keyof typeof paths;

/** Where the service speaks MCP. It is another protocol, so it is no row of the table. */
export const MCP_PATH = "/mcp";

/**
 * Names the agent that an admin acts as, percent-encoded. The request then has that agent's rights and no others: what the
 * gate blocks for the agent does not exist for it. An agent's own key needs no such header.
 */
export const AGENT_HEADER = "portcullis-agent";
/** Names the tenant to act in, for those who may act in several. */
export const TENANT_HEADER = "portcullis-tenant";
