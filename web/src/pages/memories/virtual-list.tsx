// A virtual list: only the rows near the window are in the page, so that any number of rows scrolls well.
import { measureElement, useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef } from "react";
import { useMeasured } from "#web/lib/use-measured.ts";
import type { ListedMemory } from "#web/memory/listed-memory.ts";
import { MemoryCard } from "#web/memory/memory-card.tsx";

/** The estimated height of a row until it is measured. */
const ESTIMATED_HEIGHT = 136;
const OVERSCAN = 6;
/** A list of at most this many rows is all in the page, so that the browser can search and print it. */
const MAX_UNVIRTUALIZED = 60;

/** As they were measured, so that a list that the reader goes back to is as high as it was. */
const heights = new Map<string, number>();

interface VirtualListProps {
  readonly memories: readonly ListedMemory[];
  readonly hasMore: boolean;
  /** Called with the number of rows down to the last one near the window. */
  readonly onReach: (rows: number) => void;
}

export function VirtualList({ memories, hasMore, onReach }: VirtualListProps) {
  const list = useRef<HTMLOListElement>(null);
  // From the top of the document: it changes when a panel above the list opens.
  const top = useMeasured(list, (own) => Math.round(own.getBoundingClientRect().top + scrollY), document.body);
  const virtualizer = useWindowVirtualizer({
    count: memories.length,
    estimateSize: (index) => heights.get(memories[index]?.memoryId ?? "") ?? ESTIMATED_HEIGHT,
    getItemKey: (index) => memories[index]?.memoryId ?? index,
    overscan: memories.length <= MAX_UNVIRTUALIZED ? MAX_UNVIRTUALIZED : OVERSCAN,
    scrollMargin: top,
    measureElement(element, entry, instance) {
      const height = measureElement(element, entry, instance);
      const memory = memories[instance.indexFromElement(element)];
      if (memory !== undefined) heights.set(memory.memoryId, height);
      return height;
    },
    // Rendering one frame later keeps scrolling smooth.
    useFlushSync: false,
  });
  const rows = virtualizer.getVirtualItems();
  const reached = (rows.at(-1)?.index ?? -1) + 1;
  useEffect(() => onReach(reached), [reached, onReach]);
  return (
    <ol
      ref={list}
      className="relative"
      style={{ height: virtualizer.getTotalSize() }}
      aria-label="Memories, newest first"
    >
      {rows.map(({ index, key, start }) => {
        const memory = memories[index];
        return (
          memory !== undefined && (
            <li
              key={key}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={hasMore ? -1 : memories.length}
              className="absolute inset-x-0 top-0 pb-3"
              style={{ transform: `translateY(${start - top}px)` }}
            >
              <MemoryCard memory={memory} />
            </li>
          )
        );
      })}
    </ol>
  );
}
