// Which events a caller may get, and what it is told of each. Whatever is not named here is withheld.
import type { Principal } from "./principal.ts";

/** What happened. Structurally an event of the record store. */
export interface HappenedEvent extends Omit<{ readonly [Field in Shown]?: string }, "agentId"> {
  readonly kind: EventKind;
  readonly at: string;
  readonly version?: number;
  readonly changed?: { readonly agentId: string; readonly namespace: string; readonly allowed: boolean | null };
  readonly agentId?: string | null;
}

export const EVENT_KINDS = [
  ...(["policy-changed", "memory-captured", "memory-forgotten", "memory-superseded"] as const),
  ...(["proposal-waiting", "proposal-accepted", "proposal-declined"] as const),
  ...(["receipt-begun", "receipt-issued", "receipt-broken-off", "receipt-anchored"] as const),
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

/** Ids and names. Picked, so that a field that is added to events later is withheld. */
const SHOWN = [
  ...(["memoryId", "proposalId", "namespace", "sourceAgent", "cause", "supersededBy"] as const),
  ...(["answerId", "agentId", "blobId", "receiptId", "txDigest"] as const),
] as const;
type Shown = (typeof SHOWN)[number];

export type EventData = { readonly at: string; readonly version?: number; readonly allowed?: boolean | null } & {
  readonly [Field in Shown]?: string;
};

/** Who gets what. The policy's version goes to admins and auditors alone: it counts changes of all agents. */
export function visibleTo(principal: Principal, event: HappenedEvent, mayUse: (namespace: string) => boolean) {
  const { kind } = event;
  switch (principal.role) {
    case "admin":
    case "auditor":
      return { kind, data: { ...dataOf(event), ...(event.version !== undefined && { version: event.version }) } };
    case "namespace-admin": {
      const namespace = event.changed?.namespace ?? event.namespace;
      const isVisible = isReset(event) || (namespace !== undefined && principal.namespaces.includes(namespace));
      return isVisible ? { kind, data: dataOf(event) } : undefined;
    }
    case "agent":
      return isForAgent(principal.agentId, event, mayUse) ? { kind, data: dataOf(event) } : undefined;
    case "operator":
    case "public":
      return undefined;
  }
}

function isForAgent(agentId: string, event: HappenedEvent, mayUse: (namespace: string) => boolean): boolean {
  const { kind, changed, namespace } = event;
  if (isReset(event)) return true;
  if (kind === "policy-changed") return changed?.agentId === agentId;
  if (kind.startsWith("memory-")) return namespace !== undefined && mayUse(namespace);
  return event.agentId === agentId;
}

/** A reset forgets all memories, and replaces the whole policy. */
function isReset({ kind, changed, namespace }: HappenedEvent): boolean {
  return (
    (kind === "policy-changed" && changed === undefined) || (kind === "memory-forgotten" && namespace === undefined)
  );
}

function dataOf(event: HappenedEvent): EventData {
  const shown = SHOWN.filter((field) => event[field] != null).map((field) => [field, event[field]]);
  return { at: event.at, ...event.changed, ...Object.fromEntries(shown) };
}
