// Sends events to one listener. What an agent gets is checked behind the same fence as an answer.
import { NEVER_ABORTS } from "#async/with-deadline.ts";
import { isAllowed } from "#core/gate/policy.ts";
import type { Principal } from "#core/identity/principal.ts";
import { type EventData, type EventKind, visibleTo } from "#core/identity/visible-events.ts";
import type { RecordedEvent } from "#ports.ts";
import type { OpaquePositions, Position } from "#service/opaque-positions.ts";
import { readBehindFence } from "#service/policy/fenced-read.ts";
import type { Tenant } from "#service/tenant.ts";

export interface SentEvent {
  /** Where a listener goes on after it. */
  readonly id: string;
  /** `reset`: events may have been missed, so the listener must load anew what it shows. */
  readonly name: EventKind | "reset";
  readonly data: EventData | Readonly<Record<string, never>>;
}

export interface EventSink {
  /** Takes events. Resolves when the bytes have left the process. When `lost` aborts, nothing more of them may leave. */
  send(events: readonly SentEvent[], lost: AbortSignal): Promise<void>;
  /** Keeps the connection alive, and moves the listener's position on. */
  beat(id: string): Promise<void>;
  readonly signal: AbortSignal;
}
export const REPLAY_MS = 24 * 3_600_000;
const BEAT_MS = 15_000;

type Parts = Pick<Tenant, "records" | "policyMirror" | "events" | "positions" | "now">;

export async function deliverEvents(
  tenant: Parts,
  principal: Principal,
  lastEventId: string | undefined,
  sink: EventSink,
  beatMs = BEAT_MS,
): Promise<void> {
  const ids = idsFor(principal, await tenant.positions(), tenant.now);
  const subscription = await tenant.events.open(principal.id);
  const signal = AbortSignal.any([sink.signal, tenant.events.closed]);
  try {
    const { head, floor } = await tenant.records.events.position();
    const given = lastEventId === undefined ? head : ids.decode(lastEventId);
    const isKnown = given !== undefined && given >= floor && given <= head;
    let cursor = isKnown ? given : head;
    const now = () => ({ sequence: cursor, atMs: tenant.now().getTime() });
    if (isKnown) await sink.beat(lastEventId ?? ids.encode(now()));
    else await sink.send([{ id: ids.encode(now()), name: "reset", data: {} }], NEVER_ABORTS);

    let lastBeat = performance.now();
    while (!signal.aborted) {
      const events = await subscription.next(cursor, Math.max(0, lastBeat + beatMs - performance.now()), signal);
      if (signal.aborted) return;
      await deliver(tenant, principal, events, ids, sink);
      cursor = events.at(-1)?.sequence ?? cursor;
      // At fixed times, whatever others do. While a listener catches up, events after its position may be old.
      if (performance.now() - lastBeat < beatMs || cursor < subscription.head()) continue;
      lastBeat = performance.now();
      await sink.beat(ids.encode(now()));
    }
  } finally {
    subscription.close();
  }
}

async function deliver(
  tenant: Parts,
  principal: Principal,
  events: readonly RecordedEvent[],
  ids: Ids,
  sink: EventSink,
): Promise<void> {
  const visible = (mayUse: (namespace: string) => boolean): SentEvent[] =>
    events.flatMap((event) => {
      const seen = visibleTo(principal, event, mayUse);
      if (seen === undefined) return [];
      const id = ids.encode({ sequence: event.sequence, atMs: Date.parse(event.at) });
      return { id, name: seen.kind, data: seen.data };
    });
  const send = async (sent: readonly SentEvent[], lost: AbortSignal) => {
    if (sent.length > 0) await sink.send(sent, lost);
  };
  // Only what an agent hears of memories depends on the policy.
  const isChecked = principal.role === "agent" && events.some(({ kind }) => isOfMemory(kind));
  if (!isChecked)
    return send(
      visible(() => false),
      NEVER_ABORTS,
    );
  const { agentId } = principal;
  await readBehindFence(
    tenant,
    principal,
    async () => {
      // The fence has just read the policy, and checks each namespace again if it changes.
      const policy = tenant.policyMirror.lastOf(agentId);
      const value = visible((namespace) => isAllowed(policy, agentId, namespace));
      return { value, quoted: value.flatMap(namespaceOf) };
    },
    send,
  );
}

const namespaceOf = ({ name, data }: SentEvent) =>
  isOfMemory(name) && "namespace" in data && data.namespace !== undefined ? [{ namespace: data.namespace }] : [];

const isOfMemory = (kind: SentEvent["name"]): boolean => kind.startsWith("memory-");

interface Ids {
  encode(position: Position): string;
  decode(id: string): number | undefined;
}

/** An admin and an auditor may count events, so their ids are the sequences themselves. */
function idsFor({ role }: Principal, positions: OpaquePositions, now: () => Date): Ids {
  if (role === "admin" || role === "auditor") {
    return {
      encode: ({ sequence }) => String(sequence),
      decode: (id) => (/^\d{1,15}$/.test(id) ? Number(id) : undefined),
    };
  }
  return {
    encode: (position) => positions.encode("events", position),
    decode(id) {
      const position = positions.decode("events", id);
      return position !== undefined && now().getTime() - position.atMs <= REPLAY_MS ? position.sequence : undefined;
    },
  };
}
