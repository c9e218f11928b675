// An external store: a value with subscribers that lives outside of React, so that it outlives the page that shows it.
import { useSyncExternalStore } from "react";

/** The part that a component reads. */
export interface ReadableStore<T> {
  readonly get: () => T;
  readonly subscribe: (listener: () => void) => () => void;
}

interface Store<T> extends ReadableStore<T> {
  readonly set: (value: T) => void;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export const useStore = <T>({ subscribe, get }: ReadableStore<T>): T => useSyncExternalStore(subscribe, get);
