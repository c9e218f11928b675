import { blobUrl } from "#web/api/blob-url.ts";
import { useServiceInfo } from "#web/api/queries.ts";
import { CopyableId } from "#web/ui/text/copyable-id.tsx";

interface BlobIdProps {
  readonly blobId: string;
  readonly label?: string;
  readonly ends?: number;
}

/** A blob's id, with a link to its bytes in the blob store. */
export function BlobId({ blobId, label = "blob id", ...rest }: BlobIdProps) {
  const aggregator = useServiceInfo().data?.blobs.aggregator ?? "";
  return <CopyableId value={blobId} label={label} href={blobUrl(aggregator, blobId)} {...rest} />;
}
