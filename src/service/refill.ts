import { factBytes } from "../core/memory.ts";
import type { BlobAnchor } from "../ports.ts";
import type { Deps } from "./deps.ts";
import { allMemories } from "./memories.ts";

const PAGE = 500;

/** Puts every recorded blob into the store again, for a store that forgets when the process ends. */
export async function refill(deps: Deps): Promise<void> {
  for await (const memories of allMemories(deps)) {
    for (const memory of memories) await deps.blobs.put(factBytes(memory));
  }
  const utf8 = new TextEncoder();
  for await (const anchors of allAnchors(deps)) {
    for (const { body } of anchors) await deps.blobs.put(utf8.encode(body));
  }
}

export async function* allAnchors({ records }: Deps): AsyncGenerator<readonly BlobAnchor[]> {
  let anchors = await records.anchors({ limit: PAGE });
  while (anchors.length > 0) {
    yield anchors;
    const after = anchors.at(-1)?.blobId;
    anchors = after === undefined ? [] : await records.anchors({ after, limit: PAGE });
  }
}
