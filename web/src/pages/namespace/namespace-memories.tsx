// The newest memories of a namespace, and the way to all of them.
import { useState } from "react";
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { client, queryKeys } from "#web/api/client.ts";
import { useCursorPages } from "#web/api/use-cursor-pages.ts";
import type { ListedMemory } from "#web/memory/listed-memory.ts";
import { MemoryCard } from "#web/memory/memory-card.tsx";
import { Button } from "#web/ui/form/button.tsx";
import { Section } from "#web/ui/page-header.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";

const PAGE_SIZE = 10;

export function NamespaceMemories({ namespace }: { readonly namespace: string }) {
  const [wanted, setWanted] = useState(PAGE_SIZE);
  const { items, isPending, hasMore, isFetchingMore, error, retry } = useCursorPages<ListedMemory>({
    queryKey: [...queryKeys.memories, "of-namespace", namespace],
    fetchPage: async (page, signal) => {
      const { memories, nextCursor } = await client.listMemories({ ...page, namespace }, { signal });
      return { items: memories, nextCursor };
    },
    pageSize: PAGE_SIZE,
    wanted,
  });
  return (
    <Section
      title="Its memories"
      actions={
        <Link href={`${pagePath("memories")}?${new URLSearchParams({ namespace })}`} className="text-sm">
          Search them
        </Link>
      }
    >
      {isPending && <Skeleton what="the memories" className="h-72" />}
      {!isPending && items.length === 0 && error === null && (
        <p className="text-soft text-sm">No memory is in it now.</p>
      )}
      <ul aria-label="Memories, newest first" className="flex flex-col gap-3 empty:hidden">
        {items.map((memory) => (
          <li key={memory.memoryId}>
            <MemoryCard memory={memory} />
          </li>
        ))}
      </ul>
      {error !== null && <ProblemNote error={error} onRetry={retry} />}
      {hasMore && error === null && (
        <Button className="mt-4" busy={isFetchingMore} onClick={() => setWanted(items.length + PAGE_SIZE)}>
          Show older memories
        </Button>
      )}
    </Section>
  );
}
