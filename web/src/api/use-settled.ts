// What is typed into a search, once the typing has paused.
import { type QueryKey, useIsFetching } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";

const PAUSE_MS = 120;
/** Instead, while a search before it waits for its reply: a slow service is not asked for every letter. */
const BUSY_PAUSE_MS = 1_000;

/** The text of at least one pause ago. `queryKey` is that of the searches for it. */
export function useSettled(text: string, queryKey: QueryKey): string {
  const [settled, setSettled] = useState(text);
  const changed = useRef({ text, at: 0 });
  if (changed.current.text !== text) changed.current = { text, at: performance.now() };
  const isBusy = useIsFetching({ queryKey, predicate: ({ state }) => state.data === undefined }) > 0;
  useEffect(() => {
    const pause = isBusy ? BUSY_PAUSE_MS : PAUSE_MS;
    const timer = setTimeout(() => setSettled(text), changed.current.at + pause - performance.now());
    return () => clearTimeout(timer);
  }, [text, isBusy]);
  return settled;
}
