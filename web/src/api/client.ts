// The typed client of the service, and the cache of what it answered (TanStack Query).
import { QueryClient } from "@tanstack/react-query";
import { createClient } from "#contract/client/client.ts";
import { withHeaders } from "#contract/client/send-request.ts";
import { EVENT_STREAM_TYPE } from "#contract/media-types.ts";
import { ProblemError } from "#contract/problem.ts";
import { BASE_PATH } from "#web/lib/address.ts";
import { fetchOrTakeEarly } from "#web/lib/early-requests.ts";
import {
  callerSignal,
  sessionEnded,
  tenantHeaders,
  untilNobodyLeaves,
  whenCallerChanges,
} from "#web/session/session.ts";

export const client = createClient({ baseUrl: BASE_PATH, fetch: fetchInTenant });
/** For what operators do, which belongs to no tenant, whichever was chosen. */
export const operatorClient = createClient({ baseUrl: BASE_PATH, fetch: fetchForCaller });

/** In the tenant that the caller chose, if any. */
export function fetchInTenant(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  return withHeaders(fetchForCaller, tenantHeaders())(input, init);
}

/** Ends with the caller who sent it. A 401 means that the caller's session is over. */
async function fetchForCaller(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const caller = callerSignal();
  await untilNobodyLeaves();
  const signal = init.signal == null ? caller : AbortSignal.any([caller, init.signal]);
  const response = await fetchOrTakeEarly(input, { ...init, signal });
  if (response.status === 401 && !caller.aborted) sessionEnded();
  if (init.method === "POST" && response.headers.get("content-type") === EVENT_STREAM_TYPE) endQuietly(response);
  return response;
}

const STALE_MS = 5_000;
const RETRIES = 1;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_MS,
      // A problem is the service's answer: a retry would bring the same one.
      retry: (failures, error) => !(error instanceof ProblemError) && failures < RETRIES,
    },
    // A change fails at once while the browser is offline. It is not kept to be sent later, when it may not be wanted.
    mutations: { networkMode: "always" },
  },
});

whenCallerChanges(() => queryClient.clear());

/** The first element names the resource, so that one call invalidates every page and filter of it. */
export const queryKeys = {
  policy: ["policy"],
  policyChanges: ["policy-changes"],
  memories: ["memories"],
  namespaces: ["namespaces"],
  receipts: ["receipts"],
  decisions: ["decisions"],
  reports: ["reports"],
  overview: ["overview"],
  service: ["service"],
  ledger: ["ledger"],
  keys: ["keys"],
  proposals: ["proposals"],
  webhooks: ["webhooks"],
  tenants: ["tenants"],
} as const;

export type Resource = keyof typeof queryKeys;

/** Marks cached answers as stale, after a change that they do not show yet. */
export function invalidate(...resources: readonly Resource[]): void {
  void refetch(...resources);
}

/** The same. Resolves when what is shown has been fetched again. */
export async function refetch(...resources: readonly Resource[]): Promise<void> {
  await Promise.all(resources.map((name) => queryClient.invalidateQueries({ queryKey: queryKeys[name] })));
}

/**
 * Chromium's network panel shows a body that a reader reads to its end as a cancelled request. It does not if a copy of
 * the body is read whole.
 */
export function endQuietly(response: Response): void {
  response
    .clone()
    .arrayBuffer()
    .catch(() => undefined);
}

/** The service has nothing of this id for the caller. It answers 400 for a text that cannot be an id. */
export const isUnknown = (error: unknown): boolean =>
  error instanceof ProblemError && (error.status === 404 || error.status === 400);
