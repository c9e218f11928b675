// A memory on record: what it says, where it is kept, and whether it is still there.
import { Link } from "wouter";
import type { Memory } from "#core/memory.ts";
import { blobUrl } from "#web/api/blob-store.ts";
import { useService } from "#web/api/client.ts";
import { CopyableId } from "#web/ui/text/copyable-id.tsx";
import { Moment } from "#web/ui/text/timestamp.tsx";
import { LongText, Name } from "#web/ui/text/untrusted-text.tsx";
import { BlobCheck } from "./blob-check.tsx";

export function MemoryCard({ memory }: { readonly memory: Memory }) {
  const { namespace, content, sourceAgent, createdAt, storeRef, contentDigest } = memory;
  const aggregator = useService().data?.blobs.aggregator ?? "";
  return (
    <article className="rounded-lg border border-line bg-card px-5 pt-3.5 pb-3">
      <div className="mb-1.5 flex flex-wrap items-baseline gap-x-2 text-soft text-xs">
        <Link
          href={`/memories?${new URLSearchParams({ namespace })}`}
          className="max-w-full font-medium text-ink no-underline hover:underline"
        >
          <Name>{namespace}</Name>
        </Link>
        <span className="max-w-full">
          told by <Name>{sourceAgent}</Name>
        </span>
        <span className="ml-auto">
          <Moment at={createdAt} />
        </span>
      </div>
      <LongText className="font-serif text-[1.0625rem] leading-snug">{content}</LongText>
      <div className="mt-2 flex flex-wrap items-center gap-x-5 gap-y-0.5 text-soft text-xs">
        <span className="inline-flex items-center gap-1.5">
          blob <CopyableId value={storeRef} label="blob id" href={blobUrl(aggregator, storeRef)} />
        </span>
        <span className="inline-flex items-center gap-1.5">
          digest <CopyableId value={contentDigest} label="digest" />
        </span>
        <BlobCheck memory={memory} />
      </div>
    </article>
  );
}
