// Stuck readers of each route with long replies, and what they cost the service and others. Each route is asked for on a
// service that was just started, so that memory which the one before has left behind is not counted.
import { createClient } from "#contract/client/client.ts";
import { fetchWithoutKeepAlive } from "#test/support/fetch-without-keep-alive.ts";
import type { ReadersWorld, ServiceOfReaders } from "./readers-world.ts";
import { residentMb, type StuckRequest, stickReaders } from "./stuck-readers.ts";

const MOST_MB = 300;
/** On a busy machine, admission control may tell anybody to try again. The client does. */
const RETRIES = 10;

const NDJSON = "application/x-ndjson";
const FACTS = Array.from(
  { length: 200 },
  (_, i) => `${JSON.stringify({ namespace: "diet", content: `Fact ${i}.` })}\n`,
);
const JSON_TYPE = { "content-type": "application/json" };

interface LongReply extends Omit<StuckRequest, "body"> {
  readonly body?: (agentId: string) => string;
  /** Asked for with an agent's key; others with an admin's. */
  readonly isForAgents?: boolean;
}

const ROUTES = {
  listDecisions: { path: "/api/decisions", headers: { accept: NDJSON }, isForAgents: true },
  "listDecisions, a page": { path: "/api/decisions?limit=200", isForAgents: true },
  exportRecords: { path: "/api/export", isForAgents: true },
  listMemories: { path: "/api/memories", isForAgents: true },
  "listMemories, a page": { path: "/api/memories?limit=200", isForAgents: true },
  importMemories: {
    method: "POST",
    path: "/api/memories/import",
    headers: { "content-type": NDJSON },
    body: () => FACTS.join(""),
    isForAgents: true,
  },
  recall: {
    method: "POST",
    path: "/api/recall",
    headers: JSON_TYPE,
    body: (agentId) => JSON.stringify({ agentId, query: "apples" }),
    isForAgents: true,
  },
  chat: {
    method: "POST",
    path: "/api/chat",
    headers: { ...JSON_TYPE, accept: "text/event-stream" },
    body: (agentId) => JSON.stringify({ agentId, query: "apples" }),
    isForAgents: true,
  },
  listenToEvents: { path: "/api/events", headers: { accept: "text/event-stream" }, isForAgents: true },
  getPolicy: { path: "/api/policy" },
  listPolicyChanges: { path: "/api/policy/changes?limit=200" },
  getMetrics: { path: "/metrics" },
  "openapi.json": { path: "/openapi.json" },
} as const satisfies Record<string, LongReply>;

export type StuckRoute = keyof typeof ROUTES;
const STUCK_ROUTES = Object.keys(ROUTES) as StuckRoute[];

interface TrialOptions {
  readonly readers: number;
  /** How many keys they share. 0: they have none. */
  readonly keys: number;
  readonly routes?: readonly StuckRoute[] | undefined;
  readonly onProgress?: (route: StuckRoute) => void;
}

export interface Reading {
  readonly route: StuckRoute;
  readonly statuses: ReadonlyMap<number, number>;
  /** How much more memory the service has than before, in MB. */
  readonly grownMb: number;
  readonly answerMs: number;
  readonly revokeMs: number;
  readonly violations: readonly string[];
}

export async function trialOfReaders(world: ReadersWorld, options: TrialOptions): Promise<readonly Reading[]> {
  const readings: Reading[] = [];
  for (const route of options.routes ?? STUCK_ROUTES) {
    options.onProgress?.(route);
    const service = await world.start({ hasKeys: options.keys > 0 });
    readings.push(await read({ ...world, ...service }, options, route).finally(() => service.kill("SIGKILL")));
  }
  return readings;
}

type Running = ReadersWorld & ServiceOfReaders;

async function read(world: Running, { readers, keys }: TrialOptions, route: StuckRoute): Promise<Reading> {
  await serveOthers(world, keys > 0);
  const beforeMb = residentMb(world.pid);
  const { body, isForAgents = false, ...request }: LongReply = ROUTES[route];
  const requests = Array.from({ length: readers }, (_, i): StuckRequest => {
    const agent = i % Math.max(1, keys);
    const bearer = isForAgents ? world.keys[agent] : world.adminKey;
    const headers = { ...request.headers, ...(keys > 0 && { authorization: `Bearer ${bearer}` }) };
    return { ...request, headers, ...(body && { body: body(`reader-${agent}`) }) };
  });
  const stuck = await stickReaders(world.url, requests);
  try {
    const violations: string[] = [];
    const others = await serveOthers(world, keys > 0).catch((error: unknown) => {
      violations.push(`${route}: another caller was not served: ${error}`);
    });
    const grownMb = Math.round(residentMb(world.pid) - beforeMb);
    if (grownMb > MOST_MB) violations.push(`${route}: ${readers} stuck readers cost ${grownMb} MB`);
    return { route, statuses: stuck.statuses, grownMb, answerMs: 0, revokeMs: 0, ...others, violations };
  } finally {
    stuck.hangUp();
  }
}

/** An answer and a stream for another agent, and a revoke, which is never told to wait. */
async function serveOthers({ url, otherKey, adminKey }: Running, hasKeys: boolean) {
  const as = (bearer: string) =>
    createClient({ baseUrl: url, fetch: fetchWithoutKeepAlive, retries: RETRIES, ...(hasKeys && { bearer }) });
  const revoke = async () => {
    const began = performance.now();
    await as(adminKey).setAccess({ agentId: "other", namespace: "finance", allowed: false });
    return Math.round(performance.now() - began);
  };
  const answer = async () => {
    const began = performance.now();
    await as(otherKey).chat({ agentId: "other", query: "What about dinner?" });
    await as(otherKey).listMemories();
    return Math.round(performance.now() - began);
  };
  return { revokeMs: await revoke(), answerMs: await answer() };
}
