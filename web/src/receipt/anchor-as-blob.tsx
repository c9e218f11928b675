import { useMutation } from "@tanstack/react-query";
import type { ViewedReceipt } from "#core/receipt/receipt.ts";
import { client, invalidate } from "#web/api/client.ts";
import { BlobId } from "#web/memory/blob-id.tsx";
import { Button } from "#web/ui/form/button.tsx";
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
  return (
    <div className="flex flex-col items-start gap-2">
      <Button busy={anchoring.isPending} onClick={() => anchoring.mutate()}>
        {anchoring.isPending ? "Storing …" : "Anchor as a blob"}
      </Button>
      <div role="status" className="text-sm empty:hidden">
        {data !== undefined && (
          <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <StatusMark status={data.verified ? "pass" : "unknown"}>
              {data.verified ? "stored, and it resolves" : "stored, but it does not resolve yet"}
            </StatusMark>
            <BlobId blobId={data.blobId} label="blob id of the receipt" />
            <span className="text-soft">
              can be fetched <StoredUntil until={data.storedUntil} />
            </span>
          </p>
        )}
      </div>
      {anchoring.error !== null && <ProblemNote error={anchoring.error} onRetry={() => anchoring.mutate()} />}
    </div>
  );
}
