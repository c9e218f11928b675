// In place of a memory that a link names and the service does not give: its tombstone, if the caller may read it.
import { useQuery } from "@tanstack/react-query";
import { tombstoneQuery } from "#web/api/queries.ts";
import { TombstoneNote } from "#web/memory/tombstone-note.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Button } from "#web/ui/form/button.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";

interface AbsentMemoryProps {
  readonly memoryId: string;
  readonly clear: () => void;
}

export function AbsentMemory({ memoryId, clear }: AbsentMemoryProps) {
  const { data: tombstone, isPending } = useQuery(tombstoneQuery(memoryId));
  if (isPending) return <Skeleton what="the memory" className="my-4 h-36" />;
  return (
    <div className="my-4">
      {tombstone == null ? (
        <EmptyState title="There is no memory with this id for you.">
          <Button className="mt-4" onClick={clear}>
            Show all memories
          </Button>
        </EmptyState>
      ) : (
        <article className="rounded-lg border border-line bg-card px-5 pt-3.5 pb-3">
          <TombstoneNote tombstone={tombstone} />
        </article>
      )}
    </div>
  );
}
