import { assuranceOf } from "#core/verify/assurance.ts";
import { useServiceInfo } from "#web/api/queries.ts";
import { Timestamp } from "#web/ui/text.tsx";

/** What an anchored receipt proves, with the ledger and the blob store of this service. */
export function WorthOfProof({ className }: { readonly className: string }) {
  const { data } = useServiceInfo();
  if (data === undefined) return null;
  return (
    <p className={className} data-worth>
      {assuranceOf({ network: data.ledger.network, blobs: data.blobs.kind })}
    </p>
  );
}

/** Until when the proof of a receipt can be fetched, as the service says it. Undefined: the service does not know. */
export function StoredUntil({ until }: { readonly until: string | null | undefined }) {
  if (until === undefined) return <>not known</>;
  if (until === null) return <>as long as this service keeps its records</>;
  const isOver = Date.parse(until) <= Date.now();
  return (
    <>
      {isOver ? "may be gone since" : "until"} <Timestamp at={until} />
      {!isOver && " at least"}
    </>
  );
}
