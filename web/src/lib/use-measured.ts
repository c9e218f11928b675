import { type RefObject, useLayoutEffect, useState } from "react";

/** A size or a place of an element in pixels, also after the size of `observed` changes. It is 0 until the element is in the page. */
export function useMeasured(
  element: RefObject<HTMLElement | null>,
  measure: (element: HTMLElement) => number,
  observed?: HTMLElement,
): number {
  const [measured, setMeasured] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the function measures the same whenever it is made.
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const again = () => setMeasured(measure(current));
    again();
    const observer = new ResizeObserver(again);
    observer.observe(observed ?? current);
    return () => observer.disconnect();
  }, [element]);
  return measured;
}
