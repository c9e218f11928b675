// Brings what is shown up to date with events. A gate moves at once; everything else is fetched again in batches.
import { useEffect } from "react";
import { coalesce } from "#async/coalesce.ts";
import type { FeedEvent } from "#contract/client/event-feed.ts";
import { pause } from "#contract/client/send-request.ts";
import { isAllowed, type VersionedPolicy, withRule } from "#core/gate/policy.ts";
import { markForgotten, markSuperseded } from "#web/memory/listed-memory.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { useSessionState } from "#web/session/session.ts";
import { client, queryClient, queryKeys, type Resource, refetch } from "./client.ts";
import { policyQuery } from "./queries.ts";
import { followFeed } from "./shared-feed.ts";
import { resetCursorPages } from "./use-cursor-pages.ts";

/**
 * What is fetched again after an event. Lists of memories keep their places, and mark what is gone. Reports are of weeks,
 * and cost the service a scan of them: an answer alone is no reason to make one again.
 */
const CONCERNED: Readonly<Record<FeedEvent["name"], readonly Resource[]>> = {
  "policy-changed": ["policyChanges", "overview", "decisions", "reports"],
  "memory-captured": ["namespaces", "overview", "decisions"],
  "memory-forgotten": ["namespaces", "overview", "decisions", "receipts"],
  "memory-superseded": ["overview", "decisions"],
  "proposal-waiting": [],
  "proposal-accepted": ["decisions"],
  "proposal-declined": ["decisions"],
  "receipt-begun": ["decisions"],
  "receipt-issued": ["receipts", "overview", "decisions"],
  "receipt-broken-off": ["receipts", "overview", "decisions"],
  "receipt-anchored": ["receipts", "overview", "ledger", "decisions"],
  reset: [],
};

/** Many events may come at once: an import, a busy service. */
const PAUSE_MS = 250;

function createEventApplier(signal: AbortSignal, mayReadChanges: boolean) {
  let concerned = new Set<Resource>();
  let forgotten = new Set<string>();
  let superseded = new Map<string, string>();

  const flush = coalesce(async () => {
    // What comes in the meantime belongs to this batch.
    await pause(PAUSE_MS, signal);
    if (signal.aborted) return;
    const batch = [...concerned];
    markForgotten(new Map([...forgotten].map((memoryId) => [memoryId, {}])));
    markSuperseded(superseded);
    [concerned, forgotten, superseded] = [new Set(), new Set(), new Map()];
    await refetch(...batch);
  });
  const refetchPolicy = coalesce(() => refetch("policy"));
  const reloadPolicy = () => void refetchPolicy();

  async function isPolicyNewest(): Promise<boolean> {
    // A large policy is not read twice for nothing.
    if (!mayReadChanges) return false;
    const { changes } = await client.listPolicyChanges({ limit: 1 }, { signal });
    // Joins the request for the policy that is under way.
    const { version } = await queryClient.fetchQuery({ ...policyQuery, staleTime: Number.POSITIVE_INFINITY });
    return version === changes[0]?.version;
  }

  function checkPolicy(): void {
    if (queryClient.getQueryState(queryKeys.policy) === undefined) return;
    isPolicyNewest().then((isNewest) => isNewest || reloadPolicy(), reloadPolicy);
  }

  function reloadAll(): void {
    // The set-up of the service does not change while it runs.
    void queryClient.invalidateQueries({ predicate: ({ queryKey: [name] }) => name !== queryKeys.service[0] });
    resetCursorPages(queryKeys.memories);
  }

  return {
    /** Reads the policy again if it is older than the newest change. */
    checkPolicy,
    reloadAll,
    apply({ name, data }: FeedEvent) {
      // A reset of the service names no memory and no gate. A reset of the feed may have left some out.
      if (name === "reset" || (name === "memory-forgotten" && data.memoryId === undefined)) return reloadAll();
      if (name === "policy-changed" && !patchPolicy(data)) reloadPolicy();
      if (name === "memory-forgotten" && data.memoryId !== undefined) forgotten.add(data.memoryId);
      if (data.memoryId !== undefined && data.supersededBy !== undefined)
        superseded.set(data.memoryId, data.supersededBy);
      for (const resource of CONCERNED[name]) concerned.add(resource);
      void flush();
    },
  };
}

/** Changes one gate of the cached policy. False when the event does not tell all that changed since the cached one. */
function patchPolicy({ version, agentId, namespace, allowed }: FeedEvent["data"]): boolean {
  const { data: cached, fetchStatus } = queryClient.getQueryState<VersionedPolicy>(queryKeys.policy) ?? {};
  // An answer that is under way may be of before the event.
  if (cached === undefined || fetchStatus !== "idle" || version === undefined) return false;
  if (agentId === undefined || namespace === undefined || typeof allowed !== "boolean") return false;
  // This window changed the gate itself, as a rule.
  if (version <= cached.version) return isAllowed(cached.policy, agentId, namespace) === allowed;
  if (version !== cached.version + 1) return false;
  const policy = withRule(cached.policy, { agentId, namespace, allowed });
  queryClient.setQueryData<VersionedPolicy>(queryKeys.policy, { policy, version });
  return true;
}

/** Call it once, in the frame of all pages. */
export function useLiveUpdates(): void {
  const caller = JSON.stringify(useSessionState().session);
  const { may } = usePermissions();
  const [mayListen, mayReadChanges] = [may("listenToEvents"), may("listPolicyChanges")];
  useEffect(() => {
    if (!mayListen) return;
    const ending = new AbortController();
    const { apply, checkPolicy, reloadAll } = createEventApplier(ending.signal, mayReadChanges);
    // A policy that was read before the feed began may be older than the feed's first event.
    const end = followFeed(caller, { onEvent: apply, onOpen: checkPolicy, onGap: reloadAll });
    return () => {
      end();
      ending.abort();
    };
  }, [caller, mayListen, mayReadChanges]);
}
