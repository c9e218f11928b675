// A stored memory: its text, what is said of its life, its blob, and what can be done with it.
import { useEffect, useRef } from "react";
import { AgentLink, MemoryLink, MemoryTextLink, NamespaceLink } from "#web/ui/links.tsx";
import { CopyableId, LongText, Timestamp } from "#web/ui/text.tsx";
import { BlobId } from "./blob.tsx";
import { BlobCheck } from "./blob-check.tsx";
import { ForgetMemory } from "./forget-memory.tsx";
import type { ListedMemory } from "./listed-memory.ts";
import { LifeMarks, PinButton, PinMark, Supersession } from "./memory-marks.tsx";
import { MemoryUses } from "./memory-uses.tsx";
import { TombstoneNote } from "./tombstone-note.tsx";

export const MemoryCards = ({ memories }: { readonly memories: readonly ListedMemory[] }) => (
  <ul aria-label="Memories, newest first" className="flex flex-col gap-3 empty:hidden">
    {memories.map((memory) => (
      <li key={memory.memoryId}>
        <MemoryCard memory={memory} />
      </li>
    ))}
  </ul>
);

export function MemoryCard({ memory }: { readonly memory: ListedMemory }) {
  const { forgotten } = memory;
  const card = useRef<HTMLElement>(null);
  const isForgottenHere = useRef(false);
  // The button that had the focus is gone. Its place says now what happened.
  useEffect(() => {
    if (forgotten !== undefined && isForgottenHere.current) card.current?.focus();
  }, [forgotten]);
  return (
    <article
      ref={card}
      tabIndex={forgotten === undefined ? undefined : -1}
      className="rounded-lg border border-line bg-card px-5 pt-3.5 pb-3"
    >
      {forgotten === undefined ? (
        <MemoryDetails
          memory={memory}
          onForget={() => {
            isForgottenHere.current = true;
          }}
        />
      ) : (
        <TombstoneNote {...forgotten} />
      )}
    </article>
  );
}

function MemoryDetails({ memory, onForget }: { readonly memory: ListedMemory; readonly onForget: () => void }) {
  const { namespace, content, sourceAgent, createdAt, storeRef, contentDigest } = memory;
  return (
    <>
      <div className="mb-1.5 flex flex-wrap items-baseline gap-x-2 gap-y-1 text-soft text-xs">
        <NamespaceLink name={namespace} className="max-w-full font-medium text-ink" />
        <span className="max-w-full">
          from <AgentLink agentId={sourceAgent} />
        </span>
        {memory.pinned && <PinMark />}
        <LifeMarks memory={memory} />
        <span className="ml-auto">
          <MemoryLink memoryId={memory.memoryId}>
            <span className="sr-only">Show this memory, captured </span>
            <Timestamp at={createdAt} />
          </MemoryLink>
        </span>
      </div>
      <LongText
        className="font-serif text-[1.0625rem] leading-snug"
        link={(text) => <MemoryTextLink memoryId={memory.memoryId}>{text}</MemoryTextLink>}
      >
        {content}
      </LongText>
      <Supersession memory={memory} />
      <div className="mt-2 flex flex-wrap items-center gap-x-1 gap-y-0.5 text-soft text-xs sm:gap-x-2 lg:gap-x-3">
        <span className="inline-flex items-center gap-1.5">
          blob <BlobId blobId={storeRef} />
        </span>
        <span className="inline-flex items-center gap-1.5">
          digest <CopyableId value={contentDigest} label="digest" />
        </span>
        <PinButton memory={memory} />
        <BlobCheck memory={memory} />
        <MemoryUses memory={memory} />
        <ForgetMemory memory={memory} onForget={onForget} />
      </div>
    </>
  );
}
