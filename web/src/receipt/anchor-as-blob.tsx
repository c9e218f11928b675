import { useMutation } from "@tanstack/react-query";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import { client, refresh, useService } from "#web/api/client.ts";
import { Button } from "#web/ui/form/button.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Mark } from "#web/ui/status-mark.tsx";
import { CopyableId } from "#web/ui/text/copyable-id.tsx";

/** Stores the receipt where anyone can read it, and says whether it can be read. */
export function AnchorAsBlob({ receipt }: { readonly receipt: AnswerReceipt }) {
  const aggregator = useService().data?.blobs.aggregator ?? "";
  const anchoring = useMutation({
    mutationFn: () => client.anchorReceipt({ receipt: sendable(receipt) }),
    onSuccess: () => refresh("receipts", "overview"),
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
            <Mark status={data.verified ? "pass" : "unknown"}>
              {data.verified ? "stored, and it resolves" : "stored, but it does not resolve yet"}
            </Mark>
            <CopyableId
              value={data.blobId}
              label="blob id of the receipt"
              href={`${aggregator}/v1/blobs/${encodeURIComponent(data.blobId)}`}
            />
          </p>
        )}
      </div>
      {anchoring.error !== null && <ProblemNote error={anchoring.error} onRetry={() => anchoring.mutate()} />}
    </div>
  );
}

type Sendable = Parameters<typeof client.anchorReceipt>[0]["receipt"];

/** The contract's type has mutable arrays; nothing is changed on the way. */
export const sendable = (receipt: AnswerReceipt): Sendable => receipt as unknown as Sendable;
