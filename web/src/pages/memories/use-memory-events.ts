// Keeps the lists of memories true while they are shown: a memory that somebody forgets or supersedes says so at once.
import { useEffect } from "react";
import type { FeedEvent } from "#contract/client/event-feed.ts";
import { client, invalidate, queryKeys } from "#web/api/client.ts";
import { resetCursorPages } from "#web/api/use-cursor-pages.ts";
import { markForgotten, markSuperseded } from "#web/memory/listed-memory.ts";
import { usePermissions } from "#web/session/use-permissions.ts";

/** Many memories are forgotten at once at times. The lists are updated once for all events of this time. */
const BATCH_MS = 250;

/** Listens while the page can be seen: a browser has few connections to one server for all of its tabs. */
export function useMemoryEvents(): void {
  const mayListen = usePermissions().may("listenToEvents");
  useEffect(() => {
    if (!mayListen) return;
    let lastEventId: string | undefined;
    let listening: AbortController | undefined;
    const batch = eventBatch();
    const onId = (id: string) => {
      lastEventId = id;
    };
    async function listen(signal: AbortSignal): Promise<void> {
      for await (const event of client.listenToEvents({ signal, lastEventId, onId })) batch.add(event);
    }
    function follow(): void {
      if (document.hidden === (listening === undefined)) return;
      listening?.abort();
      listening = document.hidden ? undefined : new AbortController();
      // Without the feed the lists are as true as when they were loaded.
      if (listening !== undefined) listen(listening.signal).catch(() => undefined);
    }
    follow();
    document.addEventListener("visibilitychange", follow);
    return () => {
      document.removeEventListener("visibilitychange", follow);
      listening?.abort();
      batch.drop();
    };
  }, [mayListen]);
}

function eventBatch() {
  let events: FeedEvent[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  function apply(): void {
    const batch = events;
    [events, timer] = [[], undefined];
    // A reset of the service forgets all memories, and names none. A reset of the feed may have left some out.
    const isReset = ({ name, data }: FeedEvent) => name === "reset" || data.memoryId === undefined;
    if (batch.some(isReset)) resetCursorPages(queryKeys.memories);
    markForgotten(
      new Map(
        batch.flatMap(({ name, data: { memoryId } }) => (name === FORGOTTEN && memoryId ? [[memoryId, {}]] : [])),
      ),
    );
    markSuperseded(
      new Map(
        batch.flatMap(({ data: { memoryId, supersededBy } }) =>
          memoryId && supersededBy ? [[memoryId, supersededBy]] : [],
        ),
      ),
    );
    invalidate("overview");
  }
  return {
    add(event: FeedEvent): void {
      if (!CONCERNS.has(event.name)) return;
      events.push(event);
      timer ??= setTimeout(apply, BATCH_MS);
    },
    drop: () => clearTimeout(timer),
  };
}

const FORGOTTEN = "memory-forgotten";
const CONCERNS: ReadonlySet<FeedEvent["name"]> = new Set([FORGOTTEN, "memory-superseded", "reset"]);
