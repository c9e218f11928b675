import { fetchBlob } from "#web/api/blob-store.ts";
import { client } from "#web/api/client.ts";
import { fetchObject } from "./fetch-object.ts";
import type { Sources } from "./sources.ts";
import type { Fetchers } from "./verify-in-browser.ts";

/** Asks these servers over the network. Only the service can say which packages are its own. */
export function browserFetchers(sources: Sources, signal: AbortSignal): Fetchers {
  return {
    packages: () =>
      client.getLedger({ signal }).then(
        ({ packageId, formerPackageId }) => ({ packageId, formerPackageId }),
        () => undefined,
      ),
    object: (objectId) => fetchObject(objectId, sources, signal),
    blob: (blobId) => fetchBlob(sources.aggregator, blobId, signal),
    tombstone: (memoryId) =>
      client.getTombstone({ memoryId }, { signal }).then(
        ({ tombstone }) => tombstone,
        () => undefined,
      ),
  };
}
