// What a memory's card says of its life: its key, when it expires, that it is encrypted, and what took whose place.

import type { ReactNode } from "react";
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import type { Memory } from "#core/memory.ts";
import { client, queryClient, queryKeys } from "#web/api/client.ts";
import { updateItems } from "#web/api/use-cursor-pages.ts";
import { useMutation } from "#web/api/use-mutation.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { Button } from "#web/ui/form.tsx";
import { Clock, type Icon, KeyRound, Lock, Pin } from "#web/ui/icons.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { Name, Timestamp } from "#web/ui/text.tsx";
import { memoryKey } from "./listed-memory.ts";

export const LifeMarks = ({ memory: { key, expiresAt, encrypted } }: { readonly memory: Memory }) => (
  <>
    {key !== undefined && (
      <MemoryMark
        icon={KeyRound}
        title="The source agent’s own name for this fact. A later fact with the same fact key supersedes it."
      >
        <span className="sr-only">fact key </span>
        <Name>{key}</Name>
      </MemoryMark>
    )}
    {expiresAt !== undefined && (
      <MemoryMark icon={Clock} title="From then on no answer uses it. Soon afterwards it is forgotten.">
        expires <Timestamp at={expiresAt} />
      </MemoryMark>
    )}
    {encrypted && (
      <MemoryMark icon={Lock} title="Its blob is encrypted.">
        {" "}
        encrypted
      </MemoryMark>
    )}
  </>
);

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
          It supersedes an earlier memory. <Link href={memoryPath(supersedes)}>Show the earlier one</Link>
        </span>
      )}
    </p>
  );
}

export const memoryPath = (memoryId: string): string => pagePath("memory", { memoryId });

interface MemoryMarkProps {
  readonly icon: Icon;
  readonly title: string;
  readonly children: ReactNode;
}

/** A word about a memory, beside its namespace: pinned, encrypted, a fact key. */
const MemoryMark = ({ icon: Icon, title, children }: MemoryMarkProps) => (
  <span
    className="inline-flex max-w-full items-center gap-1 self-center rounded-sm bg-well px-1.5 font-medium text-ink"
    title={title}
  >
    <Icon className="size-3 flex-none" /> {children}
  </span>
);

/** The mark of a pinned memory, and the button that pins or unpins one. */
export const PinMark = () => (
  <MemoryMark icon={Pin} title="Every question of an agent that may use it gets this memory.">
    pinned
  </MemoryMark>
);

export function PinButton({ memory: { memoryId, namespace, pinned, supersededBy } }: { readonly memory: Memory }) {
  const { governs } = usePermissions();
  const pin = useMutation({
    mutationFn: () => client.updateMemory({ memoryId }, { pinned: !pinned }),
    onSuccess({ memory }) {
      updateItems<Memory>(queryKeys.memories, (item) => (item.memoryId === memoryId ? memory : item));
      // Its own page holds it alone.
      queryClient.setQueryData(memoryKey(memoryId), { memory });
    },
  });
  if (!governs(namespace) || supersededBy !== undefined) return null;
  return (
    <>
      <Button look="plain" className="sm:ml-auto" busy={pin.isPending} onClick={() => pin.mutate()}>
        {pinned ? "Unpin" : "Pin"}
      </Button>
      {pin.error !== null && <ProblemNote error={pin.error} className="order-last mt-1 basis-full" />}
    </>
  );
}
