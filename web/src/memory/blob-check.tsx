import { useQuery } from "@tanstack/react-query";
import type { Memory } from "#core/memory.ts";
import { useServiceInfo } from "#web/api/queries.ts";
import { callerSignal } from "#web/session/session.ts";
import { Button } from "#web/ui/form.tsx";
import { StatusMark } from "#web/ui/status.tsx";
import { Facts, Timestamp } from "#web/ui/text.tsx";
import { BLOB_STATES } from "./blob.tsx";
import { type BlobCheckResult, checkBlob, type Digests } from "./check-blob.ts";
/** The "Check now" button of a memory, and the result. */
export function BlobCheck({ memory }: { readonly memory: Memory }) {
  const aggregator = useServiceInfo().data?.blobs.aggregator;
  const { data, dataUpdatedAt, isFetching, refetch } = useQuery({
    queryKey: ["blob-check", memory.memoryId],
    queryFn: () => checkBlob(memory, aggregator ?? "", callerSignal()),
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
  const [status, word, meaning] = BLOB_STATES[result.state];
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <StatusMark status={status} title={meaning}>
          {word}
        </StatusMark>
        <span className="text-soft text-xs">
          {result.state === "not-reachable" && `${WHY[result.why]}; `}checked by this browser, <Timestamp at={at} />
        </span>
      </p>
      {result.state === "altered" && <DigestComparison digests={result.digests} />}
    </>
  );
}

const DigestComparison = ({ digests: { recorded, stored, shown } }: { readonly digests: Digests }) => (
  <Facts
    className="mt-2 rounded-md bg-fail-wash px-3 py-2 text-ink text-xs sm:grid-cols-[10rem_minmax(0,1fr)] [&_dd]:break-all [&_dd]:font-mono"
    rows={{
      "Digest on record": recorded,
      "Of the blob’s bytes": stored,
      "Of the text shown here": shown !== recorded && shown,
    }}
  />
);
