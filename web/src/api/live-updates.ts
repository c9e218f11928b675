// Live updates: one subscription to the feed of events keeps every page true while others change things.
import { useEffect } from "react";
import { useSessionState } from "#web/session/session.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { createEventApplier } from "./apply-events.ts";
import { followFeed } from "./shared-feed.ts";

/** Call it once, in the frame of all pages. */
export function useLiveUpdates(): void {
  const caller = JSON.stringify(useSessionState().session);
  const { may } = usePermissions();
  const [mayListen, mayReadChanges] = [may("listenToEvents"), may("listPolicyChanges")];
  useEffect(() => {
    if (!mayListen) return;
    const ending = new AbortController();
    const { apply, checkPolicy, reloadAll } = createEventApplier({ signal: ending.signal, mayReadChanges });
    // A policy that was read before the feed began may be older than the feed's first event.
    const end = followFeed(caller, { onEvent: apply, onOpen: checkPolicy, onGap: reloadAll });
    return () => {
      end();
      ending.abort();
    };
  }, [caller, mayListen, mayReadChanges]);
}
