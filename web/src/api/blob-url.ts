import { BASE_PATH } from "#web/lib/base-path.ts";

/** `aggregator` is empty in mock mode, where the service itself serves the blobs. */
export const blobUrl = (aggregator: string, blobId: string): string =>
  `${aggregator || BASE_PATH}/v1/blobs/${encodeURIComponent(blobId)}`;
