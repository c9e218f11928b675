// "Check now": what was seen of the blob, in words. Kept in the cache, so that a row that scrolled away keeps it.
import { useQuery } from "@tanstack/react-query";
import type { Memory } from "#core/memory.ts";
import { useService } from "#web/api/client.ts";
import { Button } from "#web/ui/form/button.tsx";
import { Mark } from "#web/ui/status-mark.tsx";
import { Moment } from "#web/ui/text/timestamp.tsx";
import { type BlobLook, type Digests, lookAtBlob } from "./check-blob.ts";

export function BlobCheck({ memory }: { readonly memory: Memory }) {
  const aggregator = useService().data?.blobs.aggregator;
  const { data, dataUpdatedAt, isFetching, refetch } = useQuery({
    queryKey: ["blob-look", memory.memoryId],
    queryFn: ({ signal }) => lookAtBlob(memory, aggregator ?? "", signal),
    enabled: false,
  });
  return (
    <>
      <Button
        look="plain"
        className="ml-auto"
        busy={isFetching}
        disabled={aggregator === undefined}
        onClick={() => void refetch()}
      >
        {isFetching ? "Checking …" : data === undefined ? "Check now" : "Check again"}
      </Button>
      <div role="status" className="basis-full empty:hidden">
        {data !== undefined && !isFetching && <Seen look={data} at={dataUpdatedAt} />}
      </div>
    </>
  );
}

const WORDS = {
  intact: ["pass", "resolves, bytes intact"],
  differs: ["fail", "resolves, but the bytes differ"],
  missing: ["fail", "does not resolve"],
  "no-answer": ["unknown", "unknown: the store does not answer"],
} as const;

function Seen({ look, at }: { readonly look: BlobLook; readonly at: number }) {
  const [status, words] = WORDS[look.outcome];
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <Mark status={status}>{words}</Mark>
        <span className="text-soft text-xs">
          by this browser, <Moment at={at} />
        </span>
      </p>
      {look.outcome === "differs" && <Compared digests={look.digests} />}
    </>
  );
}

function Compared({ digests: { recorded, stored, shown } }: { readonly digests: Digests }) {
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
