// What an answer was made of: a card a memory, with what was seen of its blob.
import { useState } from "react";
import type { UsedMemory } from "#core/receipt/receipt.ts";
import { useService } from "#web/api/client.ts";
import { classes } from "#web/lib/class-names.ts";
import { Button } from "#web/ui/form/button.tsx";
import { Gate } from "#web/ui/gate-icon.tsx";
import { MemoryMarks } from "#web/ui/status-mark.tsx";
import { CopyableId } from "#web/ui/text/copyable-id.tsx";
import { LongText, Name } from "#web/ui/text/untrusted-text.tsx";

interface UsedMemoriesProps {
  readonly memories: readonly UsedMemory[];
  /** What to say of a memory in comparison with another answer, by memory id. Those that have one come first. */
  readonly notes?: ReadonlyMap<string, string>;
}

export function UsedMemories({ memories, notes }: UsedMemoriesProps) {
  const [all, setAll] = useState(false);
  if (memories.length === 0) return <p className="text-soft text-sm">No memory was used.</p>;
  const noted = memories.filter(({ memoryId }) => notes?.has(memoryId));
  const ordered = [...noted, ...memories.filter(({ memoryId }) => !notes?.has(memoryId))];
  const few = notes === undefined ? SHOWN : Math.max(noted.length, SHOWN_BESIDE);
  // One more card takes no more room than the button that would hide it.
  const shown = all || ordered.length <= few + 1 ? ordered : ordered.slice(0, few);
  return (
    <>
      <ul className="divide-y divide-line">
        {shown.map((memory) => (
          <MemoryCard key={memory.memoryId} memory={memory} note={notes?.get(memory.memoryId)} />
        ))}
      </ul>
      {ordered.length > few + 1 && (
        <p className="border-line border-t px-5 py-2">
          <Button look="plain" className="-ml-1.5" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? "Show fewer" : `Show ${ordered.length - few} more${notes === undefined ? "" : ", in both answers"}`}
          </Button>
        </p>
      )}
    </>
  );
}

const SHOWN = 6;
/** Beside another receipt, only what is different matters at first. */
const SHOWN_BESIDE = 3;

function MemoryCard({ memory, note }: { readonly memory: UsedMemory; readonly note: string | undefined }) {
  const { namespace, snippet, storeRef, verified, intact } = memory;
  const aggregator = useService().data?.blobs.aggregator ?? "";
  return (
    <li className={classes("px-5 py-3.5", note !== undefined && "bg-unknown-wash")}>
      <p className="mb-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs">
        <Gate open className="size-4" />
        <Name className="font-medium">{namespace}</Name>
        {note !== undefined && <span className="ml-auto font-medium text-unknown">{note}</span>}
      </p>
      <LongText className="font-serif text-[1.0625rem] leading-snug">{snippet}</LongText>
      <p className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1 text-soft text-xs">
        <MemoryMarks verified={verified} intact={intact} />
        <span className="inline-flex items-center gap-1.5">
          blob{" "}
          <CopyableId
            value={storeRef}
            label="blob id"
            href={`${aggregator}/v1/blobs/${encodeURIComponent(storeRef)}`}
          />
        </span>
      </p>
    </li>
  );
}
