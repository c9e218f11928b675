import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Memory } from "#core/memory.ts";
import { MemoryCard } from "#web/memory/memory-card.tsx";

/** What most rows come to, until they are measured. */
const USUAL_HEIGHT = 136;
const OVERSCAN = 6;
/** So many are all in the page: the browser's own search finds them, and they print. */
const FEW = 60;

interface VirtualRowsProps {
  readonly memories: readonly Memory[];
  readonly hasMore: boolean;
  /** Told how many rows there are up to the lowest one near the window. */
  readonly onReach: (rows: number) => void;
}

export function VirtualRows({ memories, hasMore, onReach }: VirtualRowsProps) {
  const list = useRef<HTMLOListElement>(null);
  const top = useTopOf(list);
  const virtualizer = useWindowVirtualizer({
    count: memories.length,
    estimateSize: () => USUAL_HEIGHT,
    getItemKey: (index) => memories[index]?.memoryId ?? index,
    overscan: memories.length <= FEW ? FEW : OVERSCAN,
    scrollMargin: top,
    // Scrolling is no reason to hold up the browser: a frame later is soon enough.
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

/** How far below the top of the document it begins. What is above it may unfold. */
function useTopOf(element: React.RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      const box = element.current?.getBoundingClientRect();
      if (box !== undefined) setTop(Math.round(box.top + scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return top;
}
