import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import type { Reply } from "#contract/routes.ts";
import type { ViewedReceipt } from "#core/receipt/receipt.ts";
import { client, invalidate } from "#web/api/client.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { baseUrl } from "#web/lib/base-path.ts";
import { BlobId } from "#web/memory/blob-id.tsx";
import { BLOB_STATES, blobStateOf } from "#web/memory/blob-state.ts";
import { Button } from "#web/ui/form/button.tsx";
import { CopyButton } from "#web/ui/form/copy-button.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { StatusMark } from "#web/ui/status-mark.tsx";
import { StoredUntil } from "./stored-until.tsx";

export interface AnchorProps {
  readonly receipt: ViewedReceipt;
  /** Whether its sealed form is anchored. */
  readonly isSealed: boolean;
}

/** Stores the receipt as a public blob, and shows whether the blob store returns it. */
export function AnchorAsBlob({ receipt, isSealed }: AnchorProps) {
  const anchoring = useMutation({
    mutationFn: () => client.anchorReceipt({ answerId: receipt.answerId, sealed: isSealed }),
    onSuccess: () => invalidate("receipts", "overview"),
  });
  const { data } = anchoring;
  const button = useRef<HTMLButtonElement>(null);
  // The note with its button goes away, and must not take the focus with it.
  const retry = () => {
    button.current?.focus();
    anchoring.mutate();
  };
  return (
    <div className="flex flex-col items-start gap-2">
      <Button ref={button} busy={anchoring.isPending} onClick={() => anchoring.mutate()}>
        {anchoring.isPending ? "Storing …" : "Save as public blob"}
      </Button>
      <div role="status" className="text-sm empty:hidden">
        {data !== undefined && <SavedBlob {...data} />}
      </div>
      <AsCode route="anchorReceipt" input={{ body: { answerId: receipt.answerId, sealed: isSealed } }} />
      {anchoring.error !== null && <ProblemNote error={anchoring.error} onRetry={retry} />}
    </div>
  );
}

/** What can be done with the blob: verify it, and give others the link that does. */
function SavedBlob({ blobId, verified, storedUntil }: Reply<"anchorReceipt">) {
  const [status, word, meaning] = BLOB_STATES[blobStateOf({ verified, intact: verified })];
  const verifyPath = `${pagePath("verifyStart")}?${new URLSearchParams({ q: blobId })}`;
  return (
    <div className="rounded-md bg-well p-4">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <span className="font-medium">Saved.</span>
        <StatusMark status={status} title={meaning}>
          {word}
        </StatusMark>
        <BlobId blobId={blobId} label="blob id of the receipt" />
        <span className="text-soft">
          can be fetched <StoredUntil until={storedUntil} />
        </span>
      </p>
      <p className="mt-1 flex flex-wrap items-center gap-x-5 gap-y-1">
        <Link href={verifyPath} className="inline-flex min-h-11 items-center font-medium">
          Verify it
        </Link>
        <CopyButton text={`${baseUrl()}${verifyPath}`} what="link to verify it" />
        <span className="text-soft text-xs">
          To show when it was made, and that it was allowed, anchor it on the ledger.
        </span>
      </p>
    </div>
  );
}
