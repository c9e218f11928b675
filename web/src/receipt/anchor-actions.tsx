import { useMutation, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import type { Reply } from "#contract/routes.ts";
import type { ViewedReceipt } from "#core/receipt/receipt.ts";
import { client, invalidate, queryKeys } from "#web/api/client.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { baseUrl } from "#web/lib/address.ts";
import { BLOB_STATES, BlobId, blobStateOf } from "#web/memory/blob.tsx";
import { usePermissions } from "#web/session/permissions.ts";
import { Button, Checkbox, CopyButton } from "#web/ui/form.tsx";
import { ProblemNote, StatusMark } from "#web/ui/status.tsx";
import { AnchorOnLedger, type AnchorProps } from "./anchor-on-ledger.tsx";
import { StoredUntil, WorthOfProof } from "./worth-of-proof.tsx";

/** The two ways to anchor a receipt: as a blob, and on the ledger. Nothing for a caller who may not anchor. */
export function AnchorActions({ receipt }: { readonly receipt: ViewedReceipt }) {
  const [isSealed, setSealed] = useState(false);
  if (!usePermissions().may("anchorReceipt")) return null;
  return (
    <section className="mt-8 border-line border-t pt-5">
      <h3 className="font-medium text-sm">Anchor this receipt</h3>
      <WorthOfProof className="measure mt-1 mb-4 text-sm text-soft" />
      {receipt.signature !== undefined && (
        <div className="mb-3">
          <Checkbox checked={isSealed} onChange={(event) => setSealed(event.target.checked)}>
            Sealed: publish commitments in place of the texts
          </Checkbox>
          {isSealed && <SealedNote />}
        </div>
      )}
      <div className="flex flex-wrap items-start gap-3">
        <AnchorAsBlob receipt={receipt} isSealed={isSealed} />
        <AnchorOnLedger receipt={receipt} isSealed={isSealed} />
      </div>
    </section>
  );
}

/** What a sealed anchor hides depends on how the ledger names agents and namespaces. */
function SealedNote() {
  const { data } = useQuery({
    queryKey: [...queryKeys.ledger, "names"],
    queryFn: () => client.getLedger(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <p role="status" className="min-h-5 pl-7 text-soft text-xs">
      {data !== undefined && (data.names === "pseudonyms" ? HIDES_NAMES : HIDES_TEXTS)}
    </p>
  );
}

const HIDES_TEXTS = "Hides the texts. Agent and namespaces stay readable on this ledger.";
const HIDES_NAMES = "Hides the texts. Agent and namespaces are pseudonyms on this ledger.";

/** Stores the receipt as a blob, and shows whether the blob store returns it. */
function AnchorAsBlob({ receipt, isSealed }: AnchorProps) {
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
        {anchoring.isPending ? "Storing …" : "Save as a blob"}
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
      </p>
    </div>
  );
}
