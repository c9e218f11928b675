// The "Check now" button of a memory, and the result. The query cache keeps the result for a row that scrolls away.
import { useQuery } from "@tanstack/react-query";
import type { Memory } from "#core/memory.ts";
import { useServiceInfo } from "#web/api/queries.ts";
import { Button } from "#web/ui/form/button.tsx";
import { StatusMark } from "#web/ui/status-mark.tsx";
import { Timestamp } from "#web/ui/text/timestamp.tsx";
import { BLOB_STATES } from "./blob-state.ts";
import { type BlobCheckResult, checkBlob, type Digests } from "./check-blob.ts";

export function BlobCheck({ memory }: { readonly memory: Memory }) {
  const aggregator = useServiceInfo().data?.blobs.aggregator;
  const { data, dataUpdatedAt, isFetching, refetch } = useQuery({
    queryKey: ["blob-check", memory.memoryId],
    queryFn: ({ signal }) => checkBlob(memory, aggregator ?? "", signal),
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

function DigestComparison({ digests: { recorded, stored, shown } }: { readonly digests: Digests }) {
  return (
    <dl className="mt-2 grid gap-x-4 rounded-md bg-fail-wash px-3 py-2 text-ink text-xs sm:grid-cols-[10rem_minmax(0,1fr)]">
      <Digest name="Digest on record" value={recorded} />
      <Digest name="Of the blob’s bytes" value={stored} />
      {shown !== recorded && <Digest name="Of the text shown here" value={shown} />}
    </dl>
  );
}

const Digest = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div className="contents">
    <dt>{name}</dt>
    <dd className="break-all font-mono">{value}</dd>
  </div>
);
