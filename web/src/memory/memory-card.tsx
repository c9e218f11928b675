// A memory in a list: its text, and what is said of its life. Its page has the rest.
import { AgentLink, MemoryText, NamespaceLink } from "#web/ui/links.tsx";
import { Timestamp } from "#web/ui/text.tsx";
import type { ListedMemory } from "./listed-memory.ts";
import { LifeMarks, PinMark, Supersession } from "./memory-marks.tsx";
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
  const { memoryId, namespace, content, sourceAgent, createdAt, forgotten } = memory;
  return (
    <article className="rounded-lg border border-line bg-card px-5 py-3">
      {forgotten === undefined ? (
        <>
          <div className="mb-1 flex flex-wrap items-baseline gap-x-2 gap-y-1 text-soft text-xs">
            <NamespaceLink name={namespace} className="max-w-full font-medium text-ink" />
            <span className="max-w-full">
              <span role="img" aria-label="from">
                ←
              </span>{" "}
              <AgentLink agentId={sourceAgent} />
            </span>
            {memory.pinned && <PinMark />}
            <LifeMarks memory={memory} />
            <span className="ml-auto">
              <Timestamp at={createdAt} />
            </span>
          </div>
          <MemoryText memoryId={memoryId} text={content} />
          <Supersession memory={memory} />
        </>
      ) : (
        <TombstoneNote {...forgotten} />
      )}
    </article>
  );
}
