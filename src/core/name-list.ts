// A list of names with its digest, for records that keep each list once.
import { digestOf } from "./encoding/digest.ts";

/** Names in UTF-8 order. */
export interface NameList {
  /** Of the list's canonical JSON. */
  readonly digest: string;
  readonly names: readonly string[];
}

/** An agent's lists stay the same objects until they change, and their digests are derived once. */
const known = new WeakMap<readonly string[], NameList>();

export function nameListOf(names: readonly string[]): NameList {
  const found = known.get(names);
  if (found !== undefined) return found;
  const list = { digest: digestOf(names), names };
  known.set(names, list);
  return list;
}
