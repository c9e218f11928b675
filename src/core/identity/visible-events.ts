// Which events a caller may get, and what it is told of each. Whatever is not named here is withheld.
import type { Principal } from "./principal.ts";

/** What happened. Structurally an event of the record store. */
export interface HappenedEvent {
  readonly kind: EventKind;
  readonly at: string;
  readonly version?: number;
  readonly changed?: { readonly agentId: string; readonly namespace: string; readonly allowed: boolean | null };
  readonly memoryId?: string;
  readonly namespace?: string;
  readonly sourceAgent?: string;
  readonly cause?: string;
  readonly supersededBy?: string;
  readonly answerId?: string;
  readonly agentId?: string | null;
  readonly blobId?: string;
  readonly receiptId?: string;
  readonly txDigest?: string;
}

export type EventKind =
  | "policy-changed"
  | "memory-captured"
  | "memory-forgotten"
  | "memory-superseded"
  | "receipt-opened"
  | "receipt-issued"
  | "receipt-broken-off"
  | "receipt-anchored";

/** Ids and names. */
export interface EventData {
  readonly at: string;
  readonly version?: number;
  readonly agentId?: string;
  readonly namespace?: string;
  readonly allowed?: boolean | null;
  readonly memoryId?: string;
  readonly sourceAgent?: string;
  readonly cause?: string;
  readonly supersededBy?: string;
  readonly answerId?: string;
  readonly blobId?: string;
  readonly receiptId?: string;
  readonly txDigest?: string;
}

export interface VisibleEvent {
  readonly kind: EventKind;
  readonly data: EventData;
}

/**
 * An admin and an auditor get all events, and the version of the policy with them: it counts changes of all agents. The
 * admin of namespaces gets what happens in these. An agent gets the changes of its own row of the policy, its own
 * receipts, and what happens to memories of namespaces that it may use now. A reset concerns everybody.
 */
export function visibleTo(
  principal: Principal,
  event: HappenedEvent,
  mayUse: (namespace: string) => boolean,
): VisibleEvent | undefined {
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
    case "public":
      return undefined;
  }
}

function isForAgent(agentId: string, event: HappenedEvent, mayUse: (namespace: string) => boolean): boolean {
  switch (event.kind) {
    case "policy-changed":
      return isReset(event) || event.changed?.agentId === agentId;
    case "memory-captured":
    case "memory-forgotten":
    case "memory-superseded":
      return isReset(event) || (event.namespace !== undefined && mayUse(event.namespace));
    case "receipt-opened":
    case "receipt-issued":
    case "receipt-broken-off":
    case "receipt-anchored":
      return event.agentId === agentId;
  }
}

/** A reset forgets all memories, and replaces the whole policy. */
function isReset({ kind, changed, namespace }: HappenedEvent): boolean {
  return (
    (kind === "policy-changed" && changed === undefined) || (kind === "memory-forgotten" && namespace === undefined)
  );
}

/** Picks what may be told, so that a field that is added to events later is withheld. */
function dataOf(event: HappenedEvent): EventData {
  const {
    at,
    changed,
    memoryId,
    namespace,
    sourceAgent,
    cause,
    supersededBy,
    answerId,
    agentId,
    blobId,
    receiptId,
    txDigest,
  } = event;
  return {
    at,
    ...changed,
    ...(memoryId !== undefined && { memoryId }),
    ...(namespace !== undefined && { namespace }),
    ...(sourceAgent !== undefined && { sourceAgent }),
    ...(cause !== undefined && { cause }),
    ...(supersededBy !== undefined && { supersededBy }),
    ...(answerId !== undefined && { answerId }),
    ...(typeof agentId === "string" && { agentId }),
    ...(blobId !== undefined && { blobId }),
    ...(receiptId !== undefined && { receiptId }),
    ...(txDigest !== undefined && { txDigest }),
  };
}
