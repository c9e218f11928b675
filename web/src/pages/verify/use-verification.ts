// Both verifications of a receipt: this browser's, as it goes on, and the service's, when it has one.
import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Reply } from "#contract/routes.ts";
import { client } from "#web/api/client.ts";
import { type Look, lookAt } from "./browser/verify-in-browser.ts";

export type Verification = Reply<"verify">;

export interface OwnLook {
  readonly look: Look | undefined;
  /** Why it could not even begin. */
  readonly error: unknown;
  /** When it ended. */
  readonly endedAt: Date | undefined;
  again(): void;
}

/** What this browser sees. */
export function useOwnLook(receiptId: string): OwnLook {
  const [round, setRound] = useState(0);
  const [look, setLook] = useState<Look>();
  const [error, setError] = useState<unknown>();
  const [endedAt, setEndedAt] = useState<Date>();

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round is a new look.
  useEffect(() => {
    const control = new AbortController();
    const { signal } = control;
    setLook(undefined);
    setError(undefined);
    setEndedAt(undefined);
    lookAt(receiptId, signal, setLook)
      .catch((reason: unknown) => signal.aborted || setError(reason))
      .finally(() => signal.aborted || setEndedAt(new Date()));
    return () => control.abort();
  }, [receiptId, round]);

  return { look, error, endedAt, again: () => setRound((before) => before + 1) };
}

/** What the service says, and what it says when asked to derive the blobs' ids too. */
export function useServiceWord(receiptId: string) {
  const plain = useQuery({
    queryKey: ["verify", receiptId],
    queryFn: ({ signal }) => client.verify({ receiptId }, {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const deep = useMutation({ mutationFn: () => client.verify({ receiptId }, { deep: "1" }) });
  return {
    verification: deep.data ?? plain.data,
    error: plain.error,
    deep,
    again() {
      deep.reset();
      void plain.refetch();
    },
  };
}
