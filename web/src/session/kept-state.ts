// What the user has written and not sent yet. It outlives a visit to another page, and not the caller.
import { useLayoutEffect, useState } from "react";
import { whenCallerChanges } from "./session.ts";

const kept = new Map<string, unknown>();
whenCallerChanges(() => kept.clear());

/** As `useState`. */
export function useKeptState<T>(name: string, initial: () => T) {
  const state = useState<T>(() => (kept.has(name) ? (kept.get(name) as T) : initial()));
  const [value] = state;
  // Before the browser does anything else: an effect that waits would be lost when the user leaves at once.
  useLayoutEffect(() => void kept.set(name, value), [name, value]);
  return state;
}
