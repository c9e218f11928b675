// What this browser keeps of the reader's choices. Where it refuses storage, a choice lasts until the page is closed.
import { orUndefined } from "#core/defined.ts";

export const readStored = (key: string): string | undefined =>
  orUndefined(() => localStorage.getItem(key)) ?? undefined;

/** Undefined removes it. */
export const storeValue = (key: string, value: string | undefined): void =>
  orUndefined(() => (value === undefined ? localStorage.removeItem(key) : localStorage.setItem(key, value)));
