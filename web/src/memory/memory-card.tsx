// A stored memory: its text, its pin, its blob, and a check of the blob.
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import type { Memory } from "#core/memory.ts";
import { CopyableId } from "#web/ui/text/copyable-id.tsx";
import { Timestamp } from "#web/ui/text/timestamp.tsx";
import { LongText, Name } from "#web/ui/text/untrusted-text.tsx";
import { BlobCheck } from "./blob-check.tsx";
import { BlobId } from "./blob-id.tsx";
import { PinButton, PinMark } from "./pin.tsx";

export function MemoryCard({ memory }: { readonly memory: Memory }) {
  const { namespace, content, sourceAgent, createdAt, storeRef, contentDigest } = memory;
  return (
    <article className="rounded-lg border border-line bg-card px-5 pt-3.5 pb-3">
      <div className="mb-1.5 flex flex-wrap items-baseline gap-x-2 text-soft text-xs">
        <Link
          href={`${pagePath("memories")}?${new URLSearchParams({ namespace })}`}
          className="max-w-full font-medium text-ink no-underline hover:underline"
        >
          <Name>{namespace}</Name>
        </Link>
        <span className="max-w-full">
          from <Name>{sourceAgent}</Name>
        </span>
        {memory.pinned && <PinMark />}
        <span className="ml-auto">
          <Timestamp at={createdAt} />
        </span>
      </div>
      <LongText className="font-serif text-[1.0625rem] leading-snug">{content}</LongText>
      <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-0.5 text-soft text-xs">
        <span className="inline-flex items-center gap-1.5">
          blob <BlobId blobId={storeRef} />
        </span>
        <span className="inline-flex items-center gap-1.5">
          digest <CopyableId value={contentDigest} label="digest" />
        </span>
        <PinButton memory={memory} />
        <BlobCheck memory={memory} />
      </div>
    </article>
  );
}
