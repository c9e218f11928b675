import { Link } from "wouter";
import type { Reply } from "#contract/routes.ts";
import { GateIcon } from "#web/ui/gate-icon.tsx";
import { StatusIcon } from "#web/ui/status-mark.tsx";
import { CopyableId } from "#web/ui/text/copyable-id.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import { StoredUntil } from "./stored-until.tsx";
import { WorthOfProof } from "./worth-of-proof.tsx";

interface LedgerAnchorResultProps {
  readonly result: Reply<"anchorOnChain">;
  readonly claims: readonly string[];
  /** The blocked namespaces of the receipt. */
  readonly blocked: readonly string[];
}

/** The ledger's decision on an anchor, with a link to the verifier. */
export function LedgerAnchorResult({ result, claims, blocked }: LedgerAnchorResultProps) {
  const { allAuthorized, txDigest, receiptId, explorerUrl, verifyPath, digestHex, storedUntil } = result;
  return (
    <div className="rounded-md bg-well p-4 text-sm">
      <p className="mb-3 flex items-start gap-2.5 font-medium">
        <StatusIcon status={allAuthorized ? "pass" : "fail"} className="mt-0.5 size-5" />
        {allAuthorized
          ? "Anchored: the ledger authorized every claim."
          : "Anchored, but not authorized: the ledger's policy does not allow every claim."}
      </p>
      <dl className="grid grid-cols-[7rem_1fr] gap-x-4 gap-y-1">
        <dt className="text-soft">Claims</dt>
        <dd className="flex min-w-0 flex-wrap gap-x-4 gap-y-1">
          {claims.length === 0 && "none"}
          {claims.map((claim) => (
            <span key={claim} className="inline-flex items-center gap-1.5">
              <GateIcon open={!blocked.includes(claim)} className="size-4" />
              <Name>{claim}</Name>
              {blocked.includes(claim) && <span className="text-iron text-xs">blocked</span>}
            </span>
          ))}
        </dd>
        <dt className="text-soft">Transaction</dt>
        <dd className="min-w-0">
          <CopyableId value={txDigest} label="transaction digest" href={explorerUrl} />
        </dd>
        <dt className="text-soft">Receipt id</dt>
        <dd className="min-w-0">
          <CopyableId value={receiptId} label="receipt id" ends={8} />
        </dd>
        <dt className="text-soft">Digest</dt>
        <dd className="min-w-0">
          <CopyableId value={digestHex} label="digest of the receipt" ends={8} />
        </dd>
        <dt className="text-soft">Can be fetched</dt>
        <dd className="min-w-0">
          <StoredUntil until={storedUntil} />
        </dd>
      </dl>
      <WorthOfProof className="measure mt-3 text-soft text-xs" />
      <p className="mt-3">
        <Link href={verifyPath} className="inline-flex min-h-7 items-center font-medium">
          Check it in the verifier
        </Link>
      </p>
    </div>
  );
}
