// What the user has written and not sent yet. It outlives a visit to another page, and not the caller.
import { useEffect, useState } from "react";
import { whenCallerChanges } from "./session.ts";

const kept = new Map<string, unknown>();
whenCallerChanges(() => kept.clear());

/** As `useState`. */
export function useKeptState<T>(name: string, initial: () => T) {
  const state = useState<T>(() => (kept.has(name) ? (kept.get(name) as T) : initial()));
  const [value] = state;
  useEffect(() => void kept.set(name, value), [name, value]);
  return state;
}
