// The policy with the changes that are under way laid over it: a switch moves at once, and says when it is final.
import { useMutation, useMutationState } from "@tanstack/react-query";
import type { VersionedPolicy } from "#core/gate/policy.ts";
import { type AccessRule, isAllowed } from "#core/gate/policy.ts";
import { client, keys, queryClient, refresh, usePolicy } from "#web/api/client.ts";

const MUTATION = ["set-access"] as const;

/** `final`: the service has acknowledged the change, so no answer is released any more that it forbids. */
export type LeafState = "settled" | "pending" | "final" | "failed";

export interface Leaf {
  readonly open: boolean;
  readonly state: LeafState;
  /** In words, for a GateSwitch's note: "open", "closing …", "closed · final". */
  readonly note: string;
  /** When final: the policy's version as of which it is. */
  readonly version?: number | undefined;
}

export interface Access {
  readonly leaf: (agentId: string, namespace: string) => Leaf;
  readonly set: (rule: AccessRule) => void;
  /** The version that the service last told of. */
  readonly version: number | undefined;
  readonly isPending: boolean;
  /** Why the policy could not be read, or the last change not made. */
  readonly error: Error | null;
  readonly retry: () => void;
}

interface Change {
  readonly rule: AccessRule | undefined;
  readonly status: "idle" | "pending" | "success" | "error";
  readonly version: number | undefined;
}

export function useAccess(): Access {
  const policy = usePolicy();
  const changes = useMutationState({
    filters: { mutationKey: MUTATION },
    select: ({ state: { variables, status, data } }): Change => ({
      rule: variables as AccessRule | undefined,
      status,
      version: (data as VersionedPolicy | undefined)?.version,
    }),
  });
  const mutation = useMutation({
    mutationKey: MUTATION,
    // One after another: of two flips of the same switch the later one must win.
    scope: { id: "policy" },
    mutationFn: (rule: AccessRule) => client.setAccess(rule),
    onSuccess: keepNewest,
    onError: () => refresh("policy"),
    onSettled: () => refresh("policyChanges", "overview"),
  });

  return {
    leaf(agentId, namespace) {
      const last = changes.findLast(({ rule }) => rule?.agentId === agentId && rule.namespace === namespace);
      const recorded = policy.data !== undefined && isAllowed(policy.data.policy, agentId, namespace);
      return leafOf(recorded, last);
    },
    set: (rule) => mutation.mutate(rule),
    version: policy.data?.version,
    isPending: policy.isPending,
    error: policy.error ?? mutation.error,
    retry() {
      mutation.reset();
      void policy.refetch();
    },
  };
}

function keepNewest(told: VersionedPolicy): void {
  queryClient.setQueryData<VersionedPolicy>(keys.policy, (known) =>
    known !== undefined && known.version > told.version ? known : told,
  );
}

function leafOf(recorded: boolean, last: Change | undefined): Leaf {
  if (last?.status === "pending" && last.rule !== undefined) {
    const open = last.rule.allowed;
    return { open, state: "pending", note: open ? "opening …" : "closing …" };
  }
  const word = recorded ? "open" : "closed";
  if (last?.status === "error") return { open: recorded, state: "failed", note: `still ${word}` };
  if (last?.status === "success" && last.rule?.allowed === recorded) {
    return { open: recorded, state: "final", note: `${word} · final`, version: last.version };
  }
  return { open: recorded, state: "settled", note: word };
}
