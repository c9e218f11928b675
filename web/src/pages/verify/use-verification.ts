// Both verifications of a receipt: the one of this browser while it runs, and the one of the service.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Reply } from "#contract/routes.ts";
import { client } from "#web/api/client.ts";
import { fetchServiceInfo } from "#web/api/queries.ts";
import { browserFetchers } from "./browser/browser-fetchers.ts";
import { type Sources, sourcesOf } from "./browser/sources.ts";
import { type BrowserVerification, verifyInBrowser } from "./browser/verify-in-browser.ts";
import type { ReaderSettings } from "./reader-settings.ts";
import type { HeldOpening } from "./use-opening.ts";

export type ServiceVerification = Reply<"verify">;

export interface ShownVerification extends BrowserVerification {
  readonly sources: Sources;
}

interface BrowserRun {
  readonly verification?: ShownVerification;
  /** Why the verification could not start. */
  readonly error?: unknown;
  readonly endedAt?: Date;
}

export function useBrowserVerification(
  receiptId: string,
  settings: ReaderSettings,
  opening: HeldOpening,
): BrowserRun & { readonly restart: () => void } {
  const [round, setRound] = useState(0);
  const [run, setRun] = useState<BrowserRun>({});
  const { isRead, text } = opening;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round starts the verification again.
  useEffect(() => {
    if (!isRead) return;
    const controller = new AbortController();
    const { signal } = controller;
    const update = (part: BrowserRun) => signal.aborted || setRun((before) => ({ ...before, ...part }));
    setRun({});
    const start = async () => {
      const sources = sourcesOf(await fetchServiceInfo(), settings.fullNode);
      const report = (verification: BrowserVerification) => update({ verification: { ...verification, sources } });
      const options = { signal, report, pins: settings.pins, opening: text };
      await verifyInBrowser(receiptId, browserFetchers(sources, signal), options);
    };
    start()
      .catch((error: unknown) => update({ error }))
      .finally(() => update({ endedAt: new Date() }));
    return () => controller.abort();
  }, [receiptId, settings, round, isRead, text]);

  return { ...run, restart: () => setRound((before) => before + 1) };
}

/** The service's verification. After `deep` it also has the checks of the blobs' ids. */
export function useServiceVerification(receiptId: string) {
  const shallow = useQuery({
    queryKey: ["verify", receiptId],
    queryFn: ({ signal }) => client.verify({ receiptId }, {}, { signal }),
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
