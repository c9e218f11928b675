import { useServiceInfo } from "#web/api/queries.ts";
import { BASE_PATH } from "#web/lib/address.ts";
import { type Status, StatusMark } from "#web/ui/status.tsx";
import { CopyableId } from "#web/ui/text.tsx";

interface BlobIdProps {
  readonly blobId: string;
  readonly label?: string;
  readonly ends?: number;
  /** False when the service would not give the caller this blob. A public blob store gives it to anyone. */
  readonly isReadable?: boolean;
}

export function BlobId({ blobId, label = "blob id", isReadable = true, ...rest }: BlobIdProps) {
  const aggregator = useServiceInfo().data?.blobs.aggregator ?? "";
  const href = isReadable || aggregator !== "" ? blobUrl(aggregator, blobId) : undefined;
  return <CopyableId value={blobId} label={label} href={href} {...rest} />;
}

/** `aggregator` is empty in mock mode, where the service itself serves the blobs. */
const blobUrl = (aggregator: string, blobId: string): string =>
  `${aggregator || BASE_PATH}/v1/blobs/${encodeURIComponent(blobId)}`;

export type BlobState = "intact" | "altered" | "not-reachable";

export const BLOB_STATES: Readonly<Record<BlobState, readonly [status: Status, word: string, meaning: string]>> = {
  intact: ["pass", "intact", "The blob store returned the bytes that were stored."],
  altered: ["fail", "altered", "The blob store returned other bytes than were stored."],
  "not-reachable": ["unknown", "not reachable", "The blob store did not return the blob."],
};

interface BlobMarkProps {
  readonly state: BlobState;
  /** What stands before the word: "2 of 3". */
  readonly count?: string;
}

export function BlobMark({ state, count = "" }: BlobMarkProps) {
  const [status, word, meaning] = BLOB_STATES[state];
  return (
    <StatusMark status={status} title={meaning}>
      {`${count} ${word}`.trim()}
    </StatusMark>
  );
}

/** From the two flags of the API: the store returned the blob, and its bytes are the ones that were stored. */
export function blobStateOf({ verified, intact }: { readonly verified: boolean; readonly intact: boolean }): BlobState {
  if (!verified) return "not-reachable";
  return intact ? "intact" : "altered";
}
