// The feed of events, over one connection for all windows of a browser: browsers have few connections to one server,
// and share them among their windows. The window that holds the lock listens, and passes on what it hears.
import type { FeedEvent } from "#contract/client/event-feed.ts";
import { BASE_PATH } from "#web/lib/address.ts";
import { createStore } from "#web/lib/store.ts";
import { client } from "./client.ts";

interface FeedListener {
  readonly onEvent: (event: FeedEvent) => void;
  /** The feed was opened, and what happened just before is not in it. */
  readonly onOpen: () => void;
  readonly onGap: () => void;
}

interface Joining {
  readonly isFirst?: boolean;
  /** Takes the lock from the window that has it. */
  readonly steal?: boolean;
}

/** Without an event it moves the position on, and shows that the window that listens is alive. */
interface Heard {
  readonly id: string;
  readonly event?: FeedEvent;
}

/** The service sends something every 15 seconds. After this time without anything, a connection or a window is dead. */
const SILENCE_MS = 40_000;
const SILENCE_CHECK_MS = 5_000;
/** After this time the reader is told. */
const LOST_MS = 20_000;
/** A window that nobody sees for so long stops listening. Until then a short look elsewhere costs no new connection. */
const HIDDEN_MS = 60_000;

/** Since when nothing was heard of the service. Undefined while it is connected. */
export const lostSince = createStore<Date | undefined>(undefined);

/** `caller`: windows of another caller hear other events. Returns the function that ends it. */
export function followFeed(caller: string, { onEvent, onOpen, onGap }: FeedListener): () => void {
  const name = `portcullis-events ${BASE_PATH} ${caller}`;
  // Without a secure origin there are no locks. Then each window has a connection of its own, and none passes anything on:
  // it would be heard twice.
  const locks: LockManager | undefined = navigator.locks;
  const channel = locks === undefined ? undefined : new BroadcastChannel(name);
  let lastEventId: string | undefined;
  let heardAt = performance.now();
  let turn = new AbortController();
  let isLeading = false;
  let hiding: ReturnType<typeof setTimeout> | undefined;

  function hear({ id, event }: Heard): void {
    heardAt = performance.now();
    if (lostSince.get() !== undefined) lostSince.set(undefined);
    lastEventId = id;
    if (event !== undefined) onEvent(event);
  }

  /** `onConnect` is called when the feed does not go on after a known event. */
  async function lead(signal: AbortSignal, onConnect: () => void): Promise<void> {
    isLeading = true;
    let isConnected = lastEventId !== undefined;
    function pass(heard: Heard): void {
      if (signal.aborted) return;
      hear(heard);
      channel?.postMessage(heard);
      if (!isConnected) onConnect();
      isConnected = true;
    }
    try {
      const events = client.listenToEvents({ signal, lastEventId, onId: (id) => pass({ id }) });
      for await (const event of events) pass({ id: event.id, event });
    } catch {
      // The service refuses this caller. The pages are as true as when they were loaded.
    }
  }

  /** Resolves when this window's turn is over. */
  async function takeTurn(signal: AbortSignal, { isFirst, steal }: Joining): Promise<void> {
    const onConnect = isFirst ? onOpen : onGap;
    if (locks === undefined) return lead(signal, onConnect);
    const wasFree = await locks.request(name, steal ? { steal } : { ifAvailable: true }, async (lock) => {
      if (lock !== null && !signal.aborted) await lead(signal, onConnect);
      return lock !== null;
    });
    if (wasFree || signal.aborted) return;
    if (!isFirst) onGap();
    await locks.request(name, { signal }, () => lead(signal, onGap));
  }

  function join(joining: Joining = {}): void {
    turn.abort();
    turn = new AbortController();
    isLeading = false;
    heardAt = performance.now();
    if (channel !== undefined) channel.onmessage = ({ data }: MessageEvent<Heard>) => hear(data);
    const { signal } = turn;
    // Another window took the lock, because it heard nothing from this one.
    const onLoss = () => !signal.aborted && join();
    takeTurn(signal, joining).catch(onLoss);
  }

  function leave(): void {
    turn.abort();
    if (channel !== undefined) channel.onmessage = null;
    hiding = undefined;
  }

  function onVisibility(): void {
    if (document.hidden) {
      hiding ??= setTimeout(leave, HIDDEN_MS);
      return;
    }
    clearTimeout(hiding);
    hiding = undefined;
    if (turn.signal.aborted) join();
  }

  function checkSilence(): void {
    if (document.hidden || turn.signal.aborted) return;
    const silentMs = performance.now() - heardAt;
    if (silentMs > LOST_MS) lose(silentMs);
    if (silentMs > SILENCE_MS) join({ steal: true });
  }

  const lose = (agoMs = 0) => lostSince.get() ?? lostSince.set(new Date(Date.now() - agoMs));
  const onOffline = () => lose();
  const onOnline = () => isLeading && join();
  const silence = setInterval(checkSilence, SILENCE_CHECK_MS);
  document.addEventListener("visibilitychange", onVisibility);
  addEventListener("online", onOnline);
  addEventListener("offline", onOffline);
  join({ isFirst: true });
  return () => {
    clearInterval(silence);
    clearTimeout(hiding);
    document.removeEventListener("visibilitychange", onVisibility);
    removeEventListener("online", onOnline);
    removeEventListener("offline", onOffline);
    lostSince.set(undefined);
    leave();
    channel?.close();
  };
}
