// Anchors a receipt on the ledger, with claims that the user chooses. The ledger decides on each claim by its own policy,
// so a claim of a blocked namespace comes back as not authorized.

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import type { Reply } from "#contract/routes.ts";
import type { ViewedReceipt } from "#core/receipt/receipt.ts";
import { client, invalidate, queryKeys } from "#web/api/client.ts";
import { useMutation } from "#web/api/use-mutation.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { baseUrl } from "#web/lib/address.ts";
import { plural } from "#web/lib/strings.ts";
import { BlobId, BlobMark, blobStateOf } from "#web/memory/blob.tsx";
import { usePermissions } from "#web/session/permissions.ts";
import { Button, Checkbox, CopyButton, RunButton } from "#web/ui/form.tsx";
import { GateIcon } from "#web/ui/gate-icon.tsx";
import { ProblemNote, StatusIcon } from "#web/ui/status.tsx";
import { CopyableId, Facts, Name } from "#web/ui/text.tsx";
import { StoredUntil, WorthOfProof } from "./receipt-status.tsx";

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
            Sealed: without the texts
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
      <RunButton ref={button} of={anchoring} words={["Save the receipt", "Storing …"]} />
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
  const verifyPath = `${pagePath("verifyStart")}?${new URLSearchParams({ q: blobId })}`;
  return (
    <div className="rounded-md bg-well p-4">
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <span className="font-medium">Saved.</span>
        <BlobMark state={blobStateOf({ verified, intact: verified })} />
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

interface AnchorProps {
  readonly receipt: ViewedReceipt;
  readonly isSealed: boolean;
}

function AnchorOnLedger({ receipt, isSealed }: AnchorProps) {
  const used = [...new Set(receipt.usedMemories.map(({ namespace }) => namespace))];
  const [isChoosing, setChoosing] = useState(false);
  const [claims, setClaims] = useState<ReadonlySet<string>>(() => new Set(used));
  const anchoring = useMutation({
    mutationFn: (claimNamespaces: string[]) =>
      client.anchorOnChain({ answerId: receipt.answerId, claimNamespaces, sealed: isSealed }),
    onSuccess: () => invalidate("receipts", "overview", "ledger"),
  });

  const options = useRef<HTMLFieldSetElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  // The button that had the focus is gone: what it opened has it now.
  useEffect(() => {
    if (isChoosing) options.current?.focus();
  }, [isChoosing]);
  // The note with its button goes away, and must not take the focus with it.
  const retry = () => {
    button.current?.focus();
    anchoring.mutate([...claims]);
  };

  function toggle(namespace: string): void {
    const next = new Set(claims);
    if (!next.delete(namespace)) next.add(namespace);
    setClaims(next);
  }

  return (
    <div className="flex flex-col items-start gap-2">
      {!isChoosing && <Button onClick={() => setChoosing(true)}>Anchor on the ledger …</Button>}
      {isChoosing && (
        <fieldset ref={options} tabIndex={-1} className="w-full rounded-md border border-line p-4">
          <legend className="px-1 font-medium text-sm">Namespaces that the receipt claims to use</legend>
          <p className="mb-3 text-soft text-xs">
            The ledger decides on each claim. Tick a closed namespace to see its claim refused.
          </p>
          <ul className="mb-4 grid grid-cols-[repeat(auto-fill,minmax(10rem,1fr))] gap-x-4">
            {[...used, ...receipt.blockedNamespaces.filter((name) => !used.includes(name))].map((namespace) => (
              <li key={namespace}>
                <Checkbox checked={claims.has(namespace)} onChange={() => toggle(namespace)}>
                  <GateIcon open={used.includes(namespace)} className="size-5" />
                  <Name>{namespace}</Name>
                  <span className="sr-only">{used.includes(namespace) ? "(used)" : "(closed)"}</span>
                </Checkbox>
              </li>
            ))}
          </ul>
          <Button ref={button} busy={anchoring.isPending} onClick={() => anchoring.mutate([...claims])}>
            {anchoring.isPending ? "Anchoring …" : buttonText(claims.size)}
          </Button>
          <AsCode
            route="anchorOnChain"
            input={{ body: { answerId: receipt.answerId, claimNamespaces: [...claims], sealed: isSealed } }}
          />
        </fieldset>
      )}
      <div role="status" className="w-full empty:hidden">
        {anchoring.data !== undefined && (
          <LedgerAnchorResult
            result={anchoring.data}
            claims={anchoring.variables ?? []}
            blocked={receipt.blockedNamespaces}
          />
        )}
      </div>
      {anchoring.error !== null && <ProblemNote error={anchoring.error} onRetry={retry} />}
    </div>
  );
}

const buttonText = (claims: number): string =>
  claims === 0 ? "Anchor without claims" : `Anchor with ${plural(claims, "claim")}`;

interface LedgerAnchorResultProps {
  readonly result: Reply<"anchorOnChain">;
  readonly claims: readonly string[];
  readonly blocked: readonly string[];
}

function LedgerAnchorResult({ result, claims, blocked }: LedgerAnchorResultProps) {
  const { allAuthorized, txDigest, receiptId, explorerUrl, verifyPath, digestHex, storedUntil } = result;
  return (
    <div className="rounded-md bg-well p-4 text-sm">
      <p className="mb-3 flex items-start gap-2.5 font-medium">
        <StatusIcon status={allAuthorized ? "pass" : "fail"} className="mt-0.5 size-5" />
        {allAuthorized
          ? "Anchored: the ledger authorized every claim."
          : "Anchored, but not authorized: the ledger's policy does not allow every claim."}
      </p>
      <Facts
        className="grid-cols-[7rem_minmax(0,1fr)]"
        rows={{
          Claims: (
            <span className="flex flex-wrap gap-x-4 gap-y-1">
              {claims.length === 0 && "none"}
              {claims.map((claim) => (
                <span key={claim} className="inline-flex items-center gap-1.5">
                  <GateIcon open={!blocked.includes(claim)} className="size-4" />
                  <Name>{claim}</Name>
                  {blocked.includes(claim) && <span className="text-iron text-xs">closed</span>}
                </span>
              ))}
            </span>
          ),
          Transaction: <CopyableId value={txDigest} label="transaction digest" href={explorerUrl} />,
          "Receipt id": <CopyableId value={receiptId} label="receipt id" ends={8} />,
          Digest: <CopyableId value={digestHex} label="digest of the receipt" ends={8} />,
          "Can be fetched": <StoredUntil until={storedUntil} />,
        }}
      />
      <VerifierLink href={verifyPath} />
    </div>
  );
}

export const VerifierLink = ({ href }: { readonly href: string }) => (
  <p className="mt-2">
    <Link href={href} className="inline-flex min-h-7 items-center font-medium">
      Verify it
    </Link>
  </p>
);
