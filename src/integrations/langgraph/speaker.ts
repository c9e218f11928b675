// The agent that a store speaks as.
import type { Client } from "#contract/client/client.ts";
import type { CallOptions } from "#contract/client/send-request.ts";
import { UnsupportedOperationError } from "./unsupported-operation-error.ts";

interface Speaker {
  agentId(): Promise<string>;
  /** Says of a namespace whether the agent may use it now. The service decides that itself for an agent's own key. */
  mayUse(): Promise<(namespace: string) => boolean>;
}

/** `named`: the id that the caller gave. */
export function createSpeaker(
  client: Pick<Client, "getSession" | "getPolicy">,
  named: string | undefined,
  options: () => CallOptions,
): Speaker {
  let asked: Promise<{ readonly agentId: string; readonly isOwnKey: boolean }> | undefined;

  async function ask() {
    const { role, agentId = named } = await client.getSession(options());
    if (named !== undefined && named !== agentId)
      throw new UnsupportedOperationError("This key speaks as another agent than agentId says.");
    if (agentId === undefined)
      throw new UnsupportedOperationError("This key is not an agent's. Say which agent the store speaks as: agentId.");
    return { agentId, isOwnKey: role === "agent" };
  }

  /** Once: whose a key is does not change. */
  function identity() {
    asked ??= ask();
    asked.catch(() => {
      asked = undefined;
    });
    return asked;
  }

  return {
    agentId: async () => (await identity()).agentId,
    async mayUse() {
      const { agentId, isOwnKey } = await identity();
      if (isOwnKey) return () => true;
      // An admin may read everything, so the agent's part of the policy is asked.
      const { policy } = await client.getPolicy(options());
      const leaves = Object.hasOwn(policy, agentId) ? new Map(Object.entries(policy[agentId] ?? {})) : new Map();
      return (namespace) => leaves.get(namespace) === true;
    },
  };
}
