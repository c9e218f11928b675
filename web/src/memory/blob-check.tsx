// Checks in this browser whether the blob store still has a memory's blob, and whether its bytes are the recorded ones.
import { useQuery } from "@tanstack/react-query";
import { digestHex } from "#core/encoding/digest.ts";
import { factBytes, type Memory } from "#core/memory.ts";
import type { FetchedBlob } from "#core/verify/observation.ts";
import { fetchBlob } from "#web/api/blob-store.ts";
import { useServiceInfo } from "#web/api/queries.ts";
import { callerSignal } from "#web/session/session.ts";
import { Button } from "#web/ui/form.tsx";
import { Facts, Timestamp } from "#web/ui/text.tsx";
import { BlobMark } from "./blob.tsx";

export function BlobCheck({ memory }: { readonly memory: Memory }) {
  const aggregator = useServiceInfo().data?.blobs.aggregator;
  const { data, dataUpdatedAt, isFetching, refetch } = useQuery({
    queryKey: ["blob-check", memory.memoryId],
    queryFn: async () =>
      compareBlob(memory, await fetchBlob(aggregator ?? "", memory.storeRef, callerSignal(), { asCaller: true })),
    enabled: false,
  });
  return (
    <>
      <Button look="plain" busy={isFetching} disabled={aggregator === undefined} onClick={() => void refetch()}>
        {isFetching ? "Checking …" : data === undefined ? "Check now" : "Check again"}
      </Button>
      <div role="status" className="basis-full empty:hidden">
        {data !== undefined && !isFetching && <Result result={data} at={dataUpdatedAt} />}
      </div>
    </>
  );
}

/** Which of the two it was, for whoever has to find the blob. */
const WHY = { missing: "the store has no such blob", unreachable: "the store does not answer" } as const;

function Result({ result, at }: { readonly result: BlobCheckResult; readonly at: number }) {
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <BlobMark state={result.state} />
        <span className="text-soft text-xs">
          {result.state === "not-reachable" && `${WHY[result.why]}; `}checked by this browser, <Timestamp at={at} />
        </span>
      </p>
      {result.state === "altered" && (
        <Facts
          className="mt-2 rounded-md bg-fail-wash px-3 py-2 text-ink text-xs sm:grid-cols-[10rem_minmax(0,1fr)] [&_dd]:break-all [&_dd]:font-mono"
          rows={{
            "Digest on record": result.digests.recorded,
            "Of the blob’s bytes": result.digests.stored,
            "Of the text shown here": result.digests.shown !== result.digests.recorded && result.digests.shown,
          }}
        />
      )}
    </>
  );
}

type Digests = Readonly<Record<"recorded" | "stored" | "shown", string>>;

type BlobCheckResult =
  | { readonly state: "intact" | "altered"; readonly digests: Digests }
  | { readonly state: "not-reachable"; readonly why: "missing" | "unreachable" };

/**
 * A blob is intact when its bytes are the memory's canonical ones and the digest on record is theirs. Of an encrypted
 * memory only the digest can be compared.
 */
export function compareBlob(memory: Memory, fetched: FetchedBlob): BlobCheckResult {
  if (typeof fetched === "string") return { state: "not-reachable", why: fetched };
  const bytes = factBytes(memory);
  const recorded = memory.contentDigest;
  const digests = { recorded, stored: digestHex(fetched), shown: memory.encrypted ? recorded : digestHex(bytes) };
  const isIntact = (memory.encrypted || sameBytes(bytes, fetched)) && digests.stored === recorded;
  return { state: isIntact ? "intact" : "altered", digests };
}

const sameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.byteLength === other.byteLength && one.every((byte, index) => byte === other[index]);
