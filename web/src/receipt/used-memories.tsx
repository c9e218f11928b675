// The memories that an answer used, each with the result of the check of its blob.
import { useQuery } from "@tanstack/react-query";
import { isCited } from "#core/receipt/citations.ts";
import type { ViewedMemory } from "#core/receipt/receipt.ts";
import { tombstoneQuery } from "#web/api/queries.ts";
import { classNames } from "#web/lib/strings.ts";
import { BlobId, BlobMark, blobStateOf } from "#web/memory/blob.tsx";
import { usePermissions } from "#web/session/permissions.ts";
import { GateIcon } from "#web/ui/gate-icon.tsx";
import { MemoryLink, MemoryText, NamespaceLink, useReadsNamespace } from "#web/ui/links.tsx";
import { useFirst } from "#web/ui/list.tsx";
import { Timestamp } from "#web/ui/text.tsx";

interface UsedMemoriesProps {
  readonly memories: readonly ViewedMemory[];
  /** Remarks in comparison with another answer, by memory id. Memories that have one come first, then cited ones. */
  readonly notes: ReadonlyMap<string, string> | undefined;
}

export function UsedMemories({ memories, notes }: UsedMemoriesProps) {
  const noted = memories.filter(({ memoryId }) => notes?.has(memoryId));
  const others = memories.filter(({ memoryId }) => !notes?.has(memoryId));
  const ordered = [...noted, ...others.filter(isCited), ...others.filter((memory) => !isCited(memory))];
  const few = notes === undefined ? SHOWN_AT_FIRST : Math.max(noted.length, SHOWN_IN_COMPARISON);
  // One more card needs no more room than the button would.
  const isShort = ordered.length === few + 1;
  const more = `Show ${ordered.length - few} more${notes === undefined ? "" : ", in both answers"}`;
  const [shown, showAll] = useFirst(ordered, isShort ? ordered.length : few, more);
  if (memories.length === 0) return <p className="text-soft text-sm">No memory was used.</p>;
  return (
    <>
      <ul className="divide-y divide-line">
        {shown.map((memory) => (
          <UsedMemoryCard key={memory.memoryId} memory={memory} note={notes?.get(memory.memoryId)} />
        ))}
      </ul>
      {showAll && <p className="border-line border-t px-5 py-2">{showAll}</p>}
    </>
  );
}

const SHOWN_AT_FIRST = 4;
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
        <MemoryText memoryId={memoryId} isReadable={isReadable} text={snippet} />
      )}
      <p className="mt-1.5 flex flex-wrap items-center gap-x-4 gap-y-1 text-soft text-xs">
        {verified !== undefined && intact !== undefined && <BlobMark state={blobStateOf({ verified, intact })} />}
        <span className="inline-flex items-center gap-1.5">
          blob <BlobId blobId={storeRef} isReadable={snippet !== undefined} />
        </span>
        {snippet === undefined && (
          <span className="inline-flex items-center gap-1.5">
            memory <MemoryLink memoryId={memoryId} isReadable={isReadable} />
          </span>
        )}
      </p>
    </li>
  );
}

/** Why there is no text. The service tells only those who may read memories that one was forgotten. */
function WithheldText({ memoryId, isReadable }: { readonly memoryId: string; readonly isReadable: boolean }) {
  const enabled = usePermissions().may("getMemory") && isReadable;
  const { data: tombstone, isLoading } = useQuery({ ...tombstoneQuery(memoryId), enabled });
  if (isLoading) return <p className="text-soft">…</p>;
  if (tombstone == null) return <p className="text-soft">You may not read its text.</p>;
  return (
    <p className="text-soft">
      <strong className="font-medium text-ink">Forgotten</strong>, <Timestamp at={tombstone.forgottenAt} />. Its text is
      gone. A signed tombstone stays.
    </p>
  );
}

/** Marks a memory that the answer cites. It is the model's word: nobody has checked it. */
const CitedMark = () => (
  <span
    title="The model says that the answer rests on this memory."
    className="rounded-full border border-line bg-well px-2 py-px font-medium"
  >
    cited
  </span>
);

const BLOCKED_SHOWN_AT_FIRST = 24;

interface BlockedNamespacesProps {
  readonly namespaces: readonly string[];
  /** How many are blocked. A receipt lists the first 1,000. */
  readonly total: number;
  /** Blocked since the answer that this one is compared with. They come first. */
  readonly newlyBlocked: readonly string[] | undefined;
}

/** Every namespace that the agent may not use, whatever the question was. */
export function BlockedNamespaces({ namespaces, total, newlyBlocked = [] }: BlockedNamespacesProps) {
  const recent = new Set(newlyBlocked);
  const ordered = [...namespaces.filter((name) => recent.has(name)), ...namespaces.filter((name) => !recent.has(name))];
  const [shown, showAll] = useFirst(ordered, BLOCKED_SHOWN_AT_FIRST);
  if (namespaces.length === 0) return <p className="text-soft text-sm">No gate was closed.</p>;
  return (
    <>
      <ul className="flex flex-wrap gap-2">
        {shown.map((namespace) => (
          <li
            key={namespace}
            className={classNames(
              "inline-flex max-w-full items-center gap-2 rounded-md border px-2.5 py-1 text-sm",
              recent.has(namespace) ? "border-iron bg-iron-wash" : "border-line bg-card",
            )}
          >
            <GateIcon open={false} className="size-5 flex-none" />
            <NamespaceLink name={namespace} />
            <span className="flex-none text-iron text-xs">{recent.has(namespace) ? "now closed" : "closed"}</span>
          </li>
        ))}
      </ul>
      {showAll}
      {shown.length === namespaces.length && total > namespaces.length && (
        <p className="mt-2 text-soft text-sm">
          The receipt lists the first {namespaces.length} of {total}, and has the digest of the whole list.
        </p>
      )}
    </>
  );
}
