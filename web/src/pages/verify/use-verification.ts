// Both verifications of a receipt: the one of this browser while it runs, and the one of the service.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Reply } from "#contract/routes.ts";
import { networkFetchers } from "#verification/network-fetchers.ts";
import type { Fetchers } from "#verification/observe.ts";
import { ledgerSourceOf, type Sources, sourcesOf } from "#verification/sources.ts";
import { fetchBlob } from "#web/api/blob-store.ts";
import { client } from "#web/api/client.ts";
import { fetchServiceInfo } from "#web/api/queries.ts";
import { useMutation } from "#web/api/use-mutation.ts";
import { callerSignal } from "#web/session/session.ts";
import type { ReaderSettings } from "./reader-settings.ts";
import type { BrowserVerification, VerdictWords } from "./verify-in-browser.ts";

export type ServiceVerification = Reply<"verify">;

export interface ShownVerification extends BrowserVerification {
  readonly sources: Sources;
  /** Of the verdict, once there is one. */
  readonly words: VerdictWords | undefined;
}

export interface BrowserRun {
  readonly verification?: ShownVerification;
  readonly error?: unknown;
  readonly endedAt?: Date;
}

export function useBrowserVerification(
  receiptId: string,
  settings: ReaderSettings,
  opening: ReadOpening,
): BrowserRun & { readonly restart: () => void } {
  const [round, setRound] = useState(0);
  const [run, setRun] = useState<BrowserRun>({});
  const { isRead, text, error } = opening;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round starts the verification again.
  useEffect(() => {
    if (!isRead) return;
    const controller = new AbortController();
    const { signal } = controller;
    const update = (part: BrowserRun) => signal.aborted || setRun((before) => ({ ...before, ...part }));
    setRun({});
    const start = async () => {
      if (error !== undefined) throw error;
      // The page is shown, and the ledger is asked, while the code that verifies is loaded.
      const sources = sourcesOf(await fetchServiceInfo(), settings.fullNode);
      const blob = (blobId: string) => fetchBlob(sources.aggregator, blobId, callerSignal());
      const fetchers = begun(receiptId, networkFetchers({ client, sources, blob, signal: callerSignal() }));
      const { verdictWords, verifyInBrowser } = await import("./verify-in-browser.ts");
      const report = (verification: BrowserVerification) => {
        const words = verdictWords(verification.progress, ledgerSourceOf(sources));
        update({ verification: { ...verification, sources, words } });
      };
      const options = { signal, report, trusted: settings.trusted, opening: text };
      await verifyInBrowser(receiptId, fetchers, options);
    };
    start()
      .catch((failure: unknown) => update({ error: failure }))
      .finally(() => update({ endedAt: new Date() }));
    return () => controller.abort();
  }, [receiptId, settings, round, isRead, text, error]);

  return { ...run, restart: () => (error === undefined ? setRound((before) => before + 1) : opening.reread()) };
}

/** With the first requests under way. */
function begun(receiptId: string, fetchers: Fetchers): Fetchers {
  const packageId = fetchers.packageId();
  const object = fetchers.object(receiptId);
  return {
    ...fetchers,
    packageId: () => packageId,
    object: (objectId) => (objectId === receiptId ? object : fetchers.object(objectId)),
  };
}

/** The service's verification. After `deep` it also has the checks of the blobs' ids. */
export function useServiceVerification(receiptId: string) {
  const shallow = useQuery({
    queryKey: ["verify", receiptId],
    queryFn: () => client.verify({ receiptId }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const deep = useMutation({ mutationFn: () => client.verify({ receiptId }, { deep: "1" }) });
  return {
    verification: deep.data ?? shallow.data,
    error: shallow.error,
    deep,
    restart() {
      deep.reset();
      void shallow.refetch();
    },
  };
}

interface HeldOpening {
  readonly isRead: boolean;
  /** The canonical JSON of the opening; undefined when the reader has none. */
  readonly text?: string;
  /** The code that reads it was lost on its way. */
  readonly error?: unknown;
}

interface ReadOpening extends HeldOpening {
  readonly enter: (text: string) => void;
  readonly reread: () => void;
}

/** The opening that the reader holds: from the fragment of the address, or entered on the page. No server sees it. */
export function useOpening(): ReadOpening {
  const [opening, setOpening] = useState<HeldOpening>(() => ({ isRead: location.hash.length <= 1 }));
  const [round, setRound] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round reads it again.
  useEffect(() => {
    let isCurrent = true;
    const read = async () => {
      const fragment = location.hash.slice(1);
      // "Skip to content" goes to a place on the page. It is no opening, and takes none away.
      if (document.getElementById(fragment) !== null) return setOpening((before) => ({ ...before, isRead: true }));
      const text =
        fragment === "" ? undefined : await (await import("#web/receipt/opening-link.ts")).readFragment(fragment);
      if (isCurrent) setOpening({ isRead: true, ...(text !== undefined && { text }) });
    };
    const reread = () => void read().catch((error: unknown) => isCurrent && setOpening({ isRead: true, error }));
    reread();
    addEventListener("hashchange", reread);
    return () => {
      isCurrent = false;
      removeEventListener("hashchange", reread);
    };
  }, [round]);
  return {
    ...opening,
    enter: (text) => setOpening({ isRead: true, text }),
    reread: () => setRound((before) => before + 1),
  };
}
