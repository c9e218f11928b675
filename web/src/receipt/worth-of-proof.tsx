import { provedBy } from "#core/verify/set-up.ts";
import { useServiceInfo } from "#web/api/queries.ts";

/** What an anchored receipt proves, with the ledger and the blob store of this service. */
export function WorthOfProof({ className }: { readonly className: string }) {
  const { data } = useServiceInfo();
  if (data === undefined) return null;
  return (
    <p className={className} data-worth>
      {provedBy({ network: data.ledger.network, blobs: data.blobs.kind })}
    </p>
  );
}
