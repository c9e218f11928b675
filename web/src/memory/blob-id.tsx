import { blobUrl } from "#web/api/blob-url.ts";
import { useServiceInfo } from "#web/api/queries.ts";
import { CopyableId } from "#web/ui/text/copyable-id.tsx";

interface BlobIdProps {
  readonly blobId: string;
  readonly label?: string;
  readonly ends?: number;
  /** False when the service would not give the caller this blob. A public blob store gives it to anyone. */
  readonly isReadable?: boolean;
}

/** A blob's id, with a link to its bytes in the blob store. */
export function BlobId({ blobId, label = "blob id", isReadable = true, ...rest }: BlobIdProps) {
  const aggregator = useServiceInfo().data?.blobs.aggregator ?? "";
  const href = isReadable || aggregator !== "" ? blobUrl(aggregator, blobId) : undefined;
  return <CopyableId value={blobId} label={label} href={href} {...rest} />;
}
