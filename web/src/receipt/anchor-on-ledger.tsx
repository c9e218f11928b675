// Anchors a receipt on the ledger, with claims that the user chooses. The ledger decides on each claim by its own policy,
// so a claim of a blocked namespace comes back as not authorized.
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import type { Reply } from "#contract/routes.ts";
import type { ViewedReceipt } from "#core/receipt/receipt.ts";
import { client, invalidate } from "#web/api/client.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { plural } from "#web/lib/strings.ts";
import { Button, Checkbox } from "#web/ui/form.tsx";
import { GateIcon } from "#web/ui/gate-icon.tsx";
import { ProblemNote, StatusIcon } from "#web/ui/status.tsx";
import { CopyableId, Facts, Name } from "#web/ui/text.tsx";
import { StoredUntil } from "./worth-of-proof.tsx";

export interface AnchorProps {
  readonly receipt: ViewedReceipt;
  /** Whether its sealed form is anchored. */
  readonly isSealed: boolean;
}

export function AnchorOnLedger({ receipt, isSealed }: AnchorProps) {
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
  /** The blocked namespaces of the receipt. */
  readonly blocked: readonly string[];
}

/** The ledger's decision on an anchor, with a link to the verifier. */
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
      <p className="mt-3">
        <Link href={verifyPath} className="inline-flex min-h-7 items-center font-medium">
          Check it in the verifier
        </Link>
      </p>
    </div>
  );
}
