// The memories that an answer used, each with the result of the check of its blob.

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { isCited } from "#core/receipt/citations.ts";
import type { ViewedMemory } from "#core/receipt/receipt.ts";
import { tombstoneQuery } from "#web/api/queries.ts";
import { classNames } from "#web/lib/class-names.ts";
import { BlobId } from "#web/memory/blob-id.tsx";
import { BLOB_STATES, blobStateOf } from "#web/memory/blob-state.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { Button } from "#web/ui/form/button.tsx";
import { GateIcon } from "#web/ui/gate-icon.tsx";
import { MemoryLink } from "#web/ui/links/memory-link.tsx";
import { NamespaceLink, useReadsNamespace } from "#web/ui/links/namespace-link.tsx";
import { StatusMark } from "#web/ui/status-mark.tsx";
import { Timestamp } from "#web/ui/text/timestamp.tsx";
import { LongText } from "#web/ui/text/untrusted-text.tsx";
import { CitedMark } from "./cited-mark.tsx";

interface UsedMemoriesProps {
  readonly memories: readonly ViewedMemory[];
  /** Remarks in comparison with another answer, by memory id. Memories that have one come first, then cited ones. */
  readonly notes?: ReadonlyMap<string, string>;
}

export function UsedMemories({ memories, notes }: UsedMemoriesProps) {
  const [showsAll, setShowsAll] = useState(false);
  if (memories.length === 0) return <p className="text-soft text-sm">No memory was used.</p>;
  const noted = memories.filter(({ memoryId }) => notes?.has(memoryId));
  const others = memories.filter(({ memoryId }) => !notes?.has(memoryId));
  const ordered = [...noted, ...others.filter(isCited), ...others.filter((memory) => !isCited(memory))];
  const few = notes === undefined ? SHOWN_AT_FIRST : Math.max(noted.length, SHOWN_IN_COMPARISON);
  // One more card needs no more room than the button would.
  const shown = showsAll || ordered.length <= few + 1 ? ordered : ordered.slice(0, few);
  return (
    <>
      <ul className="divide-y divide-line">
        {shown.map((memory) => (
          <UsedMemoryCard key={memory.memoryId} memory={memory} note={notes?.get(memory.memoryId)} />
        ))}
      </ul>
      {ordered.length > few + 1 && (
        <p className="border-line border-t px-5 py-2">
          <Button look="plain" className="-ml-1.5" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll
              ? "Show fewer"
              : `Show ${ordered.length - few} more${notes === undefined ? "" : ", in both answers"}`}
          </Button>
        </p>
      )}
    </>
  );
}

const SHOWN_AT_FIRST = 6;
/** A comparison is about the differences, so it shows fewer of the others. */
const SHOWN_IN_COMPARISON = 3;

function UsedMemoryCard({ memory, note }: { readonly memory: ViewedMemory; readonly note: string | undefined }) {
  const { memoryId, namespace, snippet, storeRef, verified, intact } = memory;
  const isReadable = useReadsNamespace()(namespace);
  return (
    <li className={classNames("px-5 py-3.5", note !== undefined && "bg-unknown-wash")}>
      <p className="mb-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs">
        <GateIcon open className="size-4" />
        <NamespaceLink name={namespace} className="font-medium" />
        {isCited(memory) && <CitedMark />}
        {note !== undefined && <span className="ml-auto font-medium text-unknown">{note}</span>}
      </p>
      {snippet === undefined ? (
        <WithheldText memoryId={memoryId} isReadable={isReadable} />
      ) : (
        <LongText className="font-serif text-[1.0625rem] leading-snug">{snippet}</LongText>
      )}
      <p className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1 text-soft text-xs">
        {verified !== undefined && intact !== undefined && <BlobMark verified={verified} intact={intact} />}
        <span className="inline-flex items-center gap-1.5">
          blob <BlobId blobId={storeRef} isReadable={snippet !== undefined} />
        </span>
        <span className="inline-flex items-center gap-1.5">
          memory <MemoryLink memoryId={memoryId} isReadable={isReadable} />
        </span>
      </p>
    </li>
  );
}

interface WithheldTextProps {
  readonly memoryId: string;
  /** Whether the caller may read its namespace now. */
  readonly isReadable: boolean;
}

/** Why there is no text. The service tells only those who may read memories that one was forgotten. */
function WithheldText({ memoryId, isReadable }: WithheldTextProps) {
  const enabled = usePermissions().may("getMemory") && isReadable;
  const { data: tombstone, isLoading } = useQuery({ ...tombstoneQuery(memoryId), enabled });
  if (isLoading) return <p className="text-soft">…</p>;
  if (tombstone == null) return <p className="text-soft">Its text is not for you to read.</p>;
  return (
    <p className="text-soft">
      <strong className="font-medium text-ink">Forgotten</strong>, <Timestamp at={tombstone.forgottenAt} />. Its text is
      gone, and a signed tombstone stays.
    </p>
  );
}

/** What the blob store returned when the answer was made. */
function BlobMark(check: { readonly verified: boolean; readonly intact: boolean }) {
  const [status, word, meaning] = BLOB_STATES[blobStateOf(check)];
  return (
    <StatusMark status={status} title={meaning}>
      {word}
    </StatusMark>
  );
}
