// Where each route is: names, methods and paths alone. A page that only calls the API carries no schemas, so what it
// needs of the table stands here, and routes.ts adds the rest to each row.

interface Place {
  readonly method: "GET" | "POST";
  /** `{name}` stands for a parameter. */
  readonly path: `/api/${string}`;
}

export const paths = {
  chat: { method: "POST", path: "/api/chat" },
  companion: { method: "POST", path: "/api/companion" },
  capture: { method: "POST", path: "/api/memories" },
  listMemories: { method: "GET", path: "/api/memories" },
  getMemory: { method: "GET", path: "/api/memories/{memoryId}" },
  getPolicy: { method: "GET", path: "/api/policy" },
  setAccess: { method: "POST", path: "/api/policy" },
  listPolicyChanges: { method: "GET", path: "/api/policy/changes" },
  listReceipts: { method: "GET", path: "/api/receipts" },
  getReceipt: { method: "GET", path: "/api/receipts/{answerId}" },
  anchorReceipt: { method: "POST", path: "/api/anchor" },
  anchorOnChain: { method: "POST", path: "/api/anchor-chain" },
  verify: { method: "GET", path: "/api/verify/{receiptId}" },
  getLedger: { method: "GET", path: "/api/ledger" },
  ledgerObject: { method: "GET", path: "/api/ledger/objects/{objectId}" },
  ledgerTransaction: { method: "GET", path: "/api/ledger/transactions/{digest}" },
  ledgerTransactions: { method: "GET", path: "/api/ledger/transactions" },
  getOverview: { method: "GET", path: "/api/overview" },
  getService: { method: "GET", path: "/api/service" },
  resetDemo: { method: "POST", path: "/api/reset" },
} as const satisfies Record<string, Place>;

export type RouteName = keyof typeof paths;

/** The one route that is not JSON in, JSON out; import.ts has its schemas. */
export const IMPORT_PATH = "/api/memories/import";
