// What a memory's card says of its life: its key, when it expires, that it is sealed, and what took whose place.
import { Clock, KeyRound, Lock } from "lucide-react";
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import type { Memory } from "#core/memory.ts";
import { Timestamp } from "#web/ui/text/timestamp.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import { MemoryMark } from "./memory-mark.tsx";

export const LifeMarks = ({ memory: { key, expiresAt, sealed } }: { readonly memory: Memory }) => (
  <>
    {key !== undefined && (
      <MemoryMark
        icon={KeyRound}
        title="The source agent’s own name for this fact. A later fact with the same key replaces it."
      >
        <span className="sr-only">key </span>
        <Name>{key}</Name>
      </MemoryMark>
    )}
    {expiresAt !== undefined && (
      <MemoryMark icon={Clock} title="From then on no answer uses it, and soon afterwards it is forgotten.">
        expires <Timestamp at={expiresAt} />
      </MemoryMark>
    )}
    {sealed && (
      <MemoryMark icon={Lock} title="Its blob is encrypted.">
        sealed
      </MemoryMark>
    )}
  </>
);

/** The links between a memory and the one whose place it took. */
export function Supersession({ memory: { supersedes, supersededBy } }: { readonly memory: Memory }) {
  if (supersedes === undefined && supersededBy === undefined) return null;
  return (
    <p className="mt-1.5 flex flex-wrap gap-x-4 text-soft text-xs">
      {supersededBy !== undefined && (
        <span>
          <strong className="font-medium text-ink">Superseded</strong> by a newer memory. No answer uses it any more.{" "}
          <Link href={memoryPath(supersededBy)}>Show the newer one</Link>
        </span>
      )}
      {supersedes !== undefined && (
        <span>
          It replaced an earlier memory. <Link href={memoryPath(supersedes)}>Show the earlier one</Link>
        </span>
      )}
    </p>
  );
}

export const memoryPath = (memoryId: string): string => pagePath("memory", { memoryId });
