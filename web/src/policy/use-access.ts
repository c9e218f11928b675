// The policy with optimistic updates: a gate moves at once, and its state says when the service has acknowledged it.

import { useMutationState } from "@tanstack/react-query";
import { type AccessRule, isAllowed, type VersionedPolicy, withRule } from "#core/gate/policy.ts";
import { client, invalidate, queryClient, queryKeys } from "#web/api/client.ts";
import { usePolicy } from "#web/api/queries.ts";
import { useMutation } from "#web/api/use-mutation.ts";
import { usePermissions } from "#web/session/permissions.ts";

const MUTATION_KEY = ["set-access"] as const;

/** `final`: the service has acknowledged the change, so it releases no answer any more that the change forbids. */
type GateProgress = "settled" | "pending" | "final" | "failed";

export interface GateAccess {
  readonly open: boolean;
  readonly state: GateProgress;
  /** The state in words, for a GateSwitch: "open", "closing …", "closed since version 2". */
  readonly note: string;
  /** For a final gate: the version of the policy that made it so. */
  readonly version?: number | undefined;
}

export interface Access {
  readonly gate: (agentId: string, namespace: string) => GateAccess;
  readonly set: (rule: AccessRule) => void;
  readonly version: number | undefined;
  /** Why the policy could not be read, or the last change not be made. */
  readonly error: Error | null;
  readonly failed: AccessRule | undefined;
  /** Sends the failed change again, or else reads the policy again. */
  readonly retry: () => void;
}

interface Change {
  readonly rule: AccessRule | undefined;
  readonly status: "idle" | "pending" | "success" | "error";
  readonly version: number | undefined;
}

export function useAccess(): Access {
  const policy = usePolicy({ enabled: usePermissions().may("getPolicy") });
  const changes = useMutationState({
    filters: { mutationKey: MUTATION_KEY },
    select: ({ state: { variables, status, data } }): Change => ({
      rule: variables as AccessRule | undefined,
      status,
      version: (data as VersionedPolicy | undefined)?.version,
    }),
  });
  const mutation = useMutation({
    mutationKey: MUTATION_KEY,
    // One scope runs its mutations in order: of two changes of the same gate the later one wins.
    scope: { id: "policy" },
    mutationFn: (rule: AccessRule) => client.setAccess(rule),
    onSuccess: cacheIfNewer,
    onError: () => invalidate("policy"),
    onSettled: () => invalidate("policyChanges", "overview"),
  });

  const failed = mutation.isError ? mutation.variables : undefined;

  return {
    gate(agentId, namespace) {
      const last = changes.findLast(({ rule }) => rule?.agentId === agentId && rule.namespace === namespace);
      const recorded = policy.data !== undefined && isAllowed(policy.data.policy, agentId, namespace);
      return gateOf(recorded, last);
    },
    set: mutation.mutate,
    version: policy.data?.version,
    error: mutation.error ?? policy.error,
    failed,
    retry: () => (failed === undefined ? void policy.refetch() : mutation.mutate(failed)),
  };
}

async function cacheIfNewer(reply: VersionedPolicy, rule: AccessRule): Promise<void> {
  // An answer that is still under way may be older than this one.
  await queryClient.cancelQueries({ queryKey: queryKeys.policy });
  queryClient.setQueryData<VersionedPolicy>(queryKeys.policy, (cached) => {
    if (cached === undefined || cached.version + 1 < reply.version) return reply;
    if (cached.version >= reply.version) return cached;
    // The next version differs by this rule alone. So the rules of the other agents stay the same objects.
    return { policy: withRule(cached.policy, rule), version: reply.version };
  });
}

function gateOf(recorded: boolean, last: Change | undefined): GateAccess {
  if (last?.status === "pending" && last.rule !== undefined) {
    const open = last.rule.allowed;
    return { open, state: "pending", note: open ? "opening …" : "closing …" };
  }
  const word = recorded ? "open" : "closed";
  const isAsWanted = last?.rule?.allowed === recorded;
  if (last?.status === "error" && !isAsWanted) return { open: recorded, state: "failed", note: `still ${word}` };
  if (last?.status === "success" && isAsWanted) {
    const note = `${word} since version ${last.version}`;
    return { open: recorded, state: "final", note, version: last.version };
  }
  return { open: recorded, state: "settled", note: word };
}
