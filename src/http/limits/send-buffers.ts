// A bound on the memory of replies that wait for their clients, by caller and in all.
// A caller who is at its own bound is refused. When all is full, the caller who holds the most makes room for others: its
// reply that has waited longest is cut. When nobody holds more than the newcomer would, the newcomer is refused.
import { PortcullisError } from "#core/errors.ts";
import type { Metrics } from "#ports.ts";

/** What a stream counts as: a piece that its client has yet to take, and what it was made of. */
export const STREAM_BYTES = 65_536;

const OF_A_CALLER = 256 * STREAM_BYTES;
const OF_ALL = 1_024 * STREAM_BYTES;

/** A client that has not taken a piece for so long is cut: it reads less than a kilobyte or so a second. */
const NO_PROGRESS_MS = 30_000;

export type SendBuffers = ReturnType<typeof createSendBuffers>;
export type SendBuffer = ReturnType<SendBuffers["open"]>;

interface Held {
  readonly caller: string;
  bytes: number;
  /** When the client was given what it has yet to take. */
  waitingSince: number | undefined;
  readonly cut: () => void;
}

interface Holder {
  bytes: number;
  readonly replies: Set<Held>;
  /** The last reply that was refused to this caller, who held so much by then, or all callers: whichever was too much. */
  refusal?: { readonly code: RefusalCode; readonly bytes: number };
}

type RefusalCode = "too-many-requests" | "overloaded";

export function createSendBuffers(
  { ofCaller = OF_A_CALLER, ofAll = OF_ALL, noProgressMs = NO_PROGRESS_MS } = {},
  metrics?: Pick<Metrics, "add" | "gauge">,
) {
  const holders = new Map<string, Holder>();
  let total = 0;
  metrics?.gauge("replyBytesWaiting", () => total);

  const bytesOf = (caller: string): number => holders.get(caller)?.bytes ?? 0;

  function resize(held: Held, bytes: number): void {
    const { caller } = held;
    const holder = holders.get(caller) ?? { bytes: 0, replies: new Set() };
    total += bytes - held.bytes;
    holder.bytes += bytes - held.bytes;
    held.bytes = bytes;
    if (bytes > 0) holder.replies.add(held);
    else holder.replies.delete(held);
    if (holder.replies.size > 0) holders.set(caller, holder);
    else holders.delete(caller);
  }

  /** Of the caller who holds the most, and more than `than`, among those whose clients do not read: what has waited longest. */
  function firstToCut(than: number): Held | undefined {
    let [most, found]: [number, Held | undefined] = [than, undefined];
    for (const holder of holders.values()) {
      const longest = holder.bytes > most ? longestWaiting(holder) : undefined;
      if (longest !== undefined) [most, found] = [holder.bytes, longest];
    }
    return found;
  }

  /** Cuts replies of callers who hold more than `than`, until there is room. Tells whether there is. */
  function makeRoom(bytes: number, than: number): boolean {
    while (total + bytes > ofAll) {
      const longest = firstToCut(than);
      if (longest === undefined) return false;
      metrics?.add("repliesCut", "no-room");
      resize(longest, 0);
      longest.cut();
    }
    return true;
  }

  const heldFor = (code: RefusalCode, caller: string) => (code === "overloaded" ? total : bytesOf(caller));

  function refuse(caller: string, code: RefusalCode): never {
    metrics?.add("requestsRefused", "unread-replies");
    const holder = holders.get(caller);
    if (holder !== undefined) holder.refusal = { code, bytes: heldFor(code, caller) };
    throw new PortcullisError(code, SENTENCES[code]);
  }

  return {
    /** Throws when this caller was refused and no room was made since: a reply's length is known once it was read. */
    check(caller: string): void {
      const refusal = holders.get(caller)?.refusal;
      if (refusal !== undefined && heldFor(refusal.code, caller) >= refusal.bytes) refuse(caller, refusal.code);
    },

    /** For one reply of this caller. `cut` ends it. */
    open(caller: string, cut: () => void) {
      const held: Held = { caller, bytes: 0, waitingSince: undefined, cut };
      return {
        /** Takes room for a reply that has not begun. Throws when there is none. */
        reserve(bytes: number): void {
          const more = bytes - held.bytes;
          if (more <= 0) return;
          const own = bytesOf(caller) + more;
          if (own > ofCaller) refuse(caller, "too-many-requests");
          if (!makeRoom(more, own)) refuse(caller, "overloaded");
          resize(held, bytes);
        },
        /** So many bytes wait for the client. It is too late to refuse them. */
        waits(bytes: number): void {
          held.waitingSince ??= performance.now();
          if (bytes <= held.bytes) return;
          makeRoom(bytes - held.bytes, 0);
          resize(held, bytes);
        },
        taken(): void {
          held.waitingSince = undefined;
        },
        close: () => resize(held, 0),
      };
    },
    noProgressMs,
    bytes: (): number => total,
  };
}

function longestWaiting({ replies }: Holder): Held | undefined {
  let found: Held | undefined;
  for (const held of replies) {
    const since = held.waitingSince;
    if (since !== undefined && since < (found?.waitingSince ?? Number.POSITIVE_INFINITY)) found = held;
  }
  return found;
}

const SENTENCES: Readonly<Record<RefusalCode, string>> = {
  "too-many-requests": "Too many replies to this caller are unread. Read them, or try again in a moment.",
  overloaded: "Too many replies wait for clients that do not read them. Try again in a moment.",
};
