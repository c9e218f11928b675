/** `aggregator` is empty in mock mode, where the service itself serves the blobs. */
export const blobUrl = (aggregator: string, blobId: string): string =>
  `${aggregator}/v1/blobs/${encodeURIComponent(blobId)}`;
