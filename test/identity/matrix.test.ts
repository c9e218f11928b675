// Who may call what: every row of the route table, for callers of every kind, on both databases. A row that is missing
// here does not compile.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RouteName } from "#contract/paths.ts";
import { type Route, routes } from "#contract/routes.ts";
import { formatApiKey, KEY_ID_BYTES, keyIdOf, SECRET_BYTES } from "#core/identity/credentials.ts";
import { AUDIENCE, type IssuerStandIn, startIssuer } from "#test/support/issuer-stand-in/issuer-stand-in.ts";
import { freshDatabase } from "#test/support/postgres/databases.ts";
import { type Answer, problemIn, send, sendForFirstPiece } from "#test/support/send.ts";
import { canaryOf, createWorld, KEY_HOLDERS, type KeyHolder, mayRead, NAMESPACES, type World } from "./world.ts";

/** A request to a row, and the status that it has for each kind of caller. */
interface Row {
  readonly params?: (world: World) => Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
  readonly expected: Readonly<Record<KeyHolder, number>>;
}

const only = (...allowed: readonly KeyHolder[]): Record<KeyHolder, number> => ({
  admin: 200,
  agent: 403,
  otherAgent: 403,
  namespaceAdmin: 403,
  auditor: 403,
  ...Object.fromEntries(allowed.map((holder) => [holder, 200])),
});
const everybody = only(...KEY_HOLDERS);
const nobody = { ...only(), admin: 403 };
/** What an operator may call, beside what is public, and the status of the row's request. */
const OPERATORS_MAY: Partial<Record<RouteName, number>> = {
  listKeys: 200,
  createKey: 400,
  rotateKey: 404,
  revokeKey: 404,
  getMetrics: 200,
  listTenants: 200,
  createTenant: 409,
  putTenant: 200,
  getTenant: 404,
  updateTenant: 404,
  deleteTenant: 403,
  createTenantKey: 404,
  applyTemplate: 404,
  listTemplates: 200,
  getTemplate: 404,
  putTemplate: 200,
  deleteTemplate: 404,
};
const agents = only("agent", "otherAgent");
const own = (status: number) => ({ ...agents, otherAgent: status });

const noProposal = () => ({ proposalId: `prop_${"0".repeat(26)}` });
const noWebhook = () => ({ webhookId: `hook_${"0".repeat(24)}` });

const MATRIX: Readonly<Record<RouteName, Row>> = {
  chat: { body: { agentId: "assistant", query: "What is the secret?" }, expected: own(403) },
  companion: { body: { query: "What is the secret?" }, expected: only() },
  recall: { body: { agentId: "assistant", query: "What is the secret?" }, expected: own(403) },
  explain: { body: { agentId: "assistant", query: "What is the secret?" }, expected: only("namespaceAdmin") },
  learn: {
    body: { agentId: "assistant", messages: [{ role: "user", content: "I like tea." }], namespaces: ["diet"] },
    expected: own(403),
  },
  listProposals: { expected: only("namespaceAdmin") },
  acceptProposal: { params: noProposal, expected: { ...only(), admin: 404, namespaceAdmin: 404 } },
  declineProposal: { params: noProposal, expected: { ...only(), admin: 404, namespaceAdmin: 404 } },
  capture: { body: { namespace: "diet", content: "Tea at five.", sourceAgent: "assistant" }, expected: own(403) },
  listMemories: { expected: only("agent", "otherAgent", "namespaceAdmin") },
  importMemories: { body: { namespace: "diet", content: "Tea at six.", sourceAgent: "assistant" }, expected: agents },
  forgetMemory: { params: () => ({ memoryId: "mem_unknown" }), expected: { ...statuses(404), auditor: 403 } },
  forgetMemories: {
    body: { namespace: "nowhere" },
    expected: only("agent", "otherAgent"),
  },
  listUses: {
    params: ({ memoryIds }) => ({ memoryId: memoryIds.diet }),
    expected: { ...only("auditor"), namespaceAdmin: 404 },
  },
  getTombstone: { params: () => ({ memoryId: "mem_unknown" }), expected: statuses(404) },
  listNamespaces: { expected: everybody },
  getNamespace: {
    params: () => ({ name: "garden" }),
    expected: { ...statuses(404), admin: 200, namespaceAdmin: 200, auditor: 200 },
  },
  putNamespace: { params: () => ({ name: "garden" }), body: { encrypted: false }, expected: only("namespaceAdmin") },
  getByKey: {
    params: () => ({ name: "diet", key: "none" }),
    query: "?sourceAgent=assistant",
    expected: { ...statuses(404), otherAgent: 403, auditor: 403 },
  },
  forgetByKey: {
    params: () => ({ name: "diet", key: "none" }),
    query: "?sourceAgent=assistant",
    expected: { ...statuses(404), otherAgent: 403, auditor: 403 },
  },
  updateMemory: {
    params: ({ memoryIds }) => ({ memoryId: memoryIds.garden }),
    body: { pinned: true },
    expected: only("namespaceAdmin"),
  },
  getMemory: {
    params: ({ memoryIds }) => ({ memoryId: memoryIds.diet }),
    expected: { ...own(404), namespaceAdmin: 404 },
  },
  getPolicy: { expected: everybody },
  setAccess: {
    body: { agentId: "somebody", namespace: "garden", allowed: false },
    expected: only("namespaceAdmin"),
  },
  setAccessBatch: {
    body: { rules: [{ agentId: "somebody", namespace: "garden", allowed: false }] },
    expected: only("namespaceAdmin"),
  },
  listPolicyChanges: { expected: only("namespaceAdmin", "auditor") },
  listReceipts: { expected: only("agent", "otherAgent", "auditor") },
  getReceipt: {
    params: ({ answerIds }) => ({ answerId: answerIds.agent }),
    expected: { ...own(404), auditor: 200 },
  },
  listBlocked: {
    params: ({ answerIds }) => ({ answerId: answerIds.agent }),
    expected: { ...own(404), auditor: 200 },
  },
  getReceiptProof: {
    params: ({ answerIds }) => ({ answerId: answerIds.agent }),
    expected: { ...own(404), auditor: 200 },
  },
  getReceiptProofFile: {
    params: ({ answerIds }) => ({ answerId: answerIds.agent }),
    expected: { ...own(404), auditor: 200 },
  },
  getLog: { expected: only("auditor") },
  listLogEntries: { expected: only("auditor") },
  getLogConsistency: { query: "?from=0&to=0", expected: everybody },
  anchorReceipt: { body: ({ answerIds }: World) => ({ answerId: answerIds.agent }), expected: own(404) },
  anchorOnChain: { body: ({ answerIds }: World) => ({ answerId: answerIds.agent }), expected: own(404) },
  findAnchors: { params: () => ({ id: "ans_unknown" }), expected: statuses(404) },
  verify: { params: () => ({ receiptId: "0x1" }), expected: everybody },
  verifyWithOpening: {
    params: () => ({ receiptId: "0x1" }),
    body: { opening: { v: 2, seed: "00".repeat(32) } },
    expected: everybody,
  },
  getLedger: { expected: everybody },
  ledgerObject: { params: () => ({ objectId: "0x1" }), expected: { ...statuses(404) } },
  ledgerTransaction: { params: () => ({ digest: "1".repeat(44) }), expected: { ...statuses(404) } },
  ledgerTransactions: { expected: only("auditor") },
  getOverview: { expected: only("auditor") },
  getReports: { expected: only("auditor") },
  getService: { expected: everybody },
  getTrustRoot: { expected: everybody },
  getMetrics: { expected: only("auditor") },
  // Off with identities, for admins too.
  resetDemo: { expected: statuses(403) },
  listDecisions: { expected: only("agent", "otherAgent", "auditor") },
  listenToEvents: { expected: everybody },
  listWebhooks: { expected: only("namespaceAdmin") },
  createWebhook: { body: { url: "https://example.com/hook" }, expected: only("namespaceAdmin") },
  removeWebhook: { params: noWebhook, expected: { ...only(), admin: 404, namespaceAdmin: 404 } },
  listDeliveries: { params: noWebhook, expected: { ...only(), admin: 404, namespaceAdmin: 404 } },
  exportRecords: { expected: everybody },
  importRecords: { body: {}, expected: { ...only(), admin: 415 } },
  listKeys: { expected: only() },
  createKey: { body: { name: "another", role: "auditor" }, expected: only() },
  rotateKey: { params: noKey, expected: { ...only(), admin: 404 } },
  revokeKey: { params: noKey, expected: { ...only(), admin: 404 } },
  getSession: { expected: everybody },
  signIn: { body: ({ keys }: World) => ({ key: keys.auditor }), expected: everybody },
  signOut: { expected: everybody },
  listTenants: { expected: nobody },
  createTenant: { body: { id: "default" }, expected: nobody },
  putTenant: { params: () => ({ tenantId: "default" }), expected: nobody },
  getTenant: { params: () => ({ tenantId: "nobody" }), expected: nobody },
  updateTenant: {
    params: () => ({ tenantId: "nobody" }),
    body: { suspended: true },
    expected: nobody,
  },
  deleteTenant: { params: () => ({ tenantId: "default" }), expected: nobody },
  applyTemplate: { body: { template: "none" }, expected: nobody },
  listTemplates: { expected: nobody },
  getTemplate: { params: () => ({ template: "none" }), expected: nobody },
  putTemplate: { params: () => ({ template: "some" }), body: {}, expected: nobody },
  deleteTemplate: { params: () => ({ template: "none" }), expected: nobody },
  createTenantKey: {
    params: () => ({ tenantId: "nobody" }),
    body: { name: "first admin" },
    expected: nobody,
  },
};

function noKey(): Readonly<Record<string, string>> {
  return { keyId: "key_00000000000" };
}

function statuses(status: number): Record<KeyHolder, number> {
  return Object.fromEntries(KEY_HOLDERS.map((holder) => [holder, status])) as Record<KeyHolder, number>;
}

describe.for(["sqlite", "postgres"] as const)("With identities, on %s,", (kind) => {
  let world: World;
  let issuer: IssuerStandIn;
  let tokens: Awaited<ReturnType<typeof signTokens>>;
  let drop: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    const database = kind === "postgres" ? await freshDatabase() : undefined;
    drop = database?.drop;
    issuer = await startIssuer();
    tokens = await signTokens(issuer);
    const environment = { AUTH_ISSUER: issuer.issuer, AUTH_AUDIENCE: AUDIENCE };
    world = await createWorld({ environment, ...(database && { database: database.url }) });
  });
  afterAll(async () => {
    await world.service.stop();
    await issuer.stop();
    await drop?.();
  });

  const call = async (name: RouteName, authorization: string | undefined): Promise<Answer> => {
    const answer = await ask(name, authorization);
    // Operators alone are told which tenants there are.
    if (authorization !== `Bearer ${world.operator}`) expect(world.second.tracesIn(answer.text)).toEqual([]);
    expect(answer.text).not.toContain(world.second.textCanary);
    return answer;
  };
  const ask = (name: RouteName, authorization: string | undefined): Promise<Answer> => {
    const { params, query = "", body }: Row = MATRIX[name];
    const { method, path, ndjson, streams }: Route = routes[name];
    const filled = Object.entries(params?.(world) ?? {}).reduce<string>(
      (at, [key, value]) => at.replace(`{${key}}`, value),
      path,
    );
    const sent = typeof body === "function" ? body(world) : body;
    const read = streams === "events" ? sendForFirstPiece : send;
    return read(`${world.service.url}${filled}${query}`, {
      method,
      headers: {
        ...(authorization !== undefined && { authorization }),
        ...(sent !== undefined && { "content-type": ndjson ? "application/x-ndjson" : "application/json" }),
      },
      ...(sent !== undefined && { body: JSON.stringify(sent) + (ndjson ? "\n" : "") }),
    });
  };

  test.for(Object.keys(MATRIX) as RouteName[])(
    "%s is open to an operator if it is public or about tenants",
    async (name) => {
      const { status, text } = await call(name, `Bearer ${world.operator}`);
      const expected = OPERATORS_MAY[name] ?? (routes[name].access === "public" ? MATRIX[name].expected.auditor : 403);
      expect(status, text).toBe(expected);
      for (const namespace of NAMESPACES) expect(text).not.toContain(canaryOf(namespace));
    },
  );

  describe.for(Object.keys(MATRIX) as RouteName[])("%s", (name) => {
    test.for([...KEY_HOLDERS])("answers %s as the matrix says", async (holder) => {
      const { status, text } = await call(name, `Bearer ${world.keys[holder]}`);
      expect(status, text).toBe(MATRIX[name].expected[holder]);
      for (const namespace of NAMESPACES)
        if (!mayRead(holder, namespace)) expect(text).not.toContain(canaryOf(namespace));
    });

    test("is for somebody who says who they are, unless it is public", async () => {
      const answer = await call(name, undefined);
      if (routes[name].access === "public") return expect(answer.status).not.toBe(401);
      expect(answer.status).toBe(401);
      expect(problemIn(answer).code).toBe("unauthenticated");
      expect(answer.headers["www-authenticate"]).toMatch(/^Bearer/);
    });

    test.for(["malformed", "unknown", "revoked", "expired", "basic"] as const)(
      "refuses a key that is %s",
      async (fault) => {
        const { admin, revoked, expired } = world.keys;
        const wrong = {
          malformed: `Bearer ${admin.slice(0, -1)}`,
          // Well-formed, with a checksum that fits, and of another service.
          unknown: `Bearer ${formatApiKey(keyIdOf(randomBytes(KEY_ID_BYTES)), randomBytes(SECRET_BYTES))}`,
          revoked: `Bearer ${revoked}`,
          expired: `Bearer ${expired}`,
          basic: `Basic ${btoa(`admin:${admin}`)}`,
        };
        const answer = await call(name, wrong[fault]);
        expect(answer.status, answer.text).toBe(401);
        for (const namespace of NAMESPACES) expect(answer.text).not.toContain(canaryOf(namespace));
      },
    );

    test.for([
      ["without a role", 403],
      ["for another audience", 401],
      ["of another issuer", 401],
      ["whose time is over", 401],
      ["signed with a shared secret", 401],
    ] as const)("refuses a token %s", async ([fault, status]) => {
      const answer = await call(name, `Bearer ${tokens[fault]}`);
      expect(answer.status, answer.text).toBe(status);
      for (const namespace of NAMESPACES) expect(answer.text).not.toContain(canaryOf(namespace));
    });

    test("takes a token of the identity provider as it takes a key of the same role", async () => {
      const { status, text } = await call(name, `Bearer ${tokens["of the other agent"]}`);
      expect(status, text).toBe(MATRIX[name].expected.otherAgent);
    });
  });
});

/** Once for all rows: to sign a token takes longer than to refuse it. They are good for longer than all rows take. */
async function signTokens(issuer: IssuerStandIn) {
  const exp = Math.floor(Date.now() / 1_000) + 3_600;
  const sign = (claims: object, options?: Parameters<IssuerStandIn["token"]>[1]) =>
    issuer.token({ exp, portcullis_role: "admin", ...claims }, options);
  return {
    "without a role": await sign({ portcullis_role: undefined }),
    "for another audience": await sign({ aud: "another" }),
    "of another issuer": await sign({ iss: "http://127.0.0.1:1/" }),
    "whose time is over": await sign(anHourAgo()),
    "signed with a shared secret": await sign({}, { key: new Uint8Array(32), header: { alg: "HS256" } }),
    "of the other agent": await sign({ portcullis_role: "agent", portcullis_agent: "planner" }),
  };
}

function anHourAgo() {
  const now = Math.floor(Date.now() / 1_000);
  return { iat: now - 3_600, exp: now - 60 };
}
